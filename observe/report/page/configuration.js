// SPDX-License-Identifier: Apache-2.0
//
// Every value of the configuration, by its path.

function flatten(value, path, entries) {
  const isTree = value !== null && typeof value === "object" && Object.keys(value).length > 0;
  if (!isTree) return entries.push([path, typeof value === "object" ? JSON.stringify(value) : String(value)]);
  for (const [key, inner] of Object.entries(value))
    flatten(inner, Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key, entries);
}

function showConfiguration(report) {
  const entries = [];
  flatten(report.config, "", entries);
  byId("configuration").append(makeTable({
    className: "key-values",
    head: ["key", "value"],
    rows: entries.map((entry) => makeRow(entry)),
  }));
}
