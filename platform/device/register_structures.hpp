// SPDX-License-Identifier: Apache-2.0
//
// What software and device share in memory, and the numbers both use, as tables: the source of the C header
// and the documentation, as the register map is. Pure: no SystemC.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "petal/device/register_map.hpp"

namespace petal {

/// Bits of a member: [low, low + width).
struct StructureBits {
  std::string_view name;
  unsigned low = 0;
  unsigned width = 0;
  std::string_view text;

  constexpr std::uint32_t mask() const { return bit_mask(low, width); }
};

struct StructureMember {
  std::string_view name;  ///< empty: reserved, must be 0
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  ///< of one element
  std::uint64_t count = 1;  ///< elements; more than 1: an array; 0: as many as there are
  std::string_view text;
  std::vector<StructureBits> bits{};
};

/// Members in the order of their offsets, without gaps. Little endian.
struct MemoryStructure {
  std::string_view name;    ///< "SLOT": the word that begins its names in the C header
  std::string_view title;   ///< "Ring slot"
  std::uint64_t bytes = 0;  ///< 0: software chooses
  std::string_view text;
  std::vector<StructureMember> members;
};

/// A slot of the command ring, an entry of the tensor table, a completion record.
const std::vector<MemoryStructure>& memory_structures();

struct NamedNumber {
  std::string_view name;
  std::uint32_t value = 0;
  std::string_view text;
};

/// Numbers of one kind: causes, dtypes, spaces.
struct NumberFamily {
  std::string_view name;   ///< "CAUSE": the word that begins its names in the C header
  std::string_view title;  ///< "Causes and statuses"
  std::vector<NamedNumber> numbers;
};

const std::vector<NumberFamily>& number_families();

}  // namespace petal
