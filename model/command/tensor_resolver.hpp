// SPDX-License-Identifier: Apache-2.0
//
// TensorResolver: what gives a command's tensor references their tensors: a table in the program
// (TensorTable), or the entries that a device has read of one in memory (FetchedTensors).
#pragma once

#include <cstdint>

#include "petal/command/tensor_handle.hpp"

namespace petal {

/// A tensor on the wire: the table index in the low 32 bits, a byte offset to add to its address in the
/// high 32.
using TensorReference = std::uint64_t;

constexpr std::uint32_t table_index_of(TensorReference reference) {
  return static_cast<std::uint32_t>(reference & 0xFFFFFFFFU);
}
constexpr std::uint32_t byte_offset_of(TensorReference reference) {
  return static_cast<std::uint32_t>(reference >> 32U);
}
constexpr TensorReference make_reference(std::uint32_t table_index, std::uint32_t byte_offset) {
  return std::uint64_t{byte_offset} << 32U | table_index;
}

class TensorResolver {
 public:
  virtual ~TensorResolver() = default;
  /// The tensor that `reference` names, pending nothing. Throws DecodeError for an index it has no entry of
  /// and for an offset that leaves the address space.
  virtual TensorHandle resolve(TensorReference reference) const = 0;
};

/// `entry`, the table's at the index of `reference`, with the reference's offset added to its address.
/// Throws DecodeError where that leaves the address space.
TensorHandle at_offset_of(TensorReference reference, const TensorHandle& entry);

}  // namespace petal
