// SPDX-License-Identifier: Apache-2.0
//
// RegisterBackend: what stands behind the registers' socket.
#pragma once

#include <cstdint>
#include <systemc>

#include "petal/device/register_map.hpp"

namespace petal {

class RegisterBackend {
 public:
  virtual ~RegisterBackend() = default;

  /// The register's present value. Has no side effect; takes no time.
  virtual std::uint32_t read(RegisterId id) const = 0;

  /// Software has written `value`, which takes effect `delay` from now. Does not wait. Called for every
  /// register, also for those that cannot be written.
  virtual void write(RegisterId id, std::uint32_t value, const sc_core::sc_time& delay) = 0;
};

}  // namespace petal
