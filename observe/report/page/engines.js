// SPDX-License-Identifier: Apache-2.0
//
// What PE_CPU, the queue's head and each engine of each PE did with the run's time.

const PES_AT_FIRST = 64;

/** Parts [kind, ps] of `time` as a bar with the first part's share beside it. */
function timeCell(parts, time, name, text) {
  const told = parts.filter(([, ps]) => ps > 0).map(([kind, ps]) => [LOOKS[kind].label, percent(ps / time)]);
  const label = `${name}: ${told.length > 0 ? sharesText(told) : "nothing"}`;
  return make("td", {}, makeBar(parts.map(([kind, ps]) => [kind, ps / time]), label),
    make("div", { class: "cell-text" }, text));
}

/** `totals`: as a PE of the summary has them; `time`: that they are a share of; `inFlight`: with commands. */
function cellsOf(name, totals, time, inFlight) {
  const cpu = CPU_TRACKS.map((state) => [state, totals.cpu[`${state}_ps`]]);
  const head = HEAD_TRACKS.map((reason) => [reason, totals.head_waits[`${reason}_ps`]]);
  const held = head.reduce((sum, [, ps]) => sum + ps, 0);
  const cells = [
    timeCell(cpu, time, `PE_CPU of ${name}`, `${percent(cpu[0][1] / time)} ${LOOKS.dispatching.label}`),
    timeCell(head, time, `Queue's head of ${name}`, `${percent(held / time)} held`),
  ];
  for (const port of ENGINE_TRACKS) {
    const busy = totals.engines[port].busy_ps;
    const stalled = totals.engines[port].stages > 0 ? inFlight - busy : 0;
    cells.push(timeCell([[port, busy], ["stalled", stalled]], time, `${LOOKS[port].label} of ${name}`,
      percent(busy / time)));
  }
  return cells;
}

function peRow(run, index) {
  const pe = run.summary.pes[index];
  const finished = pe.finished_ps === null ? "never" : timeText(pe.finished_ps);
  return makeRow([pe.name, number(finished),
    ...cellsOf(pe.name, pe, run.summary.time_ps, run.pes[index].in_flight_ps)]);
}

function enginesTable(run) {
  const { summary } = run;
  const inFlight = run.pes.reduce((sum, pe) => sum + pe.in_flight_ps, 0);
  const rows = [];
  if (summary.pes.length > 1)
    rows.push(makeRow([`all ${summary.pes.length} PEs`, number(""),
      ...cellsOf("all PEs", summary.total, summary.total.pe_time_ps, inFlight)], { class: "strong" }));
  for (let pe = 0; pe < Math.min(summary.pes.length, PES_AT_FIRST); ++pe) rows.push(peRow(run, pe));
  return makeTable({
    className: "wide",
    head: ["PE", numberHead("finished"), "PE_CPU", "queue's head", ...ENGINE_TRACKS.map((port) => LOOKS[port].label)],
    rows,
  });
}

/** A button that appends the rows of the PEs that are not shown. */
function morePesButton(run, table) {
  const more = run.summary.pes.length - PES_AT_FIRST;
  const button = make("button", { type: "button" }, `Show ${grouped(more)} more PEs`);
  button.addEventListener("click", () => {
    for (let pe = PES_AT_FIRST; pe < run.summary.pes.length; ++pe) table.tBodies[0].append(peRow(run, pe));
    button.remove();
  });
  return button;
}

function movedText(total) {
  return `${grouped(total.dma.read_bytes)} bytes read and ${grouped(total.dma.write_bytes)} bytes written by DMA, ` +
    `${grouped(total.macs)} MACs.`;
}

function showEngines(report) {
  const place = byId("engines");
  place.append(make("div", { class: "legend" }, makeLegend([...CPU_TRACKS, ...HEAD_TRACKS, ...ENGINE_TRACKS, "stalled"])));
  for (const run of report.runs) {
    if (report.runs.length > 1) place.append(make("h3", {}, run.kernel));
    if (run.summary.time_ps === 0) {
      place.append(make("p", {}, "The run took no time."));
      continue;
    }
    const table = enginesTable(run);
    place.append(table);
    if (run.summary.pes.length > PES_AT_FIRST) place.append(morePesButton(run, table));
    place.append(make("p", {}, movedText(run.summary.total)));
  }
}
