// SPDX-License-Identifier: Apache-2.0
//
// KernelOp: a KERNEL-scope MATH op in flight: FETCH of its inputs, MATH, STORE of its out, each once, one
// after the other (SPEC 5, MATH stages). An op without inputs (`fill`) has no FETCH.
#pragma once

#include "petal/engines/stage_data.hpp"
#include "petal/pe_scheduler/stage_outlet.hpp"

namespace petal {

class KernelOp {
 public:
  /// `first_number` is the plan number of its first stage; it takes three.
  static constexpr std::uint64_t kNumbers = 3;

  KernelOp(const RunContext& context, const PlacedOp& placed, std::uint64_t first_number, StageOutlet& outlet)
      : context_(context), placed_(placed), first_number_(first_number), outlet_(&outlet) {}

  void begin(const CriticalPath& path);
  /// True if that was its last stage.
  bool stage_ended(const Stage& stage, const CriticalPath& path);
  static StageViews views_of(const OpSpec& op, const Stage& stage);
  static StageData data_of(const OpSpec& op, const Stage& stage, RegisterFile& registers);

 private:
  void emit(StageKind kind, const CriticalPath& path);

  RunContext context_;
  PlacedOp placed_;
  std::uint64_t first_number_;
  StageOutlet* outlet_;
};

/// Elements of work in a whole MATH op: its input's for a reduction, else its out's.
std::uint64_t math_elements(const OpSpec& op);

}  // namespace petal
