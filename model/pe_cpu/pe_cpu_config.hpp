// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "petal/command/units.hpp"

namespace petal {

/// Which commands make PE_CPU wait for their pending inputs before they are issued (SPEC 4).
enum class AutoAwait : std::uint8_t { primitive, all, none };

/// YAML: platform.pe.attrs.pe_cpu.
struct PeCpuConfig {
  AutoAwait auto_await = AutoAwait::primitive;
  Bytes queue_bytes{4096};  ///< the command queue's capacity in logical bytes; default 4 x the cap
};

}  // namespace petal
