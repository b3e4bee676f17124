// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/gemm_engine.hpp"

#include "petal/engines/latency.hpp"
#include "petal/numerics/gemm_numerics.hpp"

namespace petal {

GemmEngine::GemmEngine(const sc_core::sc_module_name& name, const GemmConfig& config, ClockFrequency clock)
    : Engine(name), config_(config), clock_(clock), duration_(gemm_duration(config, clock, size_, dtype_)) {}

StageTiming GemmEngine::begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload&) {
  if (stage.extent != size_ || stage.dtype != dtype_) {
    size_ = stage.extent;
    dtype_ = stage.dtype;
    duration_ = gemm_duration(config_, clock_, size_, dtype_);
  }
  return {start + duration_, start + duration_};
}

void GemmEngine::perform(const StageData& data, const StageExtension&) {
  prepare_result(data);
  multiply_accumulate(*data.operands[0], *data.operands[1], *data.result);
}

}  // namespace petal
