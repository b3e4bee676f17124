// SPDX-License-Identifier: Apache-2.0
#include "petal/report/dispatch_breakdown.hpp"

namespace petal {

void DispatchBreakdown::on_dispatch(const DispatchEvent& event) {
  if (std::holds_alternative<OverheadCmd>(*event.slice.command)) return;
  const CommandClasses::Id id = classes_.id_of(event.slice);
  costs_.resize(classes_.classes().size());
  DispatchCost& cost = costs_[id];
  const double fixed = pes_[event.pe].fixed_cycles;
  ++cost.commands;
  cost.fixed_cycles += fixed;
  cost.byte_cycles += event.cycles.count() - fixed;
  cost.time += event.end - event.start;
}

}  // namespace petal
