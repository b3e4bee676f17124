// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <functional>
#include <queue>

#include "petal/check/rules.hpp"

namespace petal::check {
namespace {

/// The stage that keeps a port busy longest so far.
using Holders = std::array<const LogRow*, kLogStages>;

std::size_t port_of(const LogRow& stage, const PeRules& rules) {
  if (stage.stage == LogStage::math && rules.shares_compute_slot)
    return static_cast<std::size_t>(LogStage::gemm);
  return static_cast<std::size_t>(stage.stage);
}

}  // namespace

void check_engine_exclusive(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  Holders holders{};
  for (const LogRow* const stage : pe.stages) {
    const LogRow*& holder = holders[port_of(*stage, rules)];
    // A stage of no duration may come before another that starts at the same instant.
    const bool is_instant = stage->busy_end == stage->start;
    if (holder != nullptr && stage->start < holder->busy_end &&
        !(is_instant && stage->start == holder->start))
      violations.add("engine-exclusive", {holder->seq, stage->seq}, [&] {
        return fmt::format("PE {}'s port is busy until {} ps but starts another stage at {} ps", pe.pe,
                           holder->busy_end, stage->start);
      });
    if (holder == nullptr || stage->busy_end > holder->busy_end) holder = stage;
  }
}

void check_dma_outstanding(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  for (const LogStage channel : {LogStage::dma_read, LogStage::dma_write}) {
    std::priority_queue<Time, std::vector<Time>, std::greater<>> arrivals;
    for (const LogRow* const stage : pe.stages) {
      if (stage->stage != channel || stage->end == stage->start) continue;
      while (!arrivals.empty() && arrivals.top() <= stage->start) arrivals.pop();
      arrivals.push(stage->end);
      if (arrivals.size() > rules.dma_outstanding)
        violations.add("dma-outstanding", {stage->seq}, [&] {
          return fmt::format("PE {} has {} transfers outstanding on one DMA channel at {} ps, allowed are {}",
                             pe.pe, arrivals.size(), stage->start, rules.dma_outstanding);
        });
    }
  }
}

}  // namespace petal::check
