// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/math_engine.hpp"

#include "petal/engines/latency.hpp"

namespace petal {

MathEngine::MathEngine(const sc_core::sc_module_name& name, const MathConfig& config, ClockFrequency clock)
    : Engine(name), config_(config), clock_(clock) {}

StageTiming MathEngine::begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload&) {
  const Picoseconds end = start + math_duration(config_, clock_, stage.opcode, stage.elements);
  return {end, end};
}

}  // namespace petal
