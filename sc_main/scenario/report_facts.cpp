// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/report_facts.hpp"

#include <algorithm>

#include "petal/scenario/memory_facts.hpp"

namespace petal {
namespace {

constexpr double kOperationsAMac = 2.0;

/// Fastest first; rates that are not limited lead.
std::vector<PeakRate> peaks_of(const PeConfig& pe) {
  if (!pe.engines.gemm) return {};
  const double gops_a_mac = kOperationsAMac * pe.clock.gigahertz();
  if (pe.gemm.model == GemmModel::systolic)
    return {{"array", static_cast<double>(pe.gemm.array.rows * pe.gemm.array.cols) * gops_a_mac}};
  std::vector<PeakRate> peaks = {{"8-bit", pe.gemm.macs_per_cycle_8bit * gops_a_mac},
                                 {"f16", pe.gemm.macs_per_cycle_f16 * gops_a_mac},
                                 {"f32", pe.gemm.macs_per_cycle_f32 * gops_a_mac}};
  std::stable_sort(peaks.begin(), peaks.end(), [](const PeakRate& a, const PeakRate& b) {
    return a.gops == 0 ? b.gops != 0 : b.gops != 0 && a.gops > b.gops;
  });
  return peaks;
}

PeFacts facts_of(const PeConfig& pe) {
  PeFacts facts;
  facts.fixed_cycles = pe.cost.fixed_per_cmd_cycles;
  facts.cycles_per_byte = pe.cost.byte_cycles_recip;
  facts.clock_ghz = pe.clock.gigahertz();
  facts.queue_bytes = pe.cpu.queue_bytes.count();
  facts.max_in_flight = pe.scheduler.max_in_flight;
  facts.peaks = peaks_of(pe);
  return facts;
}

}  // namespace

ReportFacts report_facts(const std::string& scenario, const PlatformConfig& platform) {
  ReportFacts facts;
  facts.scenario = scenario;
  for (const PeConfig& pe : platform.pes) facts.pes.push_back(facts_of(pe));
  facts.memory = memory_facts(platform.hbm);
  return facts;
}

}  // namespace petal
