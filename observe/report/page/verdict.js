// SPDX-License-Identifier: Apache-2.0
//
// What bounds each run, where its time went, and what would be left of it.

const BOUNDS = ["dispatch-bound", "memory-bandwidth-bound", "compute-bound", "memory-latency-bound", "dependency-bound"];

function sharesText(parts) {
  return parts.map(([label, text]) => `${label} ${text}`).join(", ");
}

/** The critical path of a run by what the verdict groups it into. */
function boundsBar(summary) {
  const tenths = tenthsOfPercent(BOUNDS.map((bound) => summary.verdict_shares[bound]));
  const present = BOUNDS.map((bound, index) => [bound, tenths[index]]).filter(([, part]) => part > 0);
  const label = `Critical path: ${sharesText(present.map(([bound, part]) => [LOOKS[bound].label, tenthsText(part)]))}`;
  return [
    makeBar(present.map(([bound, part]) => [bound, part / 1000]), label, "bar tall scale"),
    make("div", { class: "legend" },
      present.map(([bound, part]) => make("span", {}, swatch(bound), `${LOOKS[bound].label} ${tenthsText(part)}`))),
  ];
}

/** "hazard 45.1 %, DMA 20.0 % and dispatch 9.8 %" */
function largestCauses(run) {
  const tenths = tenthsOfPercent(run.attribution.map((part) => part.ps));
  const texts = run.attribution
    .map((part, index) => ({ label: part.label, tenths: tenths[index] }))
    .sort((a, b) => b.tenths - a.tenths)
    .slice(0, 3)
    .map((part) => `${part.label} ${tenthsText(part.tenths)}`);
  return texts.length > 1 ? `${texts.slice(0, -1).join(", ")} and ${texts[texts.length - 1]}` : texts.join("");
}

function verdictOf(run) {
  const { summary } = run;
  const parts = [
    make("p", { class: "bound" }, `${timeText(summary.time_ps)}, ${summary.verdict}`),
    make("p", { class: "sentence" }, summary.verdict_reason),
  ];
  if (run.attribution.length > 0)
    parts.push(make("p", { class: "sentence" },
      `Most of the time of ${summary.critical_pe}, which finished last, is ${largestCauses(run)}. ${whatIfSentence(run)}`));
  return [...parts, ...boundsBar(summary)];
}

function whatIfSentence(run) {
  const gains = run.what_if
    .filter((bound) => bound.at_least_ps > 0)
    .map((bound) => `with ${bound.label} at most ${grouped(run.summary.time_ps / bound.at_least_ps, 2)} x`);
  return gains.length > 0 ? `The same commands could run ${gains.join(", ")} as fast.` : "";
}

const COMPARED = [
  ["time", (run) => timeText(run.summary.time_ps)],
  ["speed-up", (run, first) => `${grouped(first.summary.time_ps / run.summary.time_ps, 2)} x`],
  ["dispatch cycles a tile", (run) => perTile(run, "cycles", 3)],
  ["commands a tile", (run) => perTile(run, "commands", 1)],
  ["bytes a tile", (run) => perTile(run, "logical_bytes", 1)],
  ["PE_CPU dispatching", (run) => utilisation(run, run.summary.total.cpu.dispatching_ps)],
  ["PE_CPU stalled on queue", (run) => utilisation(run, run.summary.total.cpu.queue_full_ps)],
  ["PE_CPU waiting on data", (run) => utilisation(run, run.summary.total.cpu.waiting_ps)],
  ...ENGINE_TRACKS.map((port) =>
    [`${LOOKS[port].label} busy`, (run) => utilisation(run, run.summary.total.engines[port].busy_ps)]),
  ["hazard wait", (run) => utilisation(run, run.summary.total.hazard_wait_ps)],
  ["verdict", (run) => run.summary.verdict],
];

function perTile(run, field, decimals) {
  const tile = run.summary.dispatch_per_tile;
  return tile ? grouped(tile[field], decimals) : "-";
}

/** `ps` of all PEs as a share of the run. */
function utilisation(run, ps) {
  const available = run.summary.total.pe_time_ps;
  return available > 0 ? percent(ps / available) : "-";
}

