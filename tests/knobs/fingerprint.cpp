// SPDX-License-Identifier: Apache-2.0
#include "knobs/fingerprint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <tuple>

namespace petal::test {
namespace {

using Texts = std::vector<std::string>;
using Interval = std::pair<std::int64_t, std::int64_t>;

std::string joined(const Texts& texts) {
  return fmt::format("{}", fmt::join(texts, " "));
}

/// Most of the intervals [start, end) that hold at one instant.
std::size_t most_at_once(const std::vector<Interval>& intervals) {
  std::vector<std::pair<std::int64_t, int>> changes;
  for (const auto& [start, end] : intervals) {
    changes.emplace_back(start, 1);
    changes.emplace_back(end, -1);
  }
  std::sort(changes.begin(), changes.end());
  int now = 0;
  int most = 0;
  for (const auto& [at, change] : changes) most = std::max(most, now += change);
  return static_cast<std::size_t>(most);
}

std::vector<Interval> intervals_of(const EventLog& log, const std::set<StageKind>& kinds) {
  std::vector<Interval> intervals;
  for (const LoggedStage& stage : log.stages)
    if (kinds.count(stage.kind) != 0) intervals.emplace_back(stage.start_ps, stage.end_ps);
  return intervals;
}

std::int64_t overlap_of(const std::vector<Interval>& left, const std::vector<Interval>& right) {
  std::int64_t sum = 0;
  for (const Interval& a : left)
    for (const Interval& b : right)
      sum += std::max<std::int64_t>(0, std::min(a.second, b.second) - std::max(a.first, b.first));
  return sum;
}

std::string sum_of(const EventLog& log, const std::set<StageKind>& kinds,
                   const std::function<std::int64_t(const LoggedStage&)>& part) {
  std::int64_t sum = 0;
  for (const LoggedStage& stage : log.stages)
    if (kinds.count(stage.kind) != 0) sum += part(stage);
  return std::to_string(sum);
}

std::string ranges_text(const std::vector<ByteRange>& ranges) {
  std::string text;
  for (const ByteRange& range : ranges)
    text += fmt::format("{}:{}-{};", name_of(range.space), range.begin, range.end);
  return text;
}

std::string addresses_of(const EventLog& log) {
  std::vector<LoggedStage> stages = log.stages;
  std::sort(stages.begin(), stages.end(), [](const LoggedStage& a, const LoggedStage& b) {
    return std::tie(a.pe, a.command, a.number) < std::tie(b.pe, b.command, b.number);
  });
  Texts texts;
  for (const LoggedStage& stage : stages)
    texts.push_back(
        fmt::format("{}:{}>{}", stage.name(), ranges_text(stage.reads), ranges_text(stage.writes)));
  return joined(texts);
}

std::string stages_of(const Totals& totals) {
  Texts texts;
  for (const EngineTotals& engine : totals.engines) texts.push_back(std::to_string(engine.stages));
  return joined(texts);
}

void add_dispatch(Fingerprint& print, const EventLog& log) {
  Texts commands;
  Texts cycles;
  Texts times;
  std::vector<LoggedDispatch> dispatches = log.dispatches;  // of several PEs, as they happened to come
  std::stable_sort(dispatches.begin(), dispatches.end(),
                   [](const LoggedDispatch& a, const LoggedDispatch& b) { return a.pe < b.pe; });
  for (const LoggedDispatch& dispatch : dispatches) {
    if (dispatch.is_overhead()) continue;
    commands.push_back(fmt::format("{}/{}/{}", dispatch.kind, dispatch.op, dispatch.logical_bytes));
    cycles.push_back(fmt::format("{}", dispatch.cycles));
    times.push_back(std::to_string(dispatch.end_ps - dispatch.start_ps));
  }
  print["commands"] = joined(commands);
  print["issue_cycles"] = joined(cycles);
  print["dispatch_time"] = joined(times);
}

void add_stages(Fingerprint& print, const EventLog& log) {
  const std::set<StageKind> dma{StageKind::dma_read, StageKind::dma_write};
  const auto duration = [](const LoggedStage& stage) { return stage.duration_ps(); };
  print["dma_time"] = sum_of(log, dma, [](const LoggedStage& stage) { return stage.busy_ps(); });
  print["dma_latency"] =
      sum_of(log, dma, [](const LoggedStage& stage) { return stage.end_ps - stage.busy_end_ps; });
  print["fetch_time"] = sum_of(log, {StageKind::fetch}, duration);
  print["store_time"] = sum_of(log, {StageKind::store}, duration);
  print["gemm_time"] = sum_of(log, {StageKind::gemm}, duration);
  print["math_time"] = sum_of(log, {StageKind::math}, duration);
  print["transfers"] = std::to_string(most_at_once(intervals_of(log, dma)));
  print["overlap"] =
      std::to_string(overlap_of(intervals_of(log, {StageKind::gemm}), intervals_of(log, {StageKind::math})));
  print["addresses"] = addresses_of(log);
}

void add_scheduling(Fingerprint& print, const EventLog& log) {
  std::vector<Interval> flights;
  for (const LoggedCompletion& completion : log.completions)
    flights.emplace_back(completion.taken_ps, completion.at_ps);
  print["in_flight"] = std::to_string(most_at_once(flights));
  print["plan_delay"] = std::to_string(log.start_of(1) - log.completion_of(1).taken_ps);
}

void add_totals(Fingerprint& print, const Summary& summary) {
  const Totals& total = summary.total;
  print["macs"] = std::to_string(total.macs);
  print["tiles"] = std::to_string(summary.tiles);
  print["stages"] = stages_of(total);
  print["dma_bytes"] = fmt::format("{} {}", total.dma_read.count(), total.dma_write.count());
  print["waits"] = fmt::format("{} {} {}", total.cpu_time(CpuState::waiting).count(),
                               total.cpu_time(CpuState::queue_full).count(), total.hazard_wait().count());
  print["staging"] = std::to_string(total.staging_bytes);
  print["time"] = std::to_string(summary.time.count());
  std::uint64_t peak = 0;
  Texts names;
  for (const PeSummary& pe : summary.pes) {
    peak = std::max(peak, pe.peak_queue_bytes);
    names.push_back(pe.name);
  }
  print["queue_peak"] = std::to_string(peak);
  print["pes"] = joined(names);
}

}  // namespace

Fingerprint fingerprint_of(const EventLog& log, const Summary& summary) {
  Fingerprint print;
  add_dispatch(print, log);
  add_stages(print, log);
  add_scheduling(print, log);
  add_totals(print, summary);
  return print;
}

Quantities differences(const Fingerprint& a, const Fingerprint& b) {
  Quantities names;
  for (const auto& [name, text] : a)
    if (const auto other = b.find(name); other == b.end() || other->second != text) names.insert(name);
  for (const auto& [name, text] : b)
    if (a.count(name) == 0) names.insert(name);
  return names;
}

}  // namespace petal::test
