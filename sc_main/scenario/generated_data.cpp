// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/generated_data.hpp"

namespace petal {
namespace {

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): a bijection that
/// leaves no pattern in consecutive inputs.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

}  // namespace

GeneratedData::GeneratedData(std::uint64_t seed, std::string_view tensor) : stream_(mixed(seed)) {
  for (const char letter : tensor) stream_ = mixed(stream_ ^ static_cast<unsigned char>(letter));
}

double GeneratedData::value(std::uint64_t index, DType dtype) const {
  const std::uint64_t bits = mixed(stream_ + index * 0xD1342543DE82EF95U);
  if (dtype == DType::boolean) return static_cast<double>(bits >> 63U);
  if (!is_floating(dtype)) return static_cast<double>(bits >> 56U) - 128.0;
  return static_cast<double>(bits >> 11U) * 0x1p-52 - 1.0;
}

}  // namespace petal
