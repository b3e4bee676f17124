// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "petal/engines/engine.hpp"
#include "petal/engines/engine_config.hpp"
#include "petal/engines/recent_durations.hpp"

namespace petal {

/// PE_MATH: vector operations, `lanes` elements at a time.
class MathEngine final : public Engine {
 public:
  MathEngine(const sc_core::sc_module_name& name, const MathConfig& config, ClockFrequency clock);

 protected:
  StageTiming begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload& payload) override;
  void perform(const StageData& data, const StageExtension&) override;

 private:
  const MathConfig config_;
  const ClockFrequency clock_;
  RecentDurations durations_;          // by elements and opcode
  std::vector<const Tile*> operands_;  // kept for its storage
};

}  // namespace petal
