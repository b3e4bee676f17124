// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "petal/config/platform_config.hpp"
#include "petal/platform/pe.hpp"

namespace YAML {
class Node;
}

namespace petal {

/// A PE with the default values of a device: its DMA makes bursts.
PeConfig default_device_pe();

/// A PE as a device.
struct PeDeviceConfig {
  PeConfig pe = default_device_pe();
  double register_latency_ns = 10.0;  ///< that an access to the registers or the TCM takes
  std::uint32_t prefetch = 2;    ///< steps that are read from the ring before PE_CPU begins them, at least 1
  DataMode data = DataMode::on;  ///< off: timing alone; nothing is written to memory but completion records
};

/// From a map with the keys of platform.pe (docs of `petal config`), and beside them
///
///     device: {register_latency_ns: 10, prefetch: 2, data: true}
///
/// Keys that are missing have the defaults above. Throws ConfigError with a line for each mistake, as a
/// scenario file does; line numbers are of the node as it is written out alone.
PeDeviceConfig device_config_from_yaml(const YAML::Node& node);

}  // namespace petal
