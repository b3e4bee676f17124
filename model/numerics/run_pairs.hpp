// SPDX-License-Identifier: Apache-2.0
//
// How the elements of one tensor lie beside those of another of the same shape: as runs that are contiguous
// in both, which is what a copy between two memories moves at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "petal/command/tensor_handle.hpp"
#include "petal/memory/access_pattern.hpp"

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

  /// The runs of one side, if on the other they follow each other without gaps in the same order: the copy is
  /// then a gather from a pattern into one piece of memory, or a scatter. Nothing otherwise.
  std::optional<AccessPattern> gathered() const;   ///< of `from`; `to` is in one piece
  std::optional<AccessPattern> scattered() const;  ///< of `to`; `from` is in one piece

 private:
  struct Axis {
    std::uint64_t count;
    std::uint64_t from_step;  // bytes
    std::uint64_t to_step;    // bytes
  };

  using Step = std::uint64_t Axis::*;
  std::optional<AccessPattern> pattern(std::uint64_t address, Step patterned, Step packed) const;

  std::uint64_t from_;
  std::uint64_t to_;
  std::uint64_t run_bytes_ = 0;
  std::uint64_t runs_ = 0;
  std::vector<Axis> axes_;  // outside the runs, innermost first
};

}  // namespace petal
