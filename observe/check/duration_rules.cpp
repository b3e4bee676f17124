// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "petal/check/rules.hpp"

namespace petal::check {
namespace {

/// A duration may be one rounding of a sum or a sum of two roundings.
constexpr Time kRounding = 1;

/// The opcodes whose vectors cost `slow_cycles` (SPEC 12.1: exp-like, div, tanh, rsqrt).
constexpr std::array<std::string_view, 10> kSlowOps = {"exp",  "exp_diff", "div",     "div_bcast", "gelu",
                                                       "tanh", "rsqrt",    "sigmoid", "silu",      "softcap"};

bool is_near(Time value, Time expected) {
  return value >= expected - kRounding && value <= expected + kRounding;
}

class DurationCheck {
 public:
  DurationCheck(const PeRules& rules, ViolationList& violations) : rules_(rules), violations_(violations) {}

  void check(const LogRow& stage) {
    switch (stage.stage) {
      case LogStage::dma_read:
      case LogStage::dma_write:
        return dma(stage);
      case LogStage::fetch:
        return port(stage, rules_.fetch_gb_per_s);
      case LogStage::store:
        return port(stage, rules_.store_gb_per_s);
      case LogStage::gemm:
        return gemm(stage);
      case LogStage::math:
        return math(stage);
    }
  }

 private:
  void bad(const LogRow& stage, const std::string& must) {
    violations_.add("duration", {stage.seq}, [&] {
      return fmt::format("a stage of command {} takes {} ps, {} of it occupying its port; must be {}",
                         stage.cmd, stage.end - stage.start, stage.busy_end - stage.start, must);
    });
  }

  void exactly(const LogRow& stage, Time expected) {
    if (stage.busy_end != stage.end || !is_near(stage.end - stage.start, expected))
      bad(stage, fmt::format("{} ps, all of it occupying the port", expected));
  }

  /// The channels may be shared or unevenly used, so the full bandwidth gives a bound only. What a memory of
  /// somebody else's takes for bursts nobody knows here.
  void dma(const LogRow& stage) {
    if (rules_.dma_makes_bursts) return burst_dma(stage);
    const Time shortest = rules_.time_of_cycles(rules_.dma_setup_cycles) +
                          PeRules::time_of_bytes(stage.bytes, rules_.hbm_gb_per_s);
    if (stage.busy_end - stage.start < shortest - kRounding ||
        !is_near(stage.end - stage.busy_end, rules_.hbm_latency))
      bad(stage, fmt::format("at least {} ps of moving {} bytes, then {} ps of latency", shortest,
                             stage.bytes, rules_.hbm_latency));
  }

  /// The memory behind the bursts may be anybody's.
  void burst_dma(const LogRow& stage) {
    const Time setup = rules_.time_of_cycles(rules_.dma_setup_cycles);
    if (stage.busy_end - stage.start < setup - kRounding || stage.end < stage.busy_end)
      bad(stage, fmt::format("at least {} ps of setup, and no end before the channel is free", setup));
  }

  void port(const LogRow& stage, double gb_per_s) {
    exactly(stage,
            rules_.time_of_cycles(rules_.port_setup_cycles) + PeRules::time_of_bytes(stage.bytes, gb_per_s));
  }

  void math(const LogRow& stage) {
    const bool is_slow = std::find(kSlowOps.begin(), kSlowOps.end(), stage.op) != kSlowOps.end();
    const std::uint64_t lanes = std::max<std::uint64_t>(rules_.lanes, 1);
    const std::uint64_t vectors = stage.elements / lanes + (stage.elements % lanes != 0 ? 1 : 0);
    exactly(stage, rules_.time_of_cycles(rules_.math_startup_cycles +
                                         static_cast<double>(vectors) *
                                             (is_slow ? rules_.slow_cycles : rules_.fast_cycles)));
  }

  /// The log does not say the operands' type, so one of the rates must fit. With m_quantum above 1 the rows,
  /// which it does not say either, are padded to at most that many times the MACs.
  void gemm(const LogRow& stage) {
    if (rules_.systolic) return;  // its own rule, which looks at the whole tile loop
    const Time duration = stage.end - stage.start;
    const auto macs = static_cast<double>(stage.macs);
    for (const double rate : rules_.macs_per_cycle) {
      const Time least = rate == 0 ? 0 : rules_.time_of_cycles(macs / rate);
      const Time most =
          rate == 0 ? 0 : rules_.time_of_cycles(macs * static_cast<double>(rules_.m_quantum) / rate);
      if (duration >= least - kRounding && duration <= most + kRounding && stage.busy_end == stage.end)
        return;
    }
    bad(stage, fmt::format("{} MACs / {} MACs a cycle at {} GHz", stage.macs,
                           fmt::join(rules_.macs_per_cycle, " or "), rules_.clock_ghz));
  }

  const PeRules& rules_;
  ViolationList& violations_;
};

}  // namespace

void check_durations(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  DurationCheck check(rules, violations);
  for (const LogRow* const stage : pe.stages) check.check(*stage);
  if (rules.systolic) check_systolic_durations(pe, rules, violations);
}

}  // namespace petal::check
