// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "petal/engines/engine.hpp"
#include "petal/engines/engine_config.hpp"

namespace petal {

/// PE_FETCH_STORE: the TCM's read port (FETCH) and write port (STORE), which work side by side.
class FetchStoreEngine final : public Engine {
 public:
  FetchStoreEngine(const sc_core::sc_module_name& name, const FetchStoreConfig& config, ClockFrequency clock);

 protected:
  StageTiming begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload& payload) override;

 private:
  const FetchStoreConfig config_;
  const ClockFrequency clock_;
};

}  // namespace petal
