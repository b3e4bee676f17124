// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "petal/engines/engine.hpp"
#include "petal/engines/engine_config.hpp"

namespace petal {

/// PE_GEMM: matrix products of one tile step, accumulated in the engine.
class GemmEngine final : public Engine {
 public:
  GemmEngine(const sc_core::sc_module_name& name, const GemmConfig& config, ClockFrequency clock);

 protected:
  StageTiming begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload& payload) override;
  void perform(const StageData& data, const StageExtension&) override;

 private:
  const GemmConfig config_;
  const ClockFrequency clock_;
  // Of the latest stage. The steps of a tile loop are of one size, but for its edges.
  GemmShape size_;
  DType dtype_ = DType::f32;
  Picoseconds duration_;
};

}  // namespace petal
