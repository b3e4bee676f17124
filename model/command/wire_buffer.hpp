// SPDX-License-Identifier: Apache-2.0
//
// Bytes on the wire: a writer that appends little-endian numbers and a reader that never goes past the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "petal/command/op_spec.hpp"

namespace petal {

/// Bytes that somebody else owns and keeps alive while the view is used.
struct ByteView {
  const std::byte* data = nullptr;
  std::size_t size = 0;

  ByteView() = default;
  ByteView(const std::byte* first, std::size_t count) : data(first), size(count) {}
  /// A vector converts by itself, so that what `encode` returns can be handed to `decode`.
  ByteView(const std::vector<std::byte>& bytes) : data(bytes.data()), size(bytes.size()) {}
};

/// Appends numbers, least significant byte first.
class WireWriter {
 public:
  /// Makes room for `bytes` bytes, to save growing on the way.
  explicit WireWriter(std::size_t bytes) { bytes_.reserve(bytes); }

  void u8(std::uint8_t value) { little_endian(value, 1); }
  void u32(std::uint32_t value) { little_endian(value, 4); }
  void u64(std::uint64_t value) { little_endian(value, 8); }
  /// The bits of `value`, so that a NaN keeps its payload.
  void f32(float value);
  /// The value alone, by its type's size (SPEC 1.1). Precondition: a tuple has at most 255 entries.
  void scalar(const ScalarValue& value);

  /// Hands over what has been written.
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void little_endian(std::uint64_t value, std::size_t width);

  std::vector<std::byte> bytes_;
};

/// Takes numbers off the front of a view. Every function throws DecodeError if the bytes end too early;
/// `what` names the field in its message.
class WireReader {
 public:
  explicit WireReader(ByteView bytes) : bytes_(bytes) {}

  std::uint8_t u8(std::string_view what) { return static_cast<std::uint8_t>(little_endian(1, what)); }
  std::uint32_t u32(std::string_view what) { return static_cast<std::uint32_t>(little_endian(4, what)); }
  std::uint64_t u64(std::string_view what) { return little_endian(8, what); }
  float f32(std::string_view what);
  /// Throws DecodeError also for a bool that is neither 0 nor 1.
  ScalarValue scalar(ScalarType type, std::string_view what);

  /// Bytes taken so far: where a message says that something is wrong.
  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size - position_; }

 private:
  std::uint64_t little_endian(std::size_t width, std::string_view what);
  bool boolean(std::string_view what);
  std::vector<std::int32_t> tuple(std::string_view what);

  ByteView bytes_;
  std::size_t position_ = 0;
};

}  // namespace petal
