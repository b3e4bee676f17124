// SPDX-License-Identifier: Apache-2.0
//
// The timeline: what it shows, what is under a point, what is selected.

const HIT_PIXELS = 3;

class Timeline {
  constructor(report) {
    this.canvas = byId("timeline");
    this.scroller = byId("timeline-scroller");
    this.rows = new TimelineRows(report);
    this.view = new TimelineView(Math.max(...report.runs.map((run) => run.summary.time_ps)));
    this.painter = new TimelinePainter(this.canvas, this.rows, this.view);
    this.cursor = null;
    this.selected = null;
    this.isDrawRequested = false;
    this.fit();
    byId("legend").append(...makeLegend([...CPU_TRACKS, "queue_bytes", ...HEAD_TRACKS, "in_flight", ...ENGINE_TRACKS]));
    this.tellGap();
  }

  // --- Size and drawing ---

  /** Takes over the width of the page and the height of the rows. */
  fit() {
    const wanted = this.rows.height + AXIS_HEIGHT;
    const height = Math.min(wanted, Math.max(260, Math.floor(window.innerHeight * 0.72) - 2));
    byId("timeline-spacer").style.height = `${wanted - height}px`;
    this.painter.resize(this.scroller.clientWidth, height);
    this.drawNow();
  }

  requestDraw() {
    if (this.isDrawRequested) return;
    this.isDrawRequested = true;
    requestAnimationFrame(() => {
      this.isDrawRequested = false;
      this.drawNow();
    });
  }

  drawNow() {
    this.painter.draw(this.scroller.scrollTop, { cursor: this.cursor, selected: this.selected });
    const { from, to, total } = this.view;
    this.canvas.dataset.from = from;
    this.canvas.dataset.to = to;
    byId("timeline-range").textContent =
      `${exactTime(Math.round(from))} to ${exactTime(Math.round(to))}, ${percent((to - from) / total)} of ${timeText(total)}`;
  }

  changeView(change) {
    change(this.view);
    this.hideTooltip();
    this.requestDraw();
  }

  /** With other colours: the scheme has changed, or the page is being printed. */
  recolour() {
    this.painter.renewPalette();
    this.drawNow();
  }

  /** Says which part of the run is there as sums alone. */
  tellGap() {
    const texts = [];
    for (const [run, pes] of this.rows.pes)
      for (const pe of pes)
        if (pe.gap && (pes.length <= 8 || this.rows.open.has(pe)))
          texts.push(`${run.kernel}, ${pe.name}: ${exactTime(pe.gap.from_ps)} to ${exactTime(pe.gap.to_ps)} ` +
            `(${grouped(pe.gap.stages)} stages and ${grouped(pe.gap.command_spans)} events of commands left out)`);
    if (texts.length === 0) return;
    byId("timeline-gap").hidden = false;
    byId("timeline-gap").textContent =
      `To keep the file small, events in the middle of this run are summed up in ${timeText(this.firstGap().bin_ps)} ` +
      `bins; the sums are exact. ${texts.join(". ")}. An op_log has every event.`;
  }

  firstGap() {
    for (const pes of this.rows.pes.values()) for (const pe of pes) if (pe.gap) return pe.gap;
    return null;
  }

  // --- Events under a point ---

  rowAt(y) {
    return y < AXIS_HEIGHT ? null : this.rows.at(y - AXIS_HEIGHT + this.scroller.scrollTop);
  }

  /** What is at a pixel of `row`: {track, index} for one event, {track, count, from, to} for several, or null. */
  eventAt(row, x) {
    if (!row || row.type !== "spans" || x < LABEL_WIDTH) return null;
    const [from, to] = [this.view.time(x - HIT_PIXELS), this.view.time(x + HIT_PIXELS)];
    let several = null;
    for (const track of row.tracks) {
      const time = this.view.time(x);
      const index = track.firstAfter(time);
      const isThere = index < track.count && track.start[index] <= time;
      if (isThere && this.widthOf(track, index) >= 2 * HIT_PIXELS) return { track, index };
      const first = track.firstAfter(from);
      const count = track.firstFrom(to) - first;
      if (track.meetsGap(from, to)) several = { track, count: track.startsIn(from, to), from, to };
      else if (count === 1 && !several) several = { track, index: first };
      else if (count > 1) several = { track, count, from, to };
    }
    return several;
  }

  widthOf(track, index) {
    return (track.busyEnd[index] - track.start[index]) / this.view.timeOfPixel();
  }

  // --- Telling about events ---

  tell(row, x, clientX, clientY) {
    const content = this.contentAt(row, x);
    if (!content) return this.hideTooltip();
    const tooltip = byId("tooltip");
    tooltip.replaceChildren(...content);
    tooltip.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = tooltip;
    const left = clientX + 16 + width < window.innerWidth ? clientX + 16 : clientX - 16 - width;
    const top = clientY + 18 + height < window.innerHeight ? clientY + 18 : clientY - 18 - height;
    tooltip.style.left = `${Math.max(0, left)}px`;
    tooltip.style.top = `${Math.max(0, top)}px`;
  }

  hideTooltip() {
    byId("tooltip").hidden = true;
  }

  contentAt(row, x) {
    if (!row || x < LABEL_WIDTH || this.view.time(x) >= row.run.summary.time_ps) return null;
    if (row.type === "level") return describeLevel(row, this.view.time(x), this.view.time(x + 1));
    if (row.type === "pe" && !row.isOpen) return describePorts(row, this.view.time(x - 1), this.view.time(x + 1));
    const event = this.eventAt(row, x);
    if (!event) return null;
    return event.index === undefined ? describeSeveral(row, event) : describeEvent(row, event.track, event.index);
  }

