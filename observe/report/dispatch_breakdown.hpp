// SPDX-License-Identifier: Apache-2.0
//
// DispatchBreakdown: what PE_CPUs paid, by class of command, and which part of it was FIXED.
#pragma once

#include <vector>

#include "petal/observe/observer.hpp"
#include "petal/report/command_classes.hpp"
#include "petal/report/report_facts.hpp"

namespace petal {

struct DispatchCost {
  std::uint64_t commands = 0;
  double fixed_cycles = 0;
  double byte_cycles = 0;  ///< bytes x R
  Picoseconds time{0};
};

class DispatchBreakdown : public Observer {
 public:
  /// One of `pes` for each PE.
  explicit DispatchBreakdown(std::vector<PeFacts> pes) : pes_(std::move(pes)) {}

  /// OverheadCmds are not dispatched, and are not counted.
  void on_dispatch(const DispatchEvent& event) override;

  const std::vector<CommandClass>& classes() const { return classes_.classes(); }
  /// By index in classes().
  const std::vector<DispatchCost>& costs() const { return costs_; }

 private:
  std::vector<PeFacts> pes_;
  CommandClasses classes_;
  std::vector<DispatchCost> costs_;
};

}  // namespace petal
