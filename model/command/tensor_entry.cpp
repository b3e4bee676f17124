// SPDX-License-Identifier: Apache-2.0
#include "petal/command/tensor_entry.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/command/tensor_table.hpp"

namespace petal {
namespace {

constexpr std::size_t kReservedBytes = 5;

void write_axes(WireWriter& writer, const Dims& values) {
  for (std::size_t axis = 0; axis < Dims::kMaxRank; ++axis)
    writer.u64(axis < values.rank() ? values[axis] : 0);
}

Dims read_axes(WireReader& reader, std::size_t rank, const char* what) {
  Dims values;
  for (std::size_t axis = 0; axis < Dims::kMaxRank; ++axis) {
    const std::uint64_t value = reader.u64(what);
    if (axis < rank)
      values.push_back(value);
    else if (value != 0)
      throw DecodeError(fmt::format("the {} of axis {} is {}, but the tensor has {} axes; write 0", what,
                                    axis, value, rank));
  }
  return values;
}

}  // namespace

std::vector<std::byte> encode_tensor_entry(const TensorHandle& tensor) {
  WireWriter writer(kTensorEntryBytes);
  writer.u64(tensor.address);
  writer.u8(static_cast<std::uint8_t>(tensor.dtype));
  writer.u8(static_cast<std::uint8_t>(tensor.space));
  writer.u8(static_cast<std::uint8_t>(tensor.shape.rank()));
  for (std::size_t index = 0; index < kReservedBytes; ++index) writer.u8(0);
  write_axes(writer, tensor.shape);
  write_axes(writer, tensor.strides);
  return writer.take();
}

TensorHandle decode_tensor_entry(ByteView bytes) {
  if (bytes.size != kTensorEntryBytes)
    throw DecodeError(fmt::format("a tensor table entry is {} bytes, not {}", kTensorEntryBytes, bytes.size));
  WireReader reader(bytes);
  TensorHandle tensor;
  tensor.address = reader.u64("address");
  tensor.dtype = static_cast<DType>(reader.u8("dtype"));
  tensor.space = static_cast<Space>(reader.u8("space"));
  const std::size_t rank = reader.u8("rank");
  if (rank > Dims::kMaxRank)
    throw DecodeError(fmt::format("a tensor has {} axes; it can have 0 to {}", rank, Dims::kMaxRank));
  for (std::size_t index = 0; index < kReservedBytes; ++index)
    if (const std::uint8_t byte = reader.u8("reserved"); byte != 0)
      throw DecodeError(fmt::format("reserved byte {} is {}; write 0", reader.position() - 1, byte));
  tensor.shape = read_axes(reader, rank, "shape");
  tensor.strides = read_axes(reader, rank, "stride");
  if (const auto problem = find_tensor_error(tensor)) throw DecodeError(*problem);
  return tensor;
}

}  // namespace petal
