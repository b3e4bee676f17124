// SPDX-License-Identifier: Apache-2.0
//
// Draws the timeline: the rows that are in sight, for the time that is in sight.

const LABEL_WIDTH = 150;
const AXIS_HEIGHT = 24;
const FONT = '12px system-ui, "Segoe UI", "DejaVu Sans", Arial, sans-serif';
const LEAST_TEXT_WIDTH = 46;

/** Time and pixels of one picture. */
class TimelineView {
  constructor(total) {
    this.total = Math.max(total, 1);
    this.from = 0;
    this.to = this.total;
    this.width = 1;
  }

  /** Pixel of `time`, from the canvas' left edge. */
  x(time) {
    return LABEL_WIDTH + ((time - this.from) / (this.to - this.from)) * this.width;
  }
  time(x) {
    return this.from + ((x - LABEL_WIDTH) / this.width) * (this.to - this.from);
  }
  timeOfPixel() {
    return (this.to - this.from) / this.width;
  }

  /** Shows `span` from `from` on, both kept inside the run. */
  set(from, span) {
    const kept = Math.min(Math.max(span, Math.min(20, this.total)), this.total);
    this.from = Math.min(Math.max(from, 0), this.total - kept);
    this.to = this.from + kept;
  }
  zoom(factor, time) {
    const share = (time - this.from) / (this.to - this.from);
    const span = (this.to - this.from) * factor;
    this.set(time - share * span, span);
  }
  pan(time) {
    this.set(this.from + time, this.to - this.from);
  }
}

