// SPDX-License-Identifier: Apache-2.0
#include "petal/command/tensor_resolver.hpp"

#include <fmt/format.h>

#include <limits>

#include "petal/command/error.hpp"

namespace petal {

TensorHandle at_offset_of(TensorReference reference, const TensorHandle& entry) {
  const std::uint32_t offset = byte_offset_of(reference);
  if (offset > std::numeric_limits<std::uint64_t>::max() - entry.range().end)
    throw DecodeError(
        fmt::format("tensor index {} with offset {:#x} puts {} past the end of the 64-bit address space; "
                    "use a smaller offset",
                    table_index_of(reference), offset, entry.to_string()));
  TensorHandle tensor = entry;
  tensor.address += offset;
  return tensor;
}

}  // namespace petal
