// SPDX-License-Identifier: Apache-2.0
//
// The rows of the timeline: of each run a heading (if there are several), of each PE a row that opens into lanes.

const ROW_HEIGHTS = { run: 24, pe: 22, spans: 19, level: 27 };

const LANES = [
  { label: "PE_CPU", tracks: CPU_TRACKS },
  { label: "command queue", level: "queue_bytes" },
  { label: "queue's head", tracks: HEAD_TRACKS },
  { label: "in flight", level: "in_flight" },
  ...ENGINE_TRACKS.map((port) => ({ label: LOOKS[port].label, tracks: [port] })),
];

class TimelineRows {
  constructor(report) {
    this.report = report;
    this.pes = new Map(report.runs.map((run) => [run, run.summary.pes.map((_, index) => new PeData(run, index))]));
    this.show("last");
  }

  /** "last": the PE that finished last, open. "rows": all, closed, but for that one. "all": all, open. */
  show(mode) {
    this.open = new Set();
    this.hidden = new Set();
    for (const [run, pes] of this.pes) {
      const last = lastPe(run);
      pes.forEach((pe, index) => {
        if (mode === "all" || index === last) this.open.add(pe);
        if (mode === "last" && index !== last) this.hidden.add(pe);
      });
    }
    this.arrange();
  }

  toggle(pe) {
    if (!this.open.delete(pe)) this.open.add(pe);
    this.arrange();
  }

  reveal(pe) {
    this.hidden.delete(pe);
    this.open.add(pe);
    this.arrange();
  }

  /** Lists the rows with their places from the top. */
  arrange() {
    this.rows = [];
    this.height = 0;
    for (const [run, pes] of this.pes) {
      if (this.report.runs.length > 1) this.append({ type: "run", run });
      for (const pe of pes) {
        if (this.hidden.has(pe)) continue;
        this.append({ type: "pe", run, pe, isOpen: this.open.has(pe) });
        if (this.open.has(pe)) this.appendLanes(run, pe);
      }
    }
  }

  appendLanes(run, pe) {
    for (const lane of LANES) {
      if (lane.level) this.append({ type: "level", run, pe, lane, level: pe.level(lane.level) });
      else this.append({ type: "spans", run, pe, lane, tracks: lane.tracks.map((name) => pe.track(name)) });
    }
  }

  append(row) {
    row.top = this.height;
    row.height = ROW_HEIGHTS[row.type];
    this.height += row.height;
    this.rows.push(row);
  }

  /** The row at `y` from the top of all rows, or null. */
  at(y) {
    const index = lowerBound(this.rows.length, (place) => this.rows[place].top + this.rows[place].height > y);
    return y >= 0 && index < this.rows.length ? this.rows[index] : null;
  }

  /** What a level lane is drawn against: the most it may reach. */
  static ceiling(row) {
    return row.lane.level === "queue_bytes" ? row.pe.facts.queue_bytes : row.pe.facts.max_in_flight;
  }
}
