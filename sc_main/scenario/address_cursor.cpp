// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/address_cursor.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/command/integer_math.hpp"

namespace petal {
namespace {

constexpr std::uint64_t kAlignment = 4096;

}  // namespace

std::uint64_t AddressCursor::place(const Dims& shape, DType dtype) {
  const std::uint64_t address = next_;
  std::uint64_t bytes = size_of(dtype);
  for (const std::uint64_t size : shape)
    if (__builtin_mul_overflow(bytes, size, &bytes)) refuse();
  if (bytes > capacity_ || address > capacity_ - bytes) refuse();
  next_ = round_up(address + bytes, kAlignment);
  return address;
}

void AddressCursor::refuse() const {
  throw ConfigError(fmt::format(
      "platform.hbm.capacity: the tensors of {} do not fit in {} bytes; raise the capacity or make the "
      "workload smaller",
      what_, capacity_));
}

}  // namespace petal
