// SPDX-License-Identifier: Apache-2.0
//
// What the page says about events of the timeline. Each function returns elements.

function describe(title, facts) {
  const rows = facts.filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value)));
  return [make("div", { class: "event" },
    make("div", { class: "event-title" }, title), make("table", {}, make("tbody", {}, rows)))];
}

function count(value, unit) {
  return value ? `${grouped(value)}${unit}` : null;
}

/** Where row and run say who did it. */
function whoText(row) {
  return row.run.kernel ? `${row.pe.name}, ${row.run.kernel}` : row.pe.name;
}

function timeFacts(track, index) {
  const [start, busyEnd, end] = [track.start[index], track.busyEnd[index], track.end[index]];
  return [
    ["start", exactTime(start)],
    ["port free", end > busyEnd ? exactTime(busyEnd) : null],
    ["end", exactTime(end)],
    ["duration", end > busyEnd ? `${exactTime(busyEnd - start)}, then ${exactTime(end - busyEnd)} of latency`
      : exactTime(end - start)],
  ];
}

function tileText(track, index) {
  const [m, n, k] = track.tiles.subarray(3 * index, 3 * index + 3);
  return m < 0 ? null : `m ${m}, n ${n}, k ${k}`;
}

function commandFact(row, id) {
  const command = id > 0 ? row.pe.commandClass(id) : null;
  return id > 0 ? `#${id}${command ? ` ${commandText(command)}` : ""}` : null;
}

function describeEvent(row, track, index) {
  return track.tiles ? describeStage(row, track, index) : describeSpan(row, track, index);
}

function describeStage(row, track, index) {
  const form = row.run.timeline.stages[track.form[index]];
  return describe(`${LOOKS[track.name].label}: ${form.op}`, [
    ["PE", whoText(row)],
    ["command", commandFact(row, track.command[index])],
    ["op", `${form.op}, number ${form.op_index ?? 0} of its command`],
    ["segment", form.segment ?? null],
    ["tile", tileText(track, index)],
    ["bytes", count(form.bytes, "")],
    ["elements", count(form.elements, "")],
    ["MACs", count(form.macs, "")],
    ...timeFacts(track, index),
  ]);
}

/** What PE_CPU does, or a wait at the queue's head. */
function describeSpan(row, track, index) {
  const form = track.form[index];
  const command = form > 0 ? row.run.timeline.commands[form - 1] : null;
  const { fixed_cycles: fixed, cycles_per_byte: perByte } = row.pe.facts;
  const isDispatch = track.name === "dispatching" && command;
  return describe(`${row.lane.label}: ${LOOKS[track.name].label}`, [
    ["PE", whoText(row)],
    ["command", command ? `${track.command[index] > 0 ? `#${track.command[index]} ` : ""}${commandText(command)}` : null],
    ["cost", isDispatch ? `${real(fixed)} + ${command.bytes} x ${perByte} = ${real(fixed + command.bytes * perByte)} cycles` : null],
    ["waits for", track.waitsOn ? track.waitsOn[index].map((id) => `#${id}`).join(", ") : null],
    ...timeFacts(track, index),
  ]);
}

function describeSeveral(row, { track, count: events, from, to }) {
  return describe(`${LOOKS[track.name].label}: ${grouped(events)} events`, [
    ["PE", whoText(row)],
    ["between", `${timeText(Math.max(from, 0))} and ${timeText(to)}`],
    ["share of the time", percent(track.busyIn(Math.max(from, 0), to) / (to - Math.max(from, 0)))],
    ["", track.meetsGap(from, to) ? "only sums are in this file" : "zoom in to see them one by one"],
  ]);
}

function describeLevel(row, from, to) {
  const { level } = row;
  const index = level.indexAt(from);
  const entries = level.entries && index >= 0 && !level.inGap(from) ? `${level.entries[index]} commands` : null;
  return describe(row.lane.label, [
    ["PE", whoText(row)],
    [LOOKS[level.name].label, `${grouped(level.peakIn(from, to))} of ${grouped(TimelineRows.ceiling(row))}`],
    ["entries", entries],
    ["at", timeText(from)],
  ]);
}

/** A closed PE: how busy each port is there. */
function describePorts(row, from, to) {
  const begin = Math.max(from, 0);
  return describe(`${row.pe.name}: engines`, [
    ["between", `${timeText(begin)} and ${timeText(to)}`],
    ...ENGINE_TRACKS.map((name) => [LOOKS[name].label, percent(row.pe.track(name).busyIn(begin, to) / (to - begin))]),
  ]);
}

/** From the dispatch of a command to its last stage, as far as its events are there. */
function describeCommand(row, command) {
  if (command === 0) return [];
  const facts = [];
  for (const name of [...CPU_TRACKS, ...HEAD_TRACKS, ...ENGINE_TRACKS]) {
    const { events, busy, from, to } = sumOfCommand(row.pe.track(name), command);
    if (events > 0)
      facts.push([LOOKS[name].label,
        `${events > 1 ? `${grouped(events)} events, ` : ""}${exactTime(busy)}, from ${exactTime(from)} to ${exactTime(to)}`]);
  }
  return describe(`All of command #${command}`, facts);
}

function sumOfCommand(track, command) {
  const sum = { events: 0, busy: 0, from: Infinity, to: 0 };
  for (let index = track.command.indexOf(command); index >= 0; index = track.command.indexOf(command, index + 1)) {
    sum.events += 1;
    sum.busy += track.busyEnd[index] - track.start[index];
    sum.from = Math.min(sum.from, track.start[index]);
    sum.to = Math.max(sum.to, track.end[index]);
  }
  return sum;
}
