// SPDX-License-Identifier: Apache-2.0
//
// An entry of a tensor table in memory: 80 bytes, little endian.
//
//      0  u64     byte address of element 0
//      8  u8      dtype, as DType counts
//      9  u8      space: 0 hbm, 1 tcm
//     10  u8      rank, 0 to 4
//     11  u8[5]   0
//     16  u64[4]  shape, in elements; 0 from the rank on
//     48  u64[4]  strides, in elements; 0 from the rank on
#pragma once

#include <cstddef>
#include <vector>

#include "petal/command/tensor_handle.hpp"
#include "petal/command/wire_buffer.hpp"

namespace petal {

inline constexpr std::size_t kTensorEntryBytes = 80;

/// The entry of `tensor`; `pending` and `lease` are not part of it. Precondition: find_tensor_error has
/// nothing against it.
std::vector<std::byte> encode_tensor_entry(const TensorHandle& tensor);

/// The inverse. The bytes may be anything. Throws DecodeError for another number of bytes than an entry has,
/// an unknown dtype or space, a rank above 4, bytes that must be 0 and are not, and what find_tensor_error
/// refuses.
TensorHandle decode_tensor_entry(ByteView bytes);

}  // namespace petal
