// SPDX-License-Identifier: Apache-2.0
//
// What commands cost to issue, by kind, and within a kind by class.

/** Adds up rows of the data. */
function dispatchSum(rows) {
  const sum = { commands: 0, bytes: 0, fixed: 0, perByte: 0, ps: 0 };
  for (const row of rows) {
    sum.commands += row.commands;
    sum.bytes += row.commands * row.bytes;
    sum.fixed += row.fixed_cycles;
    sum.perByte += row.byte_cycles;
    sum.ps += row.ps;
  }
  return sum;
}

function dispatchRow(label, bytesEach, sum, all, attributes) {
  const cycles = sum.fixed + sum.perByte;
  const share = (part) => (all > 0 ? part / all : 0);
  return makeRow([
    label, number(bytesEach), number(grouped(sum.commands)), number(real(sum.fixed)), number(real(sum.perByte)),
    number(real(cycles)), number(percent(share(cycles))),
    makeBar([["fixed", share(sum.fixed)], ["bytes", share(sum.perByte)]],
      `FIXED ${percent(share(sum.fixed))}, bytes ${percent(share(sum.perByte))} of all dispatch cycles`),
    number(timeText(sum.ps)),
  ], attributes);
}

function classLabel(row) {
  const segment = row.segment ? `, segment ${row.segment}` : "";
  return (row.ops ? `${row.op} (${row.ops})` : row.op) + segment;
}

/** A kind's sum, and below it its classes, if there are several, dearest first. */
function kindRows(kind, rows, all) {
  const cost = (row) => row.fixed_cycles + row.byte_cycles;
  const classes = [...rows].sort((a, b) => cost(b) - cost(a));
  const heading = dispatchRow(kind, "", dispatchSum(rows), all, { class: "strong" });
  return [heading, ...classes.map((row) =>
    dispatchRow(classLabel(row), grouped(row.bytes), dispatchSum([row]), all, { class: "inner" }))];
}

function dispatchTable(run) {
  const total = dispatchSum(run.dispatch);
  const all = total.fixed + total.perByte;
  const kinds = [...new Set(run.dispatch.map((row) => row.kind))];
  return makeTable({
    className: "wide",
    head: ["command", numberHead("bytes each"), numberHead("commands"), numberHead("FIXED cycles"),
      numberHead("byte cycles"), numberHead("cycles"), numberHead("share"), "", numberHead("PE_CPU time")],
    rows: [
      ...kinds.flatMap((kind) => kindRows(kind, run.dispatch.filter((row) => row.kind === kind), all)),
      dispatchRow("all commands", "", total, all, { class: "strong" }),
    ],
  });
}

function costText(run) {
  const [{ fixed_cycles: fixed, cycles_per_byte: perByte }] = run.pes;
  const differs = run.pes.some((pe) => pe.fixed_cycles !== fixed || pe.cycles_per_byte !== perByte);
  const text = `FIXED ${real(fixed)} cycles, R ${perByte} cycles a byte`;
  return differs ? `${text} on ${run.summary.pes[0].name}; other PEs differ.` : `${text}.`;
}

function showDispatch(report) {
  const place = byId("dispatch");
  place.append(make("p", {}, costText(report.runs[0])), make("div", { class: "legend" }, makeLegend(["fixed", "bytes"])));
  for (const run of report.runs) {
    if (report.runs.length > 1) place.append(make("h3", {}, run.kernel));
    place.append(run.dispatch.length > 0 ? dispatchTable(run) : make("p", {}, "No command was issued."));
  }
}
