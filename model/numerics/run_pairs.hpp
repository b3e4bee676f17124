// SPDX-License-Identifier: Apache-2.0
//
// How the elements of one tensor lie beside those of another of the same shape: as runs that are contiguous
// in both, which is what a copy between two memories moves at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "petal/command/tensor_handle.hpp"

namespace petal {

class RunPairs {
 public:
  /// `from` and `to` have one shape and dtype. Throws std::invalid_argument if they have not.
  RunPairs(const TensorHandle& from, const TensorHandle& to);

  /// Bytes of each run; 0 if there are no elements.
  std::uint64_t run_bytes() const { return run_bytes_; }
  std::uint64_t runs() const { return runs_; }
  /// Byte addresses of the first element of run `index` in both.
  struct Addresses {
    std::uint64_t from;
    std::uint64_t to;
  };
  Addresses run(std::uint64_t index) const;

 private:
  struct Axis {
    std::uint64_t count;
    std::uint64_t from_step;  // bytes
    std::uint64_t to_step;    // bytes
  };

  std::uint64_t from_;
  std::uint64_t to_;
  std::uint64_t run_bytes_ = 0;
  std::uint64_t runs_ = 0;
  std::vector<Axis> axes_;  // outside the runs, innermost first
};

}  // namespace petal