  // --- Selection ---

  select(row, track, index) {
    this.selected = { pe: row.pe, track, index, command: track.command[index] };
    byId("details").replaceChildren(...describeEvent(row, track, index), ...describeCommand(row, this.selected.command));
    this.requestDraw();
  }

  clearSelection() {
    this.selected = null;
    byId("details").replaceChildren();
    this.requestDraw();
  }

  /** The next or the previous event of the row with the cursor. `by` is 1 or -1. */
  step(by) {
    const row = this.cursor;
    if (!row || row.type !== "spans") return;
    const starts = row.tracks.flatMap((track) => {
      const index = this.neighbour(row, track, by);
      return index >= 0 && index < track.count ? [{ track, index, start: track.start[index] }] : [];
    });
    if (starts.length === 0) return;
    const next = starts.reduce((best, one) => ((one.start - best.start) * by < 0 ? one : best));
    this.select(row, next.track, next.index);
    this.bringIntoSight(next.track.start[next.index], next.track.busyEnd[next.index]);
  }

  neighbour(row, track, by) {
    const { selected } = this;
    if (selected && selected.pe === row.pe && row.tracks.includes(selected.track)) {
      const at = selected.track.start[selected.index];
      if (selected.track === track) return selected.index + by;
      return by > 0 ? track.firstFrom(at + 1) : track.firstFrom(at) - 1;
    }
    return by > 0 ? track.firstFrom(this.view.from) : track.firstFrom(this.view.to) - 1;
  }

  bringIntoSight(from, to) {
    if (from >= this.view.from && to <= this.view.to) return;
    const span = Math.max(this.view.to - this.view.from, 2 * (to - from));
    this.changeView((view) => view.set((from + to - span) / 2, span));
  }

  zoomToSelected() {
    if (!this.selected) return;
    const { track, index } = this.selected;
    const [from, to] = [track.start[index], track.busyEnd[index]];
    this.changeView((view) => view.set(from - 2 * (to - from), Math.max(5 * (to - from), 100)));
  }

  /** Moves to a command's wait, or any piece of time, of one PE. */
  show(run, peIndex, from, to, command) {
    const pe = this.rows.pes.get(run)[peIndex];
    this.rows.reveal(pe);
    this.fit();
    this.changeView((view) => view.set(from - 0.5 * (to - from), 2 * (to - from)));
    const row = this.rows.rows.find((one) => one.pe === pe && one.type === "spans");
    this.cursor = row;
    this.selectCommand(pe, command);
    this.scroller.scrollTop = Math.max(0, row.top - 60);
    this.canvas.focus();
    this.canvas.scrollIntoView({ block: "center" });
  }

  /** Selects the first event of `command` that is there; tells whether there is one. */
  selectCommand(pe, command) {
    for (const row of this.rows.rows) {
      if (row.pe !== pe || row.type !== "spans") continue;
      for (const track of row.tracks) {
        const index = track.command.indexOf(command);
        if (index < 0) continue;
        this.select(row, track, index);
        return true;
      }
    }
    return false;
  }

  /** Shows `command` of the PE with the cursor, or of the first one. */
  find(command) {
    const pe = this.cursor ? this.cursor.pe : this.rows.rows.find((row) => row.pe).pe;
    if (!(command > 0) || !this.selectCommand(pe, command))
      return byId("details").replaceChildren(`${pe.name} shows no command ${command}.`);
    this.cursor = this.rows.rows.find((row) => row.type === "spans" && row.tracks.includes(this.selected.track));
    this.zoomToSelected();
  }

  // --- Rows ---

  /** `mode`: see TimelineRows. */
  showPes(mode) {
    this.rows.show(mode);
    this.cursor = null;
    this.fit();
  }

  /** Opens or closes a PE, or selects what is at a point. */
  clickAt({ x, y }) {
    const row = this.rowAt(y);
    if (!row) return;
    if (row.type === "pe" && x < LABEL_WIDTH) return this.toggle(row);
    this.cursor = row;
    const event = this.eventAt(row, x);
    if (event && event.index !== undefined) this.select(row, event.track, event.index);
    else this.clearSelection();
  }

  toggle(row) {
    this.rows.toggle(row.pe);
    this.cursor = this.rows.rows.find((one) => one.pe === row.pe && one.type === "pe");
    this.fit();
  }

  toggleAtCursor() {
    if (this.cursor && this.cursor.type === "pe") this.toggle(this.cursor);
  }

  /** The keyboard needs a row to work on. */
  chooseRow() {
    if (!this.cursor) this.cursor = this.rows.rows.find((row) => row.type !== "run") ?? null;
    this.requestDraw();
  }

  moveCursor(by) {
    const rows = this.rows.rows.filter((row) => row.type !== "run");
    if (rows.length === 0) return;
    const index = this.cursor ? rows.indexOf(this.cursor) + by : 0;
    this.cursor = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    const { top, height } = this.cursor;
    const visible = this.painter.height - AXIS_HEIGHT;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    if (top + height > this.scroller.scrollTop + visible) this.scroller.scrollTop = top + height - visible;
    if (!this.selected) byId("details").replaceChildren(rowName(this.cursor));
    this.requestDraw();
  }
}

function rowName(row) {
  if (row.type === "pe") return `${row.pe.name}, ${row.isOpen ? "open" : "closed"}`;
  return `${row.pe.name}, ${row.lane.label}`;
}
