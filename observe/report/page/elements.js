// SPDX-License-Identifier: Apache-2.0
//
// Making elements. Text from the data becomes text nodes and attributes, never HTML.

function byId(id) {
  return document.getElementById(id);
}

/** `attributes` by name; one that is false or null is left out. Children are elements or text. */
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(byId("roofline").namespaceURI, tag), attributes, children);
}

function fill(target, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== false && value !== null && value !== undefined) target.setAttribute(name, value);
  target.append(...children.flat());
  return target;
}

/** A table. `head`: texts, or [text, attributes]; a row is a list of cells, each text, an element or a `number()`. */
function makeTable({ caption, head, rows, className }) {
  const headings = head.map((cell) => {
    const [text, attributes] = Array.isArray(cell) ? cell : [cell, {}];
    return make("th", { scope: "col", ...attributes }, text);
  });
  return make(
    "table", { class: className ?? null },
    caption ? [make("caption", {}, caption)] : [],
    make("thead", {}, make("tr", {}, headings)),
    make("tbody", {}, rows),
  );
}

/** A row whose first cell is its heading. */
function makeRow(cells, attributes = {}) {
  return make("tr", attributes, cells.map((cell, index) => {
    if (cell instanceof HTMLTableCellElement) return cell;
    return index === 0 ? make("th", { scope: "row" }, cell) : make("td", {}, cell);
  }));
}

function number(text) {
  return make("td", { class: "number" }, text);
}

function numberHead(text) {
  return [text, { class: "number" }];
}

function swatch(kind) {
  return applyLook(make("span", { class: "swatch", "aria-hidden": "true" }), kind);
}

/** A bar of parts [kind, share of the bar's width]; a reader of screens is told `label`. */
function makeBar(parts, label, className = "bar") {
  const bar = make("div", { class: className, role: "img", "aria-label": label, title: label });
  for (const [kind, share] of parts) {
    if (!(share > 0)) continue;
    const part = applyLook(make("span"), kind);
    part.style.width = `${100 * share}%`;
    bar.append(part);
  }
  return bar;
}

function makeLegend(kinds) {
  return kinds.map((kind) => make("span", {}, swatch(kind), LOOKS[kind].label));
}

/** "rmax, gemm, add"; of many ops the first two and the last: "rmax, max_elem ... add, 10 ops". */
function opsText(ops) {
  const names = ops.split(", ");
  return names.length <= 4 ? ops : `${names[0]}, ${names[1]} ... ${names[names.length - 1]}, ${names.length} ops`;
}

/** "CompositeCmd gemm (rmax, gemm, add), 322 bytes" */
function commandText(command) {
  const ops = command.ops ? ` (${opsText(command.ops)})` : "";
  const segment = command.segment ? `, segment ${command.segment}` : "";
  return `${command.kind} ${command.op}${ops}, ${grouped(command.bytes)} bytes${segment}`;
}
