// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/point_columns.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace petal {

namespace {

using Json = nlohmann::json;

constexpr int kShareDigits = 6;

/// The value at a JSON pointer; null if there is none.
const Json& at(const Json& json, const std::string& pointer) {
  static const Json none;
  const Json::json_pointer path(pointer);
  return json.contains(path) ? json.at(path) : none;
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump();
}

PointColumn plain(const std::string& name, const std::string& unit, const std::string& pointer) {
  return {name, unit, [pointer](const Json& summary) { return text_of(at(summary, pointer)); }};
}

/// The time at `pointer` over the time of all PEs.
PointColumn share(const std::string& name, const std::string& pointer) {
  return {name, "share of the time", [pointer](const Json& summary) -> std::string {
            const Json& part = at(summary, pointer);
            const Json& whole = at(summary, "/total/pe_time_ps");
            if (!part.is_number() || !whole.is_number() || whole.get<double>() <= 0) return "";
            return fmt::format("{:.{}g}", part.get<double>() / whole.get<double>(), kShareDigits);
          }};
}

std::vector<PointColumn> make_columns() {
  std::vector<PointColumn> columns = {
      plain("time_ps", "ps", "/time_ps"),
      plain("tiles", "tiles", "/tiles"),
      plain("dispatch_commands", "commands", "/total/dispatch/commands"),
      plain("dispatch_bytes", "logical bytes", "/total/dispatch/logical_bytes"),
      plain("dispatch_cycles", "cycles", "/total/dispatch/cycles"),
      plain("dispatch_commands_per_tile", "commands a tile", "/dispatch_per_tile/commands"),
      plain("dispatch_bytes_per_tile", "logical bytes a tile", "/dispatch_per_tile/logical_bytes"),
      plain("dispatch_cycles_per_tile", "cycles a tile", "/dispatch_per_tile/cycles"),
      plain("verdict", "", "/verdict"),
  };
  for (const char* const port : {"dma_read", "dma_write", "fetch", "store", "gemm", "math"})
    columns.push_back(
        share(fmt::format("{}_utilisation", port), fmt::format("/total/engines/{}/busy_ps", port)));
  for (const char* const state : {"dispatching", "queue_full", "waiting", "overhead", "idle"})
    columns.push_back(share(fmt::format("cpu_{}", state), fmt::format("/total/cpu/{}_ps", state)));
  columns.push_back(share("hazard_wait", "/total/hazard_wait_ps"));
  columns.push_back(plain("dma_read_bytes", "bytes", "/total/dma/read_bytes"));
  columns.push_back(plain("dma_write_bytes", "bytes", "/total/dma/write_bytes"));
  return columns;
}

}  // namespace

const std::vector<PointColumn>& point_columns() {
  static const std::vector<PointColumn> columns = make_columns();
  return columns;
}

PointColumn config_column(const std::string& name, const std::string& path) {
  std::string pointer = "/config/" + path;
  for (char& c : pointer)
    if (c == '.') c = '/';
  return plain(name, "", pointer);
}

}  // namespace petal
