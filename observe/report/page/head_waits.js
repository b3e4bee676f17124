// SPDX-License-Identifier: Apache-2.0
//
// Which commands stood at the queue's head, how long, and behind which others.

function reasonCell(reason) {
  return make("span", {}, swatch(reason), LOOKS[reason].label);
}

function pairsTable(run) {
  const { pairs, more_pairs: more } = run.head_waits;
  const rows = pairs.map((pair) => makeRow([
    reasonCell(pair.reason), commandText(pair.waiting),
    pair.released_by ? commandText(pair.released_by) : "no completion",
    number(grouped(pair.waits)), number(timeText(pair.ps)), number(timeText(pair.ps / pair.waits)),
    number(timeText(pair.longest_ps)),
  ]));
  if (more.pairs > 0)
    rows.push(makeRow([`${grouped(more.pairs)} more pairs`, "", "", number(grouped(more.waits)), number(timeText(more.ps)),
      number(""), number("")]));
  return makeTable({
    className: "wide",
    caption: "All waits, by the waiting command and the one whose completion ended the wait",
    head: ["reason", "waiting", "released by", numberHead("waits"), numberHead("total"), numberHead("mean"),
      numberHead("longest")],
    rows,
  });
}

/** The commands that a wait was for, each with the bytes that both touch. */
function waitedForList(wait) {
  return wait.waits_on.map((waited) => {
    const bytes = waited.conflicts.join("; ") + (waited.more_conflicts ? `; ${waited.more_conflicts} more` : "");
    const ended = waited.command === wait.released_by ? ", ended the wait" : "";
    return make("div", {}, `#${waited.command} ${commandText(waited)}${ended}${bytes ? `: ${bytes}` : ""}`);
  });
}

/** `show(run, pe, from, to, command)` moves the timeline there. */
function longestTable(run, show) {
  const rows = run.head_waits.longest.map((wait) => {
    const pe = run.summary.pes[wait.pe].name;
    const button = make("button", { type: "button", "aria-label": `Show command ${wait.command} of ${pe} in the timeline` },
      "Show");
    button.addEventListener("click", () => show(run, wait.pe, wait.start_ps, wait.end_ps, wait.command));
    return makeRow([`${pe} #${wait.command}`, reasonCell(wait.reason), commandText(wait),
      number(timeText(wait.end_ps - wait.start_ps)), number(timeText(wait.start_ps)),
      make("td", {}, waitedForList(wait)), button]);
  });
  return makeTable({
    className: "wide",
    caption: "The longest waits",
    head: ["command", "reason", "", numberHead("waited"), numberHead("from"), "for", ""],
    rows,
  });
}

function showHeadWaits(report, show) {
  const place = byId("head-waits");
  for (const run of report.runs) {
    if (report.runs.length > 1) place.append(make("h3", {}, run.kernel));
    if (run.head_waits.longest.length === 0)
      place.append(make("p", {}, "No command was held at the queue's head."));
    else
      place.append(pairsTable(run), longestTable(run, show));
  }
}
