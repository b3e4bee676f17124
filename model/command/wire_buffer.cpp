// SPDX-License-Identifier: Apache-2.0
#include "petal/command/wire_buffer.hpp"

#include <fmt/format.h>

#include <cstring>

#include "petal/command/error.hpp"

namespace petal {
namespace {

constexpr unsigned kBitsAByte = 8;

struct WriteScalar {
  WireWriter& writer;

  void operator()(std::int32_t value) const { writer.u32(static_cast<std::uint32_t>(value)); }
  void operator()(float value) const { writer.f32(value); }
  void operator()(bool value) const { writer.u8(value ? 1 : 0); }
  void operator()(Tag value) const { writer.u8(value.value); }
  void operator()(const std::vector<std::int32_t>& values) const {
    writer.u8(static_cast<std::uint8_t>(values.size()));
    for (const std::int32_t value : values) (*this)(value);
  }
};

}  // namespace

void WireWriter::little_endian(std::uint64_t value, std::size_t width) {
  for (std::size_t index = 0; index < width; ++index) {
    bytes_.push_back(static_cast<std::byte>(value & 0xFFU));
    value >>= kBitsAByte;
  }
}

void WireWriter::f32(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  u32(bits);
}

void WireWriter::scalar(const ScalarValue& value) {
  std::visit(WriteScalar{*this}, value);
}

std::uint64_t WireReader::little_endian(std::size_t width, std::string_view what) {
  if (remaining() < width)
    throw DecodeError(
        fmt::format("byte {}: the command ends after {} bytes, inside {} ({} bytes); send it whole",
                    position_, bytes_.size, what, width));
  std::uint64_t value = 0;
  for (std::size_t index = width; index-- > 0;)
    value = value << kBitsAByte | std::to_integer<std::uint64_t>(bytes_.data[position_ + index]);
  position_ += width;
  return value;
}

float WireReader::f32(std::string_view what) {
  const std::uint32_t bits = u32(what);
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

bool WireReader::boolean(std::string_view what) {
  const std::uint8_t byte = u8(what);
  if (byte > 1)
    throw DecodeError(fmt::format("byte {}: {} is {}, but a bool is 0 or 1", position_ - 1, what, byte));
  return byte == 1;
}

std::vector<std::int32_t> WireReader::tuple(std::string_view what) {
  std::vector<std::int32_t> values(u8(what));
  for (std::int32_t& value : values) value = static_cast<std::int32_t>(u32(what));
  return values;
}

ScalarValue WireReader::scalar(ScalarType type, std::string_view what) {
  switch (type) {
    case ScalarType::i32:
      return static_cast<std::int32_t>(u32(what));
    case ScalarType::f32:
      return f32(what);
    case ScalarType::boolean:
      return boolean(what);
    case ScalarType::tuple:
      return tuple(what);
    case ScalarType::tag:
      return Tag{u8(what)};
  }
  throw DecodeError(fmt::format("byte {}: {} has no known scalar type", position_, what));
}

}  // namespace petal