class TimelinePainter {
  constructor(canvas, rows, view) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.rows = rows;
    this.view = view;
    this.palette = new CanvasPalette();
    this.height = 0;
  }

  /** Takes over the colours that the page has now. */
  renewPalette() {
    this.palette = new CanvasPalette();
  }

  resize(width, height) {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = `${height}px`;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.height = height;
    this.view.width = Math.max(1, width - LABEL_WIDTH - 1);
  }

  /** `scroll`: how far the rows are scrolled. `marks`: {cursor, selected} as the timeline keeps them. */
  draw(scroll, marks) {
    const { context } = this;
    context.font = FONT;
    context.textBaseline = "middle";
    context.fillStyle = this.palette.colour("--paper");
    context.fillRect(0, 0, LABEL_WIDTH + this.view.width + 1, this.height);
    const step = this.drawGrid();
    for (const row of this.rows.rows) {
      const top = AXIS_HEIGHT + row.top - scroll;
      if (top + row.height > AXIS_HEIGHT && top < this.height) this.drawRow(row, top, marks);
    }
    this.drawAxis(step);
  }

  // --- Axis ---

  /** Picoseconds between two lines: 1, 2 or 5 times a power of ten, at least 100 pixels wide. */
  gridStep() {
    const least = 100 * this.view.timeOfPixel();
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
  }

  forEachLine(step, draw) {
    for (let line = Math.ceil(this.view.from / step) * step; line <= this.view.to; line += step) draw(line);
  }

  drawGrid() {
    const step = this.gridStep();
    this.context.strokeStyle = this.palette.colour("--line");
    this.context.lineWidth = 1;
    this.context.beginPath();
    this.forEachLine(step, (line) => {
      const x = Math.round(this.view.x(line)) + 0.5;
      this.context.moveTo(x, AXIS_HEIGHT), this.context.lineTo(x, this.height);
    });
    this.context.stroke();
    return step;
  }

  drawAxis(step) {
    const { context, view } = this;
    context.fillStyle = this.palette.colour("--panel");
    context.fillRect(0, 0, LABEL_WIDTH + view.width + 1, AXIS_HEIGHT);
    const [unit, scale] = TIME_UNITS.find(([, one]) => view.to >= one) ?? ["ps", 1];
    const decimals = Math.max(0, Math.ceil(Math.log10(scale / step) - 1e-9));
    context.fillStyle = this.palette.colour("--ink");
    context.fillText(`time, ${unit}`, 8, AXIS_HEIGHT / 2);
    this.forEachLine(step, (line) => {
      const text = grouped(line / scale, decimals);
      const width = context.measureText(text).width;
      const x = Math.min(Math.max(view.x(line) - width / 2, LABEL_WIDTH + 2), LABEL_WIDTH + view.width - width - 2);
      context.fillText(text, x, AXIS_HEIGHT / 2);
    });
    this.line(0, AXIS_HEIGHT - 0.5, LABEL_WIDTH + view.width + 1, "--strong-line");
  }

  line(x, y, to, colour) {
    this.context.strokeStyle = this.palette.colour(colour);
    this.context.lineWidth = 1;
    this.context.beginPath();
    this.context.moveTo(x, y), this.context.lineTo(to, y);
    this.context.stroke();
  }

  // --- Rows ---

  drawRow(row, top, marks) {
    if (row.type === "run") return this.drawRunRow(row, top);
    if (row.type === "pe") this.drawPeRow(row, top);
    else if (row.type === "level") this.drawLevel(row, top);
    else this.drawSpans(row, top, marks.selected);
    this.drawEnd(row, top);
    this.drawLabel(row, top, row === marks.cursor);
    this.line(0, top + row.height - 0.5, LABEL_WIDTH + this.view.width + 1, "--line");
  }

  drawRunRow(row, top) {
    this.context.fillStyle = this.palette.colour("--panel");
    this.context.fillRect(0, top, LABEL_WIDTH + this.view.width + 1, row.height);
    this.context.fillStyle = this.palette.colour("--ink");
    this.context.font = `600 ${FONT}`;
    const { summary } = row.run;
    this.context.fillText(`${row.run.kernel}: ${timeText(summary.time_ps)}, ${summary.verdict}`, 8, top + row.height / 2);
    this.context.font = FONT;
  }

  /** A closed PE shows how many of its ports work, each as a sixth of the height. */
  drawPeRow(row, top) {
    if (row.isOpen) {
      this.context.fillStyle = this.palette.colour("--panel");
      this.context.fillRect(LABEL_WIDTH, top, this.view.width + 1, row.height);
      return;
    }
    const tracks = ENGINE_TRACKS.map((name) => row.pe.track(name));
    this.drawColumns(tracks, top, row.height, 1 / tracks.length);
  }

  drawLabel(row, top, hasCursor) {
    const { context } = this;
    context.fillStyle = this.palette.colour(hasCursor ? "--focus" : "--paper");
    context.fillRect(0, top, LABEL_WIDTH - 1, row.height - 1);
    context.fillStyle = this.palette.colour(hasCursor ? "--paper" : "--ink");
    const text = row.type === "pe" ? `${row.isOpen ? "\u25be" : "\u25b8"} ${row.pe.name}` : row.lane.label;
    context.save();
    context.beginPath();
    context.rect(0, top, LABEL_WIDTH - 4, row.height);
    context.clip();
    context.fillText(text, row.type === "pe" ? 8 : 24, top + row.height / 2);
    context.restore();
  }

  /** The end of a run that is shorter than the axis. */
  drawEnd(row, top) {
    const end = row.run.summary.time_ps;
    if (end >= this.view.to || end < this.view.from) return;
    const x = Math.round(this.view.x(end)) + 0.5;
    this.context.strokeStyle = this.palette.colour("--ink");
    this.context.beginPath();
    this.context.moveTo(x, top), this.context.lineTo(x, top + row.height);
    this.context.stroke();
  }

  // --- Spans ---

  drawSpans(row, top, selected) {
    const { from, to } = this.view;
    const inSight = row.tracks.reduce((sum, track) => sum + track.firstFrom(to) - track.firstAfter(from), 0);
    const isDense = inSight > this.view.width / 2 || row.tracks.some((track) => track.meetsGap(from, to));
    if (isDense) this.drawColumns(row.tracks, top, row.height, 1);
    else for (const track of row.tracks) this.drawTrack(track, row, top);
    if (selected && selected.pe === row.pe) for (const track of row.tracks) this.drawSelected(track, row, top, selected);
  }

  /** Each pixel column as stacked shares of its time: `unit` of the height is a track that takes all of it. */
  drawColumns(tracks, top, height, unit) {
    const { context, view } = this;
    const step = view.timeOfPixel();
    const full = (height - 3) * unit;
    const levels = new Float64Array(Math.ceil(view.width));
    for (const track of tracks) {
      context.fillStyle = this.palette.fill(context, track.name);
      context.beginPath();
      let before = track.busyUntil(view.from);
      for (let column = 0; column < levels.length; ++column) {
        const until = track.busyUntil(Math.min(view.from + (column + 1) * step, view.to));
        const busy = until - before;
        before = until;
        if (busy <= 0) continue;
        const part = Math.max((busy / step) * full, 0.5);
        context.rect(LABEL_WIDTH + column, top + height - 2 - levels[column] - part, 1, part);
        levels[column] += part;
      }
      context.fill();
    }
  }

  drawTrack(track, row, top) {
    const { context, view } = this;
    const look = LOOKS[track.name];
    for (let index = this.firstDrawn(track); index < track.count && track.start[index] < view.to; ++index) {
      const left = Math.max(view.x(track.start[index]), LABEL_WIDTH);
      const right = Math.min(view.x(track.busyEnd[index]), LABEL_WIDTH + view.width);
      this.drawLatency(track, index, row, top, right);
      if (right < left) continue;
      const width = Math.max(right - left, 1);
      context.fillStyle = this.palette.fill(context, track.name);
      context.fillRect(left, top + 2, width, row.height - 5);
      if (width > 3) this.frame(left, top + 2, width, row.height - 5, "--paper");
      if (width > LEAST_TEXT_WIDTH && look.ink) this.drawText(this.spanText(track, index, row), left, width, row, top, look.ink);
    }
  }

  /** Latencies of DMA may reach into the picture from far before it. */
  firstDrawn(track) {
    let index = track.firstAfter(this.view.from);
    for (let back = 0; back < 64 && index > 0 && track.end[index - 1] > this.view.from; ++back) --index;
    return index;
  }

  /** After a DMA has moved its bytes: a thin line until they have arrived. */
  drawLatency(track, index, row, top, left) {
    if (track.end[index] <= track.busyEnd[index]) return;
    const begin = Math.max(left, LABEL_WIDTH);
    const right = Math.min(this.view.x(track.end[index]), LABEL_WIDTH + this.view.width);
    this.context.fillStyle = this.palette.colour("--blue");
    if (right > begin) this.context.fillRect(begin, top + row.height - 4, right - begin, 2);
  }

  frame(x, y, width, height, colour, lineWidth = 1) {
    this.context.strokeStyle = this.palette.colour(colour);
    this.context.lineWidth = lineWidth;
    this.context.strokeRect(x + lineWidth / 2, y + lineWidth / 2, width - lineWidth, height - lineWidth);
  }

  spanText(track, index, row) {
    const { stages, commands } = row.run.timeline;
    const form = track.form[index];
    const op = track.tiles ? stages[form].op : form > 0 ? commands[form - 1].op : LOOKS[track.name].label;
    return track.command[index] > 0 ? `${op} #${track.command[index]}` : op;
  }

  drawText(text, left, width, row, top, ink) {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(left, top, width - 2, row.height);
    context.clip();
    context.fillStyle = this.palette.colour(ink);
    context.fillText(text, left + 4, top + row.height / 2);
    context.restore();
  }

  /** A frame around the selected command's events. */
  drawSelected(track, row, top, selected) {
    const { view } = this;
    for (let index = track.firstAfter(view.from); index < track.count && track.start[index] < view.to; ++index) {
      const isOnly = selected.track === track && selected.index === index;
      if (!isOnly && (selected.command === 0 || track.command[index] !== selected.command)) continue;
      const left = Math.max(view.x(track.start[index]), LABEL_WIDTH);
      const width = Math.max(Math.min(view.x(track.busyEnd[index]), LABEL_WIDTH + view.width) - left, 2);
      this.frame(left - 1, top + 1, width + 2, row.height - 3, "--ink", isOnly ? 3 : 1.5);
    }
  }

  // --- Levels ---

  drawLevel(row, top) {
    const { context, view } = this;
    const { level } = row;
    const full = row.height - 4;
    const ceiling = Math.max(TimelineRows.ceiling(row), 1);
    const step = view.timeOfPixel();
    context.fillStyle = this.palette.fill(context, level.name);
    context.beginPath();
    for (let column = 0; column < view.width; ++column) {
      const from = view.from + column * step;
      const height = (Math.min(level.peakIn(from, from + step), ceiling) / ceiling) * full;
      if (height > 0) context.rect(LABEL_WIDTH + column, top + row.height - 1.5 - height, 1, height);
    }
    context.fill();
  }
}
