// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "petal/observe/quantity_text.hpp"
#include "petal/observe/summary_json.hpp"

namespace petal {
namespace {

using Json = nlohmann::ordered_json;

constexpr EnginePort kPorts[] = {EnginePort::dma_read, EnginePort::dma_write, EnginePort::gemm,
                                 EnginePort::math,     EnginePort::fetch,     EnginePort::store};

/// One line of the table: a label, and what stands under each kernel.
struct TableRow {
  std::string label;
  std::function<std::string(const Summary&)> cell;
};

double speed_up(const Summary& baseline, const Summary& summary) {
  return summary.time.count() > 0
             ? static_cast<double>(baseline.time.count()) / static_cast<double>(summary.time.count())
             : 0.0;
}

TableRow per_tile_row(const char* label, double PerTile::*number, int decimals) {
  return {label, [number, decimals](const Summary& summary) {
            const auto tile = summary.per_tile();
            return tile ? grouped((*tile).*number, decimals) : std::string("-");
          }};
}

TableRow cpu_row(const char* label, CpuState state) {
  return {label, [state](const Summary& summary) {
            return percent(summary.utilisation(summary.total.cpu_time(state)));
          }};
}

TableRow engine_row(const char* label, EnginePort port) {
  return {label, [port](const Summary& summary) {
            return percent(summary.utilisation(summary.total.engine(port).busy));
          }};
}

/// How far result `tensor` is from its reference, relative to the tensor's largest value.
TableRow error_row(const std::string& tensor) {
  return {tensor + ", relative error", [tensor](const Summary& summary) {
            for (const TensorError& error : summary.data)
              if (error.tensor == tensor)
                return fmt::format("{:.3g}{}", error.max_relative, error.within_tolerance() ? "" : " FAILED");
            return std::string("-");
          }};
}

std::vector<TableRow> table_rows(const Summary& baseline) {
  return {
      {"time", [](const Summary& summary) { return time_text(summary.time); }},
      {"speed-up",
       [&baseline](const Summary& summary) { return fmt::format("{:.2f} x", speed_up(baseline, summary)); }},
      per_tile_row("dispatch cycles a tile", &PerTile::cycles, 3),
      per_tile_row("commands a tile", &PerTile::commands, 1),
      per_tile_row("bytes a tile", &PerTile::logical_bytes, 1),
      cpu_row("PE_CPU dispatching", CpuState::dispatching),
      cpu_row("PE_CPU stalled on queue", CpuState::queue_full),
      cpu_row("PE_CPU waiting on data", CpuState::waiting),
      engine_row("DMA read busy", EnginePort::dma_read),
      engine_row("GEMM busy", EnginePort::gemm),
      engine_row("MATH busy", EnginePort::math),
      engine_row("FETCH busy", EnginePort::fetch),
      engine_row("STORE busy", EnginePort::store),
      {"hazard wait",
       [](const Summary& summary) { return percent(summary.utilisation(summary.total.hazard_wait())); }},
      {"verdict", [](const Summary& summary) { return std::string(name_of(summary.verdict.bound)); }}};
}

Json kernel_json(const Summary& baseline, const Summary& summary) {
  Json json = {{"kernel", summary.kernel},
               {"time_ps", summary.time.count()},
               {"speed_up", speed_up(baseline, summary)}};
  const auto tile = summary.per_tile();
  json["dispatch_per_tile"] = tile ? Json{{"commands", tile->commands},
                                          {"logical_bytes", tile->logical_bytes},
                                          {"cycles", tile->cycles}}
                                   : Json();
  Json cpu = Json::object();
  for (std::size_t index = 0; index < kCpuStates; ++index)
    cpu[name_of(static_cast<CpuState>(index))] = summary.utilisation(summary.total.cpu[index]);
  json["cpu"] = std::move(cpu);
  Json engines = Json::object();
  for (const EnginePort port : kPorts)
    engines[name_of(port)] = summary.utilisation(summary.total.engine(port).busy);
  json["engines"] = std::move(engines);
  json["hazard_wait"] = summary.utilisation(summary.total.hazard_wait());
  json["verdict"] = name_of(summary.verdict.bound);
  json["verdict_reason"] = summary.verdict.sentence;
  if (!summary.data.empty()) json["data"] = data_json(summary);
  return json;
}

}  // namespace

std::string comparison_text(const std::vector<Summary>& summaries) {
  if (summaries.empty()) return "";
  std::vector<TableRow> rows = table_rows(summaries.front());
  rows.insert(rows.begin(), {"", [](const Summary& summary) { return summary.kernel; }});
  for (const TensorError& error : summaries.front().data) rows.push_back(error_row(error.tensor));
  std::size_t label_width = 0;
  for (const TableRow& row : rows) label_width = std::max(label_width, row.label.size());
  std::vector<std::size_t> widths(summaries.size());
  for (std::size_t column = 0; column < summaries.size(); ++column)
    for (const TableRow& row : rows)
      widths[column] = std::max(widths[column], row.cell(summaries[column]).size());
  std::string text;
  for (const TableRow& row : rows) {
    text += fmt::format("{:<{}}", row.label, label_width);
    for (std::size_t column = 0; column < summaries.size(); ++column)
      text += fmt::format("  {:>{}}", row.cell(summaries[column]), widths[column]);
    text += "\n";
  }
  return text + fmt::format("\n{}\n", kProvisionalNote);
}

Json comparison_json(const std::vector<Summary>& summaries) {
  Json json = {{"schema", 1}, {"note", kProvisionalNote}, {"kernels", Json::array()}};
  if (summaries.empty()) return json;
  json["baseline"] = summaries.front().kernel;
  json["version"] = summaries.front().version;
  for (const Summary& summary : summaries) json["kernels"].push_back(kernel_json(summaries.front(), summary));
  return json;
}

}  // namespace petal
