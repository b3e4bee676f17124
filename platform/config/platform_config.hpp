// SPDX-License-Identifier: Apache-2.0
//
// The typed configuration of a platform: what YAML becomes, and what an embedding program fills in by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "petal/command/units.hpp"
#include "petal/engines/engine_config.hpp"
#include "petal/memory/memory_config.hpp"
#include "petal/pe_cpu/dispatch_cost.hpp"
#include "petal/pe_cpu/pe_cpu_config.hpp"
#include "petal/pe_scheduler/pe_scheduler_config.hpp"

namespace petal {

/// The engines a PE has; one that is missing makes commands that need it an error before the run.
struct EngineSet {
  bool dma = true;
  bool fetch_store = true;
  bool gemm = true;
  bool math = true;
};

/// One PE. YAML: platform.pe, and the same keys of an entry of platform.pes.
struct PeConfig {
  std::string name = "pe0";              ///< not empty, unique in a platform
  std::string dispatch_preset = "none";  ///< name of the preset that set FIXED and R, or "none"
  ClockFrequency clock{1.0};
  EngineSet engines;
  ComputeSlot compute_slot = ComputeSlot::separate;
  DispatchCostConfig cost;
  PeCpuConfig cpu;
  PeSchedulerConfig scheduler;
  DmaConfig dma;
  FetchStoreConfig fetch_store;
  GemmConfig gemm;
  MathConfig math;
  TcmConfig tcm;
};

/// The PEs, in the order of their index, and the memory behind them.
struct PlatformConfig {
  std::vector<PeConfig> pes{PeConfig{}};
  HbmConfig hbm;
};

}  // namespace petal
