// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/gemm_engine.hpp"

#include "petal/engines/latency.hpp"
#include "petal/numerics/gemm_numerics.hpp"

namespace petal {

GemmEngine::GemmEngine(const sc_core::sc_module_name& name, const GemmConfig& config, ClockFrequency clock)
    : Engine(name), config_(config), clock_(clock) {}

StageTiming GemmEngine::begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload&) {
  const Picoseconds end = start + gemm_duration(config_, clock_, stage.extent, stage.dtype);
  return {end, end};
}

void GemmEngine::perform(const StageData& data) {
  prepare_result(data);
  multiply_accumulate(*data.operands[0], *data.operands[1], *data.result);
}

}  // namespace petal
