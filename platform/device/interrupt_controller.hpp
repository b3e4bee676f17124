// SPDX-License-Identifier: Apache-2.0
//
// InterruptController: what the device reports, and whether its interrupt line is high. Holds INT_STATUS,
// INT_ENABLE, INT_PENDING, INT_THRESHOLD and ERROR_*. Pure: no SystemC, no time.
#pragma once

#include <cstdint>

#include "petal/device/register_map.hpp"

namespace petal {

/// An error that software is told of.
struct DeviceError {
  std::uint8_t cause = 0;     ///< as in ERROR_CAUSE; not 0
  std::uint32_t tag = 0;      ///< completion id of the entry, below 2^24; 0 if it belongs to none
  std::uint64_t address = 0;  ///< faulting address, 0 if there is none
};

class InterruptController {
 public:
  /// An entry was completed, whatever its status: INT_STATUS.COMPLETION, and THRESHOLD if it is one too many.
  void report_completion();
  /// INT_STATUS.ERROR. `error` is kept in ERROR_* unless an earlier one is still there.
  void report_error(const DeviceError& error);
  /// STATUS.BUSY went from 1 to 0: INT_STATUS.IDLE.
  void report_idle();

  /// The interrupt line: high while an enabled bit of INT_STATUS is set.
  bool line() const { return pending() != 0; }

  /// Whether the register is one of those held here. The others read 0 here, and ignore writes.
  static bool holds(RegisterId id);
  std::uint32_t read(RegisterId id) const;
  /// Software writes. A 1 for INT_STATUS.THRESHOLD starts its count anew; a 1 for ERROR empties ERROR_*.
  void write(RegisterId id, std::uint32_t value);

  /// As after construction.
  void reset() { *this = InterruptController(); }

 private:
  std::uint32_t pending() const { return status_ & enable_; }
  void clear(std::uint32_t bits);
  void compare_with_threshold();

  std::uint32_t status_ = info_of(RegisterId::int_status).reset;
  std::uint32_t enable_ = info_of(RegisterId::int_enable).reset;
  std::uint32_t threshold_ = info_of(RegisterId::int_threshold).reset;
  std::uint64_t completions_ = 0;  // since THRESHOLD was last cleared
  DeviceError first_error_;
};

}  // namespace petal
