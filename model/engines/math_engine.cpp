// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/math_engine.hpp"

#include "petal/engines/latency.hpp"
#include "petal/numerics/math_numerics.hpp"

namespace petal {

MathEngine::MathEngine(const sc_core::sc_module_name& name, const MathConfig& config, ClockFrequency clock)
    : Engine(name), config_(config), clock_(clock) {}

StageTiming MathEngine::begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload&) {
  const auto opcode = static_cast<std::uint8_t>(stage.opcode);
  const Picoseconds end = start + durations_.get(stage.elements, opcode, [&] {
    return math_duration(config_, clock_, stage.opcode, stage.elements);
  });
  return {end, end};
}

void MathEngine::perform(const StageData& data, const StageExtension&) {
  prepare_result(data);
  operands_.assign(data.operands.begin(), data.operands.begin() + data.operand_count);
  apply_math(*data.op, operands_, data.shape, *data.result);
}

}  // namespace petal
