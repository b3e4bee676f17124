// SPDX-License-Identifier: Apache-2.0
#include "petal/report/report_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "petal/observe/summary_json.hpp"
#include "petal/report/timeline_json.hpp"

namespace petal {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPairs = 40;
constexpr std::size_t kMostConflicts = 4;

Json json_of(const CommandClass& command) {
  Json json = {{"kind", command.kind},
               {"op", command.op},
               {"ops", command.ops},
               {"bytes", command.logical_bytes.count()}};
  if (command.segments > 1) json["segment"] = fmt::format("{}/{}", command.segment + 1, command.segments);
  return json;
}

Json attribution_json(const Attribution& attribution) {
  Json json = Json::array();
  for (std::size_t index = 0; index < kTimeCauses; ++index) {
    const auto cause = static_cast<TimeCause>(index);
    if (attribution.spent(cause).count() != 0)
      json.push_back(
          {{"cause", name_of(cause)}, {"label", label_of(cause)}, {"ps", attribution.spent(cause).count()}});
  }
  return json;
}

Json what_if_json(const std::vector<WhatIf>& bounds) {
  Json json = Json::array();
  for (const WhatIf& bound : bounds)
    json.push_back({{"free", name_of(bound.free)},
                    {"label", label_of(bound.free)},
                    {"at_least_ps", bound.at_least.count()}});
  return json;
}

Json json_of(const PeFacts& pe, Picoseconds in_flight) {
  Json json = {{"fixed_cycles", pe.fixed_cycles},   {"cycles_per_byte", pe.cycles_per_byte},
               {"clock_ghz", pe.clock_ghz},         {"queue_bytes", pe.queue_bytes},
               {"max_in_flight", pe.max_in_flight}, {"in_flight_ps", in_flight.count()}};
  json["peaks"] = Json::array();
  for (const PeakRate& peak : pe.peaks) json["peaks"].push_back({{"label", peak.label}, {"gops", peak.gops}});
  return json;
}

Json pes_json(const ReportRecorder& recorder) {
  Json json = Json::array();
  for (std::size_t pe = 0; pe < recorder.facts().pes.size(); ++pe)
    json.push_back(json_of(recorder.facts().pes[pe], recorder.timeline().time_in_flight(pe)));
  return json;
}

Json dispatch_json(const DispatchBreakdown& dispatch) {
  Json json = Json::array();
  for (std::size_t index = 0; index < dispatch.costs().size(); ++index) {
    const DispatchCost& cost = dispatch.costs()[index];
    Json row = json_of(dispatch.classes()[index]);
    row["commands"] = cost.commands;
    row["fixed_cycles"] = cost.fixed_cycles;
    row["byte_cycles"] = cost.byte_cycles;
    row["ps"] = cost.time.count();
    json.push_back(std::move(row));
  }
  return json;
}

Json json_of(const WaitedFor& waited, const HeadWaitRanking& ranking) {
  Json json = json_of(ranking.classes()[waited.command_class]);
  json["command"] = waited.command;
  json["conflicts"] = Json::array();
  for (const RangeConflict& conflict : waited.conflicts) {
    if (json["conflicts"].size() == kMostConflicts) break;
    json["conflicts"].push_back(fmt::format("{} {}:{:#x}+{}", conflict.hazards, name_of(conflict.range.space),
                                            conflict.range.begin, conflict.range.end - conflict.range.begin));
  }
  if (waited.conflicts.size() > kMostConflicts)
    json["more_conflicts"] = waited.conflicts.size() - kMostConflicts;
  return json;
}

Json json_of(const HeadWaitRecord& wait, const HeadWaitRanking& ranking) {
  Json json = json_of(ranking.classes()[wait.command_class]);
  json["pe"] = wait.pe;
  json["reason"] = name_of(wait.reason);
  json["command"] = wait.command;
  json["start_ps"] = wait.start.count();
  json["end_ps"] = wait.end.count();
  json["released_by"] = wait.released_by ? Json(*wait.released_by) : Json();
  json["waits_on"] = Json::array();
  for (const WaitedFor& waited : wait.waited_for) json["waits_on"].push_back(json_of(waited, ranking));
  return json;
}

Json json_of(const HeadWaitPair& pair, const HeadWaitRanking& ranking) {
  return {{"reason", name_of(pair.reason)},
          {"waiting", json_of(ranking.classes()[pair.command_class])},
          {"released_by", pair.released_by ? json_of(ranking.classes()[*pair.released_by]) : Json()},
          {"waits", pair.waits},
          {"ps", pair.total.count()},
          {"longest", json_of(pair.longest, ranking)}};
}

Json head_waits_json(const HeadWaitRanking& ranking) {
  Json json = {{"longest", Json::array()}, {"pairs", Json::array()}};
  for (const HeadWaitRecord& wait : ranking.longest()) json["longest"].push_back(json_of(wait, ranking));
  std::uint64_t more_pairs = 0;
  std::uint64_t more_waits = 0;
  Picoseconds more_time{0};
  for (const HeadWaitPair& pair : ranking.pairs()) {
    if (json["pairs"].size() < kMostPairs) {
      json["pairs"].push_back(json_of(pair, ranking));
      continue;
    }
    ++more_pairs;
    more_waits += pair.waits;
    more_time += pair.total;
  }
  json["more_pairs"] = {{"pairs", more_pairs}, {"waits", more_waits}, {"ps", more_time.count()}};
  return json;
}

/// What the page says once, for all runs.
Json run_summary(const Summary& summary) {
  Json json = summary_json(summary);
  for (const char* const key : {"schema", "version", "note", "config"}) json.erase(key);
  return json;
}

Json json_of(const ReportedRun& run) {
  Json json = {{"kernel", run.summary.kernel}, {"summary", run_summary(run.summary)}};
  json["attribution"] = attribution_json(run.summary.attribution);
  json["what_if"] = what_if_json(run.summary.what_if);
  json["pes"] = pes_json(run.recorder);
  json["dispatch"] = dispatch_json(run.recorder.dispatch());
  json["head_waits"] = head_waits_json(run.recorder.head_waits());
  json["timeline"] = timeline_json(run.recorder.timeline());
  return json;
}

}  // namespace

Json report_json(const std::vector<ReportedRun>& runs) {
  const Summary& first = runs.front().summary;
  const ReportFacts& facts = runs.front().recorder.facts();
  Json json = {{"format", "petal report 1"},
               {"version", first.version},
               {"note", kProvisionalNote},
               {"scenario", facts.scenario}};
  json["memory"] = facts.memory
                       ? Json{{"gb_per_s", facts.memory->gb_per_s}, {"is_shared", facts.memory->is_shared}}
                       : Json();
  json["config"] = summary_json(first)["config"];
  json["runs"] = Json::array();
  for (const ReportedRun& run : runs) json["runs"].push_back(json_of(run));
  return json;
}

}  // namespace petal
