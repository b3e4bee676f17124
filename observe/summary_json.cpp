// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/summary_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace petal {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const DispatchTotals& dispatch) {
  return {{"commands", dispatch.commands},
          {"logical_bytes", dispatch.logical_bytes.count()},
          {"cycles", dispatch.cycles.count()}};
}

Json json_of(const PerTile& tile) {
  return {{"commands", tile.commands}, {"logical_bytes", tile.logical_bytes}, {"cycles", tile.cycles}};
}

void add_totals(Json& json, const Totals& totals) {
  json["dispatch"] = json_of(totals.dispatch);
  Json cpu = Json::object();
  for (std::size_t index = 0; index < kCpuStates; ++index)
    cpu[std::string(name_of(static_cast<CpuState>(index))) + "_ps"] = totals.cpu[index].count();
  json["cpu"] = std::move(cpu);
  Json engines = Json::object();
  for (std::size_t index = 0; index < kEnginePorts; ++index)
    engines[name_of(static_cast<EnginePort>(index))] = {{"busy_ps", totals.engines[index].busy.count()},
                                                        {"stages", totals.engines[index].stages}};
  json["engines"] = std::move(engines);
  json["dma"] = {{"read_bytes", totals.dma_read.count()}, {"write_bytes", totals.dma_write.count()}};
  json["macs"] = totals.macs;
  json["hazard_wait_ps"] = totals.hazard_wait().count();
  Json waits = Json::object();
  for (std::size_t index = 0; index < totals.head_wait.size(); ++index)
    waits[std::string(name_of(static_cast<HeadWait>(index))) + "_ps"] = totals.head_wait[index].count();
  json["head_waits"] = std::move(waits);
  json["staging_bytes"] = totals.staging_bytes;
}

Json json_of(const PeSummary& pe) {
  Json json = {{"name", pe.name},
               {"time_ps", pe.time.count()},
               {"finished_ps", pe.finished ? Json(pe.finished->count()) : Json()}};
  add_totals(json, pe.totals);
  json["queue"] = {{"peak_bytes", pe.peak_queue_bytes}, {"peak_entries", pe.peak_queue_entries}};
  return json;
}

/// JSON has no infinity: an error without bound is null.
Json json_of(const TensorError& error) {
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  return {{"tensor", error.tensor},
          {"elements", error.elements},
          {"max_absolute_error", number(error.max_absolute)},
          {"max_relative_error", number(error.max_relative)},
          {"tolerance", error.tolerance},
          {"worst_element", error.worst_element},
          {"within_tolerance", error.within_tolerance()}};
}

Json json_of(const Attribution& attribution) {
  Json json = Json::object();
  for (std::size_t index = 0; index < kTimeCauses; ++index) {
    const auto cause = static_cast<TimeCause>(index);
    json[std::string(name_of(cause)) + "_ps"] = attribution.spent(cause).count();
  }
  return json;
}

Json dispatch_per_tile(const Summary& summary) {
  const auto per_tile = summary.per_tile();
  if (!per_tile) return nullptr;
  Json json = json_of(*per_tile);
  json["steady_state"] = summary.steady_state.has_value();
  const auto mean = summary.mean_per_tile();
  json["total_over_tiles"] = mean ? json_of(*mean) : Json();
  return json;
}

}  // namespace

Json data_json(const Summary& summary) {
  Json json = Json::array();
  for (const TensorError& error : summary.data) json.push_back(json_of(error));
  return json;
}

Json summary_json(const Summary& summary) {
  const Json config = Json::parse(summary.config_json, nullptr, false);
  if (config.is_discarded()) throw std::invalid_argument("a summary's configuration is not JSON");
  Json json = {{"schema", 1},
               {"kernel", summary.kernel},
               {"version", summary.version},
               {"note", kProvisionalNote},
               {"time_ps", summary.time.count()},
               {"tiles", summary.tiles},
               {"verdict", name_of(summary.verdict.bound)},
               {"verdict_reason", summary.verdict.sentence}};
  Json shares = Json::object();
  for (const Bound bound :
       {Bound::dispatch, Bound::memory_bandwidth, Bound::compute, Bound::memory_latency, Bound::dependency})
    shares[name_of(bound)] = summary.verdict.share(bound);
  json["verdict_shares"] = std::move(shares);
  json["critical_pe"] = summary.critical_pe ? Json(summary.pes[*summary.critical_pe].name) : Json();
  Json path = Json::object();
  for (std::size_t index = 0; index < kPathCauses; ++index) {
    const auto cause = static_cast<PathCause>(index);
    path[name_of(cause)] = summary.critical_path.spent(cause).count();
  }
  json["critical_path"] = std::move(path);
  json["attribution"] = json_of(summary.attribution);
  Json bounds = Json::object();
  for (const WhatIf& what_if : summary.what_if)
    bounds[std::string(name_of(what_if.free)) + "_at_least_ps"] = what_if.at_least.count();
  json["what_if"] = std::move(bounds);
  json["dispatch_per_tile"] = dispatch_per_tile(summary);
  json["pes"] = Json::array();
  for (const PeSummary& pe : summary.pes) json["pes"].push_back(json_of(pe));
  Json total = Json::object();
  total["pe_time_ps"] = summary.time.count() * static_cast<std::int64_t>(summary.pes.size());
  add_totals(total, summary.total);
  json["total"] = std::move(total);
  if (!summary.data.empty()) json["data"] = data_json(summary);
  json["config"] = config;
  return json;
}

std::string summary_json_text(const Summary& summary) {
  return summary_json(summary).dump(2) + "\n";
}

}  // namespace petal
