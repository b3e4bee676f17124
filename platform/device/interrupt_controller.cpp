// SPDX-License-Identifier: Apache-2.0
#include "petal/device/interrupt_controller.hpp"

#include <algorithm>

namespace petal {

void InterruptController::report_completion() {
  ++completions_;
  status_ |= interrupt_bit::kCompletion;
  compare_with_threshold();
}

void InterruptController::report_error(const DeviceError& error) {
  if ((status_ & interrupt_bit::kError) == 0) first_error_ = error;
  status_ |= interrupt_bit::kError;
}

void InterruptController::report_idle() {
  status_ |= interrupt_bit::kIdle;
}

bool InterruptController::holds(RegisterId id) {
  return (id >= RegisterId::error_cause && id <= RegisterId::error_address_hi) ||
         (id >= RegisterId::int_status && id <= RegisterId::int_threshold);
}

std::uint32_t InterruptController::read(RegisterId id) const {
  switch (id) {
    case RegisterId::int_status:
      return status_;
    case RegisterId::int_enable:
      return enable_;
    case RegisterId::int_pending:
      return pending();
    case RegisterId::int_threshold:
      return threshold_;
    case RegisterId::error_cause:
      return first_error_.cause;
    case RegisterId::error_tag:
      return first_error_.tag;
    case RegisterId::error_address_lo:
      return static_cast<std::uint32_t>(first_error_.address);
    case RegisterId::error_address_hi:
      return static_cast<std::uint32_t>(first_error_.address >> 32U);
    default:
      return 0;
  }
}

void InterruptController::write(RegisterId id, std::uint32_t value) {
  switch (id) {
    case RegisterId::int_status:
      return clear(value);
    case RegisterId::int_enable:
      enable_ = value & interrupt_bit::kAll;
      return;
    case RegisterId::int_threshold:
      threshold_ = value;
      return compare_with_threshold();
    default:
      return;
  }
}

void InterruptController::clear(std::uint32_t bits) {
  status_ &= ~bits;
  if ((bits & interrupt_bit::kThreshold) != 0) completions_ = 0;
  if ((bits & interrupt_bit::kError) != 0) first_error_ = DeviceError();
}

// A threshold of 0 would be reached by nothing at all, for ever.
void InterruptController::compare_with_threshold() {
  if (completions_ >= std::max<std::uint64_t>(1, threshold_)) status_ |= interrupt_bit::kThreshold;
}

}  // namespace petal
