// SPDX-License-Identifier: Apache-2.0
//
// FetchedTensors: the entries of a tensor table in memory that one command needs, as they were read.
#pragma once

#include <cstdint>
#include <vector>

#include "petal/command/tensor_resolver.hpp"

namespace petal {

/// A command names few tensors, so they lie in a sorted vector.
class FetchedTensors : public TensorResolver {
 public:
  /// Keeps `tensor` as the table's entry `index`, in place of what it was.
  void set(std::uint32_t index, const TensorHandle& tensor);
  void clear() { entries_.clear(); }
  std::size_t size() const { return entries_.size(); }

  /// Throws DecodeError also for an index that has not been set.
  TensorHandle resolve(TensorReference reference) const override;

 private:
  struct Entry {
    std::uint32_t index;
    TensorHandle tensor;
  };

  std::vector<Entry> entries_;  // by index
};

}  // namespace petal
