// SPDX-License-Identifier: Apache-2.0
//
// Mouse, keys and buttons of the timeline.

const CLICK_DISTANCE = 4;

class TimelineInput {
  constructor(timeline) {
    this.timeline = timeline;
    this.canvas = timeline.canvas;
    this.scroller = timeline.scroller;
    this.drag = null;
    this.listen();
    this.listenToTools();
  }

  // --- Mouse ---

  listen() {
    const { canvas } = this;
    canvas.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.onPointerDown(event));
    canvas.addEventListener("pointermove", (event) => this.onPointerMove(event));
    canvas.addEventListener("pointerup", (event) => this.onPointerUp(event));
    canvas.addEventListener("pointercancel", () => this.endDrag());
    canvas.addEventListener("pointerleave", () => this.timeline.hideTooltip());
    canvas.addEventListener("dblclick", () => this.timeline.zoomToSelected());
    canvas.addEventListener("keydown", (event) => this.onKey(event));
    canvas.addEventListener("focus", () => this.timeline.chooseRow());
    this.scroller.addEventListener("scroll", () => this.timeline.requestDraw());
    window.addEventListener("resize", () => this.timeline.fit());
  }

  place(event) {
    const bounds = this.canvas.getBoundingClientRect();
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  }

  /** Over the names of the rows the wheel scrolls, as everywhere. */
  onWheel(event) {
    const { x } = this.place(event);
    if (x < LABEL_WIDTH) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const delta = lines * (isSideways && event.deltaX !== 0 ? event.deltaX : event.deltaY);
    if (isSideways) this.timeline.changeView((view) => view.pan(delta * view.timeOfPixel()));
    else this.timeline.changeView((view) => view.zoom(Math.exp(delta * 0.002), view.time(x)));
  }

  onPointerDown(event) {
    if (event.button !== 0) return;
    const { x, y } = this.place(event);
    this.drag = { x, y, from: this.timeline.view.from, scroll: this.scroller.scrollTop, isMoved: false };
    this.canvas.setPointerCapture(event.pointerId);
  }

  onPointerMove(event) {
    const { x, y } = this.place(event);
    if (!this.drag) return this.timeline.tell(this.timeline.rowAt(y), x, event.clientX, event.clientY);
    const { drag } = this;
    if (!drag.isMoved && Math.hypot(x - drag.x, y - drag.y) < CLICK_DISTANCE) return;
    drag.isMoved = true;
    this.canvas.classList.add("dragging");
    this.scroller.scrollTop = drag.scroll + drag.y - y;
    this.timeline.changeView((view) => view.set(drag.from + (drag.x - x) * view.timeOfPixel(), view.to - view.from));
  }

  onPointerUp(event) {
    const wasClick = this.drag && !this.drag.isMoved;
    this.endDrag();
    if (wasClick) this.timeline.clickAt(this.place(event));
  }

  endDrag() {
    this.drag = null;
    this.canvas.classList.remove("dragging");
  }

  // --- Keys ---

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const action = this.actionOf(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  }

  actionOf(key) {
    const middle = (this.timeline.view.from + this.timeline.view.to) / 2;
    const screen = this.timeline.view.to - this.timeline.view.from;
    const view = (change) => () => this.timeline.changeView(change);
    return {
      "+": view((one) => one.zoom(1 / 1.5, middle)),
      "=": view((one) => one.zoom(1 / 1.5, middle)),
      "-": view((one) => one.zoom(1.5, middle)),
      ArrowLeft: view((one) => one.pan(-screen / 8)),
      ArrowRight: view((one) => one.pan(screen / 8)),
      PageUp: () => (this.scroller.scrollTop -= 200),
      PageDown: () => (this.scroller.scrollTop += 200),
      Home: view((one) => one.set(0, screen)),
      End: view((one) => one.set(one.total, screen)),
      0: view((one) => one.set(0, one.total)),
      ArrowUp: () => this.timeline.moveCursor(-1),
      ArrowDown: () => this.timeline.moveCursor(1),
      n: () => this.timeline.step(1),
      p: () => this.timeline.step(-1),
      z: () => this.timeline.zoomToSelected(),
      Enter: () => this.timeline.toggleAtCursor(),
      Escape: () => (this.timeline.hideTooltip(), this.timeline.clearSelection()),
    }[key];
  }

  // --- Tools above the timeline ---

  listenToTools() {
    const click = (id, key) => byId(id).addEventListener("click", () => this.actionOf(key)());
    click("zoom-in", "+");
    click("zoom-out", "-");
    click("pan-left", "ArrowLeft");
    click("pan-right", "ArrowRight");
    click("zoom-reset", "0");
    byId("shown-pes").addEventListener("change", (event) => this.timeline.showPes(event.target.value));
    byId("find-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.timeline.find(Number(byId("find-command").value));
    });
  }
}
