// SPDX-License-Identifier: Apache-2.0
//
// The events of the timeline, decoded from what petal/report/timeline_json.hpp describes, with the sums that drawing
// needs: whatever the zoom, a column costs two binary searches.

class ByteReader {
  constructor(base64) {
    this.bytes = atob(base64);
    this.place = 0;
  }

  /** Multiplies, because a time has more than 32 bits. */
  unsigned() {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.bytes.charCodeAt(this.place++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  signed() {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/** The first index in [0, count) for which `isAfter(index)` holds, or `count`. It holds for all after it. */
function lowerBound(count, isAfter) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Running sums of the bins of one track, inside a gap. */
class BinSums {
  constructor(gap, base64) {
    const count = Math.round((gap.to_ps - gap.from_ps) / gap.bin_ps);
    const reader = new ByteReader(base64);
    this.gap = gap;
    this.time = new Float64Array(count + 1);
    this.spans = new Float64Array(count + 1);
    for (let bin = 0; bin < count; ++bin) {
      this.time[bin + 1] = this.time[bin] + reader.unsigned();
      this.spans[bin + 1] = this.spans[bin] + reader.unsigned();
    }
  }

  /** The sum from the gap's begin until `time`; inside a bin in proportion. */
  until(sums, time) {
    const place = (time - this.gap.from_ps) / this.gap.bin_ps;
    const bin = Math.min(Math.floor(place), sums.length - 2);
    return sums[bin] + (place - bin) * (sums[bin + 1] - sums[bin]);
  }
}

/** The events of one track, which do not overlap, in the order of time. */
class SpanTrack {
  /** `layout`: what follows the common fields of an event: "dma", "stage", "command" or "head". */
  constructor(name, layout, encoded, gap) {
    this.name = name;
    this.count = encoded ? encoded.count : 0;
    for (const field of ["start", "busyEnd", "end"]) this[field] = new Float64Array(this.count);
    for (const field of ["command", "form"]) this[field] = new Uint32Array(this.count);
    if (layout === "dma" || layout === "stage") this.tiles = new Float64Array(3 * this.count);
    if (layout === "head") this.waitsOn = [];
    if (encoded) this.decode(new ByteReader(encoded.data), layout);
    this.busyBefore = new Float64Array(this.count + 1);
    for (let index = 0; index < this.count; ++index)
      this.busyBefore[index + 1] = this.busyBefore[index] + this.busyEnd[index] - this.start[index];
    this.gap = gap;
    this.bins = gap ? new BinSums(gap, gap.tracks[name]) : null;
  }

  decode(reader, layout) {
    let time = 0;
    let command = 0;
    for (let index = 0; index < this.count; ++index) {
      this.start[index] = time + reader.signed();
      time = this.busyEnd[index] = this.start[index] + reader.unsigned();
      this.end[index] = time + (layout === "dma" ? reader.unsigned() : 0);
      command = this.command[index] = command + reader.signed();
      this.form[index] = reader.unsigned();
      if (this.tiles) this.decodeTile(reader, index);
      if (this.waitsOn) this.decodeWaits(reader, command);
    }
  }

  /** m is -1 for a stage without a tile. */
  decodeTile(reader, index) {
    const m = reader.unsigned() - 1;
    this.tiles[3 * index] = m;
    if (m < 0) return;
    this.tiles[3 * index + 1] = reader.unsigned();
    this.tiles[3 * index + 2] = reader.unsigned();
  }

  decodeWaits(reader, command) {
    const commands = [];
    for (let left = reader.unsigned(); left > 0; --left) commands.push(command - reader.signed());
    this.waitsOn.push(commands);
  }

  /** Index of the first event that is busy after `time`. */
  firstAfter(time) {
    return lowerBound(this.count, (index) => this.busyEnd[index] > time);
  }

  /** Index of the first event that starts at or after `time`. */
  firstFrom(time) {
    return lowerBound(this.count, (index) => this.start[index] >= time);
  }

  /** Time spent until `time`, of the events that are known one by one. */
  spansUntil(time) {
    const index = this.firstAfter(time);
    const part = index < this.count ? Math.max(0, time - this.start[index]) : 0;
    return this.busyBefore[index] + part;
  }

  /** A sum until `time` over known events and bins. */
  until(time, known, sums) {
    if (!this.gap || time <= this.gap.from_ps) return known(time);
    const before = known(this.gap.from_ps);
    if (time < this.gap.to_ps) return before + this.bins.until(sums, time);
    return before + sums[sums.length - 1] + known(time) - known(this.gap.to_ps);
  }

  /** Time spent until `time`, all events. */
  busyUntil(time) {
    return this.until(time, (until) => this.spansUntil(until), this.bins ? this.bins.time : null);
  }

  /** Time spent in [from, to). */
  busyIn(from, to) {
    return this.busyUntil(to) - this.busyUntil(from);
  }

  /** Events that start in [from, to). In a gap about as many. */
  startsIn(from, to) {
    const started = (time) =>
      this.until(time, (until) => this.firstFrom(until), this.bins ? this.bins.spans : null);
    return Math.round(started(to) - started(from));
  }

  /** Whether [from, to) reaches into the part of which only sums are known. */
  meetsGap(from, to) {
    return this.gap !== null && from < this.gap.to_ps && to > this.gap.from_ps;
  }
}

/** A level that holds from each step to the next. */
class LevelTrack {
  constructor(name, encoded, gap) {
    this.name = name;
    this.count = encoded.count;
    this.at = new Float64Array(this.count);
    this.level = new Float64Array(this.count);
    this.entries = name === "queue_bytes" ? new Uint32Array(this.count) : null;
    const reader = new ByteReader(encoded.data);
    let time = 0;
    for (let index = 0; index < this.count; ++index) {
      time = this.at[index] = time + reader.unsigned();
      this.level[index] = reader.unsigned();
      if (this.entries) this.entries[index] = reader.unsigned();
    }
    this.gap = gap;
    this.peaks = gap ? LevelTrack.decodePeaks(gap, gap[name]) : null;
  }

  static decodePeaks(gap, base64) {
    const peaks = new Float64Array(Math.round((gap.to_ps - gap.from_ps) / gap.bin_ps));
    const reader = new ByteReader(base64);
    return peaks.map(() => reader.unsigned());
  }

  /** Index of the step that holds at `time`, or -1. */
  indexAt(time) {
    return lowerBound(this.count, (index) => this.at[index] > time) - 1;
  }

  inGap(time) {
    return this.gap !== null && time >= this.gap.from_ps && time < this.gap.to_ps;
  }

  /** The highest level in [from, to). */
  peakIn(from, to) {
    let peak = 0;
    if (this.gap && from < this.gap.to_ps && to > this.gap.from_ps) {
      const first = Math.max(0, Math.floor((from - this.gap.from_ps) / this.gap.bin_ps));
      const last = Math.min(this.peaks.length, Math.ceil((to - this.gap.from_ps) / this.gap.bin_ps));
      for (let bin = first; bin < last; ++bin) peak = Math.max(peak, this.peaks[bin]);
    }
    if (!this.inGap(from)) {
      const index = this.indexAt(from);
      if (index >= 0) peak = Math.max(peak, this.level[index]);
    }
    for (let index = this.indexAt(from) + 1; index < this.count && this.at[index] < to; ++index)
      peak = Math.max(peak, this.level[index]);
    return peak;
  }
}

const LAYOUTS = {
  dispatching: "command", queue_full: "command", waiting: "command", overhead: "command",
  hazard: "head", window: "head", segment: "head",
  dma_read: "dma", dma_write: "dma", fetch: "stage", store: "stage", gemm: "stage", math: "stage",
};
const ENGINE_TRACKS = ["dma_read", "dma_write", "fetch", "store", "gemm", "math"];
const CPU_TRACKS = ["dispatching", "queue_full", "waiting", "overhead"];
const HEAD_TRACKS = ["hazard", "window", "segment"];

/** One PE's part of a run's timeline. Tracks are decoded when they are first asked for. */
class PeData {
  constructor(run, index) {
    this.run = run;
    this.index = index;
    this.name = run.summary.pes[index].name;
    this.facts = run.pes[index];
    this.encoded = run.timeline.pes[index];
    this.gap = this.encoded.gap ?? null;
    this.decoded = new Map();
  }

  track(name) {
    if (!this.decoded.has(name))
      this.decoded.set(name, new SpanTrack(name, LAYOUTS[name], this.encoded.tracks[name], this.gap));
    return this.decoded.get(name);
  }

  level(name) {
    if (!this.decoded.has(name)) this.decoded.set(name, new LevelTrack(name, this.encoded[name], this.gap));
    return this.decoded.get(name);
  }

  /** The class of command `id`, as its dispatch names it, or null. */
  commandClass(id) {
    if (!this.classes) {
      const track = this.track("dispatching");
      this.classes = new Map();
      for (let index = 0; index < track.count; ++index) this.classes.set(track.command[index], track.form[index]);
    }
    const form = this.classes.get(id);
    return form ? this.run.timeline.commands[form - 1] : null;
  }
}
