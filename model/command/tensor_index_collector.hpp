// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "petal/command/tensor_resolver.hpp"

namespace petal {

/// Notes which entries of a tensor table a command names, and gives a blank tensor for each of them: what
/// decoding needs before the table has been read.
class TensorIndexCollector : public TensorResolver {
 public:
  TensorHandle resolve(TensorReference reference) const override;

  /// What has been named since the last call, ascending, each index once.
  std::vector<std::uint32_t> take();

 private:
  mutable std::vector<std::uint32_t> indices_;  // in order of naming
};

}  // namespace petal
