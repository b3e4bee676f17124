// SPDX-License-Identifier: Apache-2.0
//
// What each kind of event, and each cause, looks like: a hue, and a pattern where several share one.

/** hue: a custom property of report.css. ink: that of text on it; none for patterns, which hide text. */
function look(label, hue, pattern = "solid", ink = pattern === "solid" ? "--on-light" : null) {
  return { label, hue, pattern, ink };
}

const LOOKS = {
  // PE_CPU
  dispatching: look("dispatching", "--orange"),
  queue_full: look("stalled on queue", "--grey", "diagonal"),
  waiting: look("waiting on data", "--grey", "dots"),
  overhead: look("kernel cycles", "--dark", "solid", null),
  // The queue's head
  hazard: look("hazard", "--grey", "cross"),
  window: look("window full", "--grey", "vertical"),
  segment: look("segment order", "--grey", "horizontal"),
  // Engine ports
  dma_read: look("DMA read", "--blue", "solid", "--on-blue"),
  dma_write: look("DMA write", "--blue", "diagonal"),
  fetch: look("FETCH", "--green"),
  store: look("STORE", "--green", "diagonal"),
  gemm: look("GEMM", "--vermillion"),
  math: look("MATH", "--purple"),
  // Levels
  queue_bytes: look("bytes in the command queue", "--sky"),
  in_flight: look("commands in flight", "--yellow"),
  // Causes that are none of these
  dispatch: look("dispatch", "--orange"),
  kernel_cycles: look("kernel cycles", "--dark"),
  kernel_wait: look("kernel waits", "--grey", "dots"),
  host: look("host", "--paper", "dots"),
  plan: look("planning", "--yellow"),
  staging_slot: look("staging slot", "--sky", "cross"),
  dma: look("DMA", "--blue"),
  dma_latency: look("memory latency", "--sky", "dots"),
  fetch_store: look("FETCH and STORE", "--green"),
  // Verdicts
  "dispatch-bound": look("dispatch", "--orange"),
  "memory-bandwidth-bound": look("memory bandwidth", "--blue"),
  "compute-bound": look("compute", "--vermillion"),
  "memory-latency-bound": look("memory latency", "--sky", "dots"),
  "dependency-bound": look("dependency", "--grey", "cross"),
  // Parts
  fixed: look("FIXED", "--orange"),
  bytes: look("bytes x R", "--orange", "diagonal"),
  stalled: look("stalled", "--grey", "dots"),
};

/** Gives `target` the look of `kind`. */
function applyLook(target, kind) {
  const { hue, pattern } = LOOKS[kind];
  target.classList.add("fill");
  if (pattern !== "solid") target.classList.add(pattern);
  target.style.setProperty("--fill", `var(${hue})`);
  return target;
}

/** Draws one period of a pattern, `size` pixels wide and high. */
const PATTERN_MARKS = {
  diagonal: (context, size) => {
    context.moveTo(-1, 1), context.lineTo(1, -1);
    context.moveTo(0, size), context.lineTo(size, 0);
    context.moveTo(size - 1, size + 1), context.lineTo(size + 1, size - 1);
  },
  cross: (context, size) => {
    PATTERN_MARKS.diagonal(context, size);
    context.moveTo(0, 0), context.lineTo(size, size);
  },
  vertical: (context, size) => {
    context.moveTo(size / 2, 0), context.lineTo(size / 2, size);
  },
  horizontal: (context, size) => {
    context.moveTo(0, size / 2), context.lineTo(size, size / 2);
  },
  dots: (context, size) => {
    context.rect(size / 2 - 0.6, size / 2 - 0.6, 1.2, 1.2);
  },
};

/** The looks as canvas fills, for the colours the page has at the moment. */
class CanvasPalette {
  constructor() {
    this.style = getComputedStyle(document.documentElement);
    this.fills = new Map();
  }

  /** The value of a custom property, such as "--ink". */
  colour(name) {
    if (!this.fills.has(name)) this.fills.set(name, this.style.getPropertyValue(name).trim());
    return this.fills.get(name);
  }

  fill(context, kind) {
    const { hue, pattern } = LOOKS[kind];
    if (pattern === "solid") return this.colour(hue);
    if (!this.fills.has(kind)) this.fills.set(kind, this.pattern(context, hue, pattern));
    return this.fills.get(kind);
  }

  pattern(context, hue, pattern) {
    const size = pattern === "cross" || pattern === "diagonal" ? 6 : 4;
    const tile = document.createElement("canvas");
    tile.width = tile.height = size;
    const marks = tile.getContext("2d");
    marks.fillStyle = this.colour(hue);
    marks.fillRect(0, 0, size, size);
    marks.strokeStyle = this.colour("--mark");
    marks.lineWidth = 1;
    marks.beginPath();
    PATTERN_MARKS[pattern](marks, size);
    marks.stroke();
    return context.createPattern(tile, "repeat");
  }
}