function comparison(runs) {
  return makeTable({
    head: ["", ...runs.map((run) => numberHead(run.kernel))],
    rows: COMPARED.map(([label, cell]) =>
      makeRow([label, ...runs.map((run) => number(cell(run, runs[0])))],
        label === "time" || label === "verdict" ? { class: "strong" } : {})),
  });
}

function showVerdict(report) {
  const { runs } = report;
  if (runs.length === 1) return byId("verdict").append(...verdictOf(runs[0]));
  byId("verdict").append(comparison(runs));
  for (const run of runs) byId("verdict").append(make("h3", {}, run.kernel), ...verdictOf(run));
}

/** The causes of all runs, in the order in which the program lists them. */
function causesOf(runs) {
  const labels = new Map();
  for (const run of runs) for (const part of run.attribution) labels.set(part.cause, part.label);
  const order = Object.keys(runs[0].summary.attribution);
  return order.map((name) => name.replace(/_ps$/, "")).filter((cause) => labels.has(cause))
    .map((cause) => [cause, labels.get(cause)]);
}

function attributedBar(run, longest) {
  const tenths = tenthsOfPercent(run.attribution.map((part) => part.ps));
  const label = `${run.kernel}: ${sharesText(run.attribution.map((part, i) => [part.label, tenthsText(tenths[i])]))}`;
  const bar = makeBar(run.attribution.map((part) => [part.cause, part.ps / run.summary.time_ps]), label, "bar tall");
  bar.style.width = `${(100 * run.summary.time_ps) / longest}%`;
  return bar;
}

/** A row a cause; under each run time, share, and the share as a bar. */
function attributionTable(runs) {
  const shares = runs.map((run) => {
    const tenths = tenthsOfPercent(run.attribution.map((part) => part.ps));
    return new Map(run.attribution.map((part, index) => [part.cause, [part.ps, tenths[index]]]));
  });
  const cells = (cause) => shares.flatMap((share) => {
    const [ps, tenths] = share.get(cause) ?? [0, 0];
    return [number(ps ? timeText(ps) : "-"), number(ps ? tenthsText(tenths) : "-"),
      makeBar([[cause, tenths / 1000]], tenthsText(tenths))];
  });
  const sums = runs.flatMap((run, index) => {
    const parts = [...shares[index].values()];
    return [number(timeText(parts.reduce((sum, [ps]) => sum + ps, 0))),
      number(tenthsText(parts.reduce((sum, [, tenths]) => sum + tenths, 0))), ""];
  });
  return makeTable({
    className: runs.length > 1 ? "wide" : "middle",
    head: ["cause", ...runs.flatMap((run) => [numberHead(runs.length > 1 ? run.kernel : "time"), numberHead("share"), ""])],
    rows: [
      ...causesOf(runs).map(([cause, label]) => makeRow([make("span", {}, swatch(cause), label), ...cells(cause)])),
      makeRow(["total", ...sums], { class: "strong" }),
    ],
  });
}

function whatIfTable(runs) {
  return makeTable({
    head: ["", ...runs.map((run) => (runs.length > 1 ? run.kernel : "the same commands"))],
    rows: runs[0].what_if.map((bound, index) => makeRow([
      bound.label,
      ...runs.map((run) => {
        const ps = run.what_if[index].at_least_ps;
        if (ps === 0) return "nothing else takes time";
        return `at least ${timeText(ps)}, at most ${grouped(run.summary.time_ps / ps, 2)} x as fast`;
      }),
    ])),
  });
}

function showAttribution(report) {
  const { runs } = report;
  const longest = Math.max(...runs.map((run) => run.summary.time_ps), 1);
  if (runs.every((run) => run.attribution.length === 0))
    return byId("attribution").append(make("p", {}, "No PE did any work to its end."));
  for (const run of runs) {
    if (runs.length > 1) byId("attribution").append(make("p", {}, `${run.kernel}, ${timeText(run.summary.time_ps)}`));
    byId("attribution").append(attributedBar(run, longest));
  }
  byId("attribution").append(attributionTable(runs));
  byId("what-if").append(whatIfTable(runs));
}
