// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "petal/config/platform_config.hpp"
#include "petal/platform/pe.hpp"

namespace petal {

/// A PE with the default values of a device: its DMA makes bursts.
PeConfig default_device_pe();

/// A PE as a device. YAML: the keys of platform.pe, and beside them `device: {...}`.
struct PeDeviceConfig {
  PeConfig pe = default_device_pe();
  double register_latency_ns = 10.0;  ///< that an access to the registers or the TCM window takes
  std::uint32_t prefetch = 2;         ///< entries of the ring that are read before PE_CPU has begun them, at least 1
  DataMode data = DataMode::on;       ///< off: timing alone, nothing is written to memory but completion records
};

}  // namespace petal
