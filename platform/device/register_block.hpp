// SPDX-License-Identifier: Apache-2.0
//
// RegisterBlock: the values of the registers and what a write does to them: read-only bits, write-only bits,
// the lock. INT_* and ERROR_* are InterruptController's. Pure: no SystemC.
#pragma once

#include <array>
#include <cstdint>

#include "petal/device/register_map.hpp"

namespace petal {

/// What a write by software came to.
struct RegisterWrite {
  bool refused_by_lock = false;  ///< nothing was changed
  std::uint32_t before = 0;      ///< the register's value before
  std::uint32_t after = 0;       ///< and now
  std::uint32_t started = 0;     ///< what was written to write-only bits
};

class RegisterBlock {
 public:
  /// Each register has its reset value; those of the configuration are 0.
  RegisterBlock() { reset(); }

  /// As after construction, but for the registers of the configuration, which stay.
  void reset();

  /// As software reads it: bits that are reserved or write-only are 0.
  std::uint32_t read(RegisterId id) const;
  /// Two registers that are the halves of a number.
  std::uint64_t read_pair(RegisterId low, RegisterId high) const;

  /// Software writes `value`. Bits that cannot be written stay as they are. Locked registers are refused
  /// while CONTROL.ENABLE is 1.
  RegisterWrite write(RegisterId id, std::uint32_t value);

  /// The device sets a register, whatever software may do with it.
  void set(RegisterId id, std::uint32_t value);
  void set_pair(RegisterId low, RegisterId high, std::uint64_t value);

 private:
  bool locked(const RegisterInfo& info) const;
  std::uint32_t& value_of(RegisterId id) { return values_.at(static_cast<std::size_t>(id)); }

  std::array<std::uint32_t, kRegisterCount> values_{};
};

}  // namespace petal
