// SPDX-License-Identifier: Apache-2.0
//
// TensorTable: the descriptors that a command's 8-byte tensor references point into (SPEC 1.2). The host
// keeps it in memory; shape, strides, dtype and space of a tensor cross the queue never, its index does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "petal/command/tensor_resolver.hpp"

namespace petal {

/// What makes a handle unusable as a descriptor, as one line, or nothing: axes and strides of different
/// number, an unknown dtype or space, data that would reach past the end of a 64-bit address space.
std::optional<std::string> find_tensor_error(const TensorHandle& tensor);

/// Entries are numbered in the order of their first use, so that the same commands give the same table.
class TensorTable : public TensorResolver {
 public:
  /// The reference to `tensor`, entered now unless an equal one is there already. `pending` is not part of an
  /// entry. Throws EmitError for a handle that `find_tensor_error` refuses and for a table that is full (2^32
  /// entries).
  TensorReference intern(const TensorHandle& tensor);

  /// Appends an entry that came from outside and returns its index. An equal entry that is there already
  /// stays the one `intern` finds. Throws DecodeError for a tensor that `find_tensor_error` refuses and for a
  /// full table.
  std::uint32_t append(const TensorHandle& tensor);

  /// Throws DecodeError for an index outside the table and for an offset that leaves the address space.
  TensorHandle resolve(TensorReference reference) const override;

  const std::vector<TensorHandle>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const TensorHandle& tensor) const;
  };
  struct SameTensor {
    bool operator()(const TensorHandle& a, const TensorHandle& b) const { return a.same_tensor(b); }
  };

  std::uint32_t push(const TensorHandle& tensor);

  std::vector<TensorHandle> entries_;
  std::unordered_map<TensorHandle, std::uint32_t, Hash, SameTensor> indices_;
};

}  // namespace petal
