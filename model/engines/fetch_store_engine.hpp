// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "petal/engines/engine.hpp"
#include "petal/engines/engine_config.hpp"
#include "petal/engines/recent_durations.hpp"
#include "petal/memory/byte_memory.hpp"

namespace petal {

/// PE_FETCH_STORE: the TCM's read port (FETCH) and write port (STORE), which work side by side.
class FetchStoreEngine final : public Engine {
 public:
  /// `tcm` holds the data in data mode and outlives the engine; null without.
  FetchStoreEngine(const sc_core::sc_module_name& name, const FetchStoreConfig& config, ClockFrequency clock,
                   ByteMemory* tcm);

 protected:
  StageTiming begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload& payload) override;
  void perform(const StageData& data, const StageExtension&) override;

 private:
  const FetchStoreConfig config_;
  const ClockFrequency clock_;
  ByteMemory* const tcm_;
  RecentDurations durations_;  // by bytes and port
};

}  // namespace petal
