// SPDX-License-Identifier: Apache-2.0
//
// How many operations a run did for each byte its DMA moved, against what the PE's engine and its memory allow. Both
// axes are logarithmic. A rate of 0 stands for one that is not limited.

const ROOF = { left: 70, right: 740, top: 16, bottom: 290 };

/** One PE's place: operations (two a MAC), bytes, and how fast it did them. Giga-operations a second. */
function placeOf(run, index) {
  const pe = run.summary.pes[index];
  const operations = 2 * pe.macs;
  const bytes = pe.dma.read_bytes + pe.dma.write_bytes;
  return {
    run, pe, facts: run.pes[index], operations, bytes,
    intensity: bytes > 0 ? operations / bytes : Infinity,
    gops: run.summary.time_ps > 0 ? (operations * 1000) / run.summary.time_ps : 0,
  };
}

/** What an engine of `peak` Gop/s reaches at `intensity` operations a byte. */
function attainable(intensity, peak, gbPerS) {
  const byEngine = peak > 0 ? peak : Infinity;
  const byMemory = gbPerS > 0 ? intensity * gbPerS : Infinity;
  return Math.min(byEngine, byMemory);
}

class LogScale {
  constructor(low, high, from, to) {
    this.low = Math.floor(Math.log10(low));
    this.high = Math.max(Math.ceil(Math.log10(high)), this.low + 1);
    this.from = from;
    this.to = to;
  }
  at(value) {
    return this.from + ((Math.log10(value) - this.low) / (this.high - this.low)) * (this.to - this.from);
  }
  decades() {
    return Array.from({ length: this.high - this.low + 1 }, (_, index) => 10 ** (this.low + index));
  }
}

function roofScales(places, peaks, gbPerS) {
  const ridges = gbPerS > 0 ? peaks.map((peak) => peak.gops / gbPerS) : [];
  const across = [...places.map((place) => place.intensity), ...ridges];
  const up = [...places.map((place) => place.gops), ...peaks.map((peak) => peak.gops)];
  const x = new LogScale(Math.min(...across) / 2, Math.max(...across) * 4, ROOF.left, ROOF.right);
  const y = new LogScale(Math.min(...up) / 1.5, Math.max(...up) * 1.5, ROOF.bottom, ROOF.top);
  return { x, y };
}

function drawAxes(svg, { x, y }) {
  for (const value of x.decades())
    svg.append(
      makeSvg("line", { class: "grid", x1: x.at(value), x2: x.at(value), y1: ROOF.top, y2: ROOF.bottom }),
      makeSvg("text", { class: "soft", x: x.at(value), y: ROOF.bottom + 16, "text-anchor": "middle" }, real(value)));
  for (const value of y.decades())
    svg.append(
      makeSvg("line", { class: "grid", x1: ROOF.left, x2: ROOF.right, y1: y.at(value), y2: y.at(value) }),
      makeSvg("text", { class: "soft", x: ROOF.left - 6, y: y.at(value) + 4, "text-anchor": "end" }, real(value)));
  svg.append(
    makeSvg("text", { x: (ROOF.left + ROOF.right) / 2, y: ROOF.bottom + 36, "text-anchor": "middle" },
      "operations for each byte of DMA"),
    makeSvg("text", { x: 14, y: (ROOF.top + ROOF.bottom) / 2, "text-anchor": "middle",
      transform: `rotate(-90 14 ${(ROOF.top + ROOF.bottom) / 2})` }, "Gop/s"));
}

/** The slope of the memory up to the highest peak, and a line for each peak. */
function drawRoofs(svg, { x, y }, peaks, gbPerS) {
  const highest = peaks[0];
  const right = 10 ** x.high;
  for (const [index, peak] of peaks.entries()) {
    const from = gbPerS > 0 ? Math.max(peak.gops / gbPerS, 10 ** x.low) : 10 ** x.low;
    svg.append(
      makeSvg("line", { class: index === 0 ? "roof" : "roof lower", x1: x.at(from), x2: x.at(right), y1: y.at(peak.gops),
        y2: y.at(peak.gops) }),
      makeSvg("text", { x: x.at(right) - 4, y: y.at(peak.gops) - 5, "text-anchor": "end" },
        `${peak.label}: ${grouped(peak.gops)} Gop/s`));
  }
  if (!(gbPerS > 0)) return;
  const low = Math.max(10 ** x.low, 10 ** y.low / gbPerS);
  const ridge = highest.gops / gbPerS;
  svg.append(
    makeSvg("line", { class: "roof", x1: x.at(low), x2: x.at(ridge), y1: y.at(low * gbPerS), y2: y.at(highest.gops) }),
    makeSvg("text", { x: x.at(low) + 12, y: y.at(low * gbPerS) - 24 }, `${grouped(gbPerS)} GB/s`));
}

