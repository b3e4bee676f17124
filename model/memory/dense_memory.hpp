// SPDX-License-Identifier: Apache-2.0
//
// DenseMemory: a small memory that is used throughout, such as a TCM. Bytes never written read as 0xFF, which
// is a NaN in every floating-point dtype of PETAL: a kernel that computes with data nobody produced shows it.
#pragma once

#include <vector>

#include "petal/memory/byte_memory.hpp"

namespace petal {

class DenseMemory final : public ByteMemory {
 public:
  static constexpr std::byte kNeverWritten{0xFF};

  using ByteMemory::ByteMemory;

  /// Host memory it takes: grown on demand, up to the highest byte written and at most doubled beyond it.
  std::uint64_t allocated_bytes() const { return bytes_.size(); }

 protected:
  void read_within(std::uint64_t address, std::byte* to, std::uint64_t bytes) const override;
  void write_within(std::uint64_t address, const std::byte* from, std::uint64_t bytes) override;
  const std::byte* view_within(std::uint64_t address, std::uint64_t bytes) const override;
  std::byte* view_for_writing_within(std::uint64_t address, std::uint64_t bytes) override;

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace petal
