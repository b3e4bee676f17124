// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "petal/config/schema.hpp"

namespace petal {

std::string schema_text() {
  SchemaEntry head{"key", "type", "unit", "allowed", "default", "what for"};
  std::vector<SchemaEntry> rows = schema_entries();
  rows.insert(rows.begin(), head);
  const auto width = [&](std::string SchemaEntry::*column) {
    std::size_t widest = 0;
    for (const SchemaEntry& row : rows) widest = std::max(widest, (row.*column).size());
    return widest;
  };
  const std::size_t path = width(&SchemaEntry::path);
  const std::size_t type = width(&SchemaEntry::type);
  const std::size_t unit = width(&SchemaEntry::unit);
  const std::size_t initial = width(&SchemaEntry::default_text);
  const std::size_t allowed = width(&SchemaEntry::allowed);
  std::string text;
  for (const SchemaEntry& row : rows)
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", row.path, path, row.type, type,
                        row.unit, unit, row.default_text, initial, row.allowed, allowed, row.doc);
  text += fmt::format(
      "A root key that begins with '{}' is not read: it may hold anchors (&name) for merge keys (<<).\n",
      kAnchorHolderPrefix);
  return text;
}

}  // namespace petal