function drawPlaces(svg, { x, y }, places) {
  for (const [index, place] of places.entries()) {
    const [cx, cy] = [x.at(place.intensity), y.at(place.gops)];
    svg.append(
      makeSvg("circle", { class: "point", cx, cy, r: 6 },
        makeSvg("title", {}, `${place.run.kernel}: ${real(place.intensity)} op/byte, ${real(place.gops)} Gop/s`)),
      makeSvg("text", { x: cx + 10, y: cy + 4 + 14 * (index - (places.length - 1) / 2) * (places.length > 1 ? 1 : 0) },
        `${place.run.kernel}, ${place.pe.name}: ${real(place.gops)} Gop/s`));
  }
}

/** What a PE reached of each of its roofs. */
function rooflineTable(places, gbPerS) {
  const labels = [...new Set(places.flatMap((place) => place.facts.peaks.map((peak) => peak.label)))];
  const reached = (place, label) => {
    const peak = place.facts.peaks.find((one) => one.label === label);
    const roof = peak ? attainable(place.intensity, peak.gops, gbPerS) : Infinity;
    return Number.isFinite(roof) && roof > 0 ? `${percent(place.gops / roof)} of ${grouped(roof)}` : "no limit";
  };
  const rows = places.map((place) => makeRow([
    `${place.run.kernel}, ${place.pe.name}`, number(grouped(place.operations)), number(grouped(place.bytes)),
    number(Number.isFinite(place.intensity) ? real(place.intensity) : "no bytes"), number(real(place.gops)),
    ...labels.map((label) => number(reached(place, label))),
  ]));
  return makeTable({
    head: ["", numberHead("operations"), numberHead("bytes of DMA"), numberHead("op/byte"), numberHead("Gop/s"),
      ...labels.map((label) => numberHead(`reached, ${label}`))],
    rows,
  });
}

function rooflineNote(report, peaks) {
  const { memory } = report;
  const texts = ["An operation is half a MAC; MATH is not counted. The point is the PE that finished last."];
  if (memory === null) texts.push("The configuration does not describe the memory, so there is no slope.");
  else if (memory.gb_per_s === 0) texts.push("The memory's bandwidth is not limited, so there is no slope.");
  else if (memory.is_shared) texts.push("The memory is shared by all PEs: the slope is what one PE has if the others do not use it.");
  if (peaks.length === 0) texts.push("No rate of the GEMM engine limits this PE, so there is no roof.");
  return texts.join(" ");
}

/** The PE that the verdict is about; the first if none finished. */
function lastPe(run) {
  return Math.max(0, run.summary.pes.findIndex((pe) => pe.name === run.summary.critical_pe));
}

function showRoofline(report) {
  const places = report.runs.map((run) => placeOf(run, lastPe(run)));
  const gbPerS = report.memory ? report.memory.gb_per_s : 0;
  const peaks = places[0].facts.peaks.filter((peak) => peak.gops > 0);
  const drawn = places.filter((place) => place.gops > 0 && Number.isFinite(place.intensity));
  byId("roofline-note").append(rooflineNote(report, peaks));
  byId("roofline-table").append(rooflineTable(places, gbPerS));
  if (drawn.length === 0 || peaks.length === 0) return byId("roofline").remove();
  const scales = roofScales(drawn, peaks, gbPerS);
  drawAxes(byId("roofline"), scales);
  drawRoofs(byId("roofline"), scales, peaks, gbPerS);
  drawPlaces(byId("roofline"), scales, drawn);
}
