// SPDX-License-Identifier: Apache-2.0
//
// Which commands stood at the queue's head, how long, and behind which others.

function reasonCell(reason) {
  return make("span", {}, swatch(reason), LOOKS[reason].label);
}

/** The commands that a wait was for, each with the bytes that both touch. */
function waitedForList(wait) {
  return wait.waits_on.map((waited) => {
    const bytes = waited.conflicts.join("; ") + (waited.more_conflicts ? `; ${waited.more_conflicts} more` : "");
    const ended = waited.command === wait.released_by ? ", ended the wait" : "";
    return make("div", {}, `#${waited.command} ${commandText(waited)}${ended}`,
      bytes ? make("div", { class: "ranges" }, bytes) : "");
  });
}

/** `show(run, pe, from, to, command)` moves the timeline there. */
function showButton(run, wait, show) {
  const pe = run.summary.pes[wait.pe].name;
  const label = `Show command ${wait.command} of ${pe} in the timeline`;
  const button = make("button", { type: "button", "aria-label": label }, "Show");
  button.addEventListener("click", () => show(run, wait.pe, wait.start_ps, wait.end_ps, wait.command));
  return button;
}

function waitName(run, wait) {
  return `#${wait.command} on ${run.summary.pes[wait.pe].name}, from ${timeText(wait.start_ps)}`;
}

function pairsTable(run, show) {
  const { pairs, more_pairs: more } = run.head_waits;
  const rows = pairs.map((pair) => makeRow([
    reasonCell(pair.reason), commandText(pair.waiting),
    pair.released_by ? commandText(pair.released_by) : "no completion",
    number(grouped(pair.waits)), number(timeText(pair.ps)), number(timeText(pair.ps / pair.waits)),
    number(timeText(pair.longest.end_ps - pair.longest.start_ps)),
    make("td", {}, `${waitName(run, pair.longest)}, for`, ...waitedForList(pair.longest)),
    showButton(run, pair.longest, show),
  ]));
  if (more.pairs > 0)
    rows.push(makeRow([`${grouped(more.pairs)} more pairs`, "", "", number(grouped(more.waits)), number(timeText(more.ps)),
      "", "", "", ""]));
  return makeTable({
    className: "wide",
    caption: "By the waiting command and the one whose completion ended the wait, longest total first",
    head: ["reason", "waiting", "released by", numberHead("waits"), numberHead("total"), numberHead("mean"),
      numberHead("longest"), "the longest one", ""],
    rows,
  });
}

function longestTable(run, show) {
  return makeTable({
    className: "wide",
    head: ["command", "reason", "", numberHead("waited"), "for", ""],
    rows: run.head_waits.longest.map((wait) => makeRow([
      waitName(run, wait), reasonCell(wait.reason), commandText(wait), number(timeText(wait.end_ps - wait.start_ps)),
      make("td", {}, waitedForList(wait)), showButton(run, wait, show),
    ])),
  });
}

function showHeadWaits(report, show) {
  const place = byId("head-waits");
  for (const run of report.runs) {
    if (report.runs.length > 1) place.append(make("h3", {}, run.kernel));
    if (run.head_waits.longest.length === 0)
      place.append(make("p", {}, "No command was held at the queue's head."));
    else
      place.append(pairsTable(run, show),
        make("details", {}, make("summary", {}, `The ${run.head_waits.longest.length} longest waits, one by one`),
          longestTable(run, show)));
  }
}
