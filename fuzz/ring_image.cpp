// SPDX-License-Identifier: Apache-2.0
#include "ring_image.hpp"

#include <algorithm>

#include "petal/command/ring_entry.hpp"
#include "petal/command/tensor_entry.hpp"
#include "petal/command/wire_codec.hpp"

namespace petal::fuzz {
namespace {

constexpr unsigned kAllEngines = 0xF;
constexpr unsigned kStreaming = 0x10;
constexpr std::size_t kLengthAt = 4;

}  // namespace

RingImage::RingImage(ByteView input) : left_(input) {
  const ByteView head = take(2);
  const unsigned flags = head.size > 0 ? std::to_integer<unsigned>(head.data[0]) : kAllEngines;
  limits_.arena = Bytes(65536);
  limits_.has_dma = (flags & 1U) != 0;
  limits_.has_fetch_store = (flags & 2U) != 0;
  limits_.has_gemm = (flags & 4U) != 0;
  limits_.has_math = (flags & 8U) != 0;
  limits_.math_head_streaming = (flags & kStreaming) != 0;
  const std::size_t entries = head.size > 1 ? std::to_integer<std::size_t>(head.data[1]) : 0;
  const ByteView table = take(entries * kTensorEntryBytes);
  table_ = {table.data, table.size / kTensorEntryBytes};
}

ByteView RingImage::take(std::size_t bytes) {
  const ByteView taken(left_.data, std::min(bytes, left_.size));
  left_ = ByteView(left_.data + taken.size, left_.size - taken.size);
  return taken;
}

ByteView RingImage::table_entry(std::size_t index) const {
  return {table_.first + index * kTensorEntryBytes, kTensorEntryBytes};
}

bool RingImage::next_slot(Slot& slot) {
  slot.header = take(kRingHeaderBytes);
  if (slot.header.size < kRingHeaderBytes) return false;
  const auto low = std::to_integer<std::size_t>(slot.header.data[kLengthAt]);
  const auto high = std::to_integer<std::size_t>(slot.header.data[kLengthAt + 1]);
  slot.command = take(low | high << 8U);
  return true;
}

void RingImageWriter::add(const PeCommand& command, std::vector<std::size_t> lengths) {
  PeCommand sent = command;
  framing_of(sent).completion = next_number_ + 1;
  const std::vector<std::byte> bytes = encode(sent, table_);
  if (lengths.empty()) lengths = {bytes.size()};
  std::size_t at = 0;
  for (std::size_t index = 0; index < lengths.size(); ++index) {
    RingEntry entry;
    entry.number = next_number_;
    entry.length = static_cast<std::uint16_t>(lengths[index]);
    entry.first = index == 0;
    entry.last = index + 1 == lengths.size();
    entry.completion = ++next_number_;
    const std::vector<std::byte> header = encode_ring_entry(entry);
    slots_.insert(slots_.end(), header.begin(), header.end());
    slots_.insert(slots_.end(), bytes.data() + at, bytes.data() + at + lengths[index]);
    at += lengths[index];
  }
}

std::vector<std::byte> RingImageWriter::take() const {
  std::vector<std::byte> image = {static_cast<std::byte>(kAllEngines | (streaming_ ? kStreaming : 0U)),
                                  static_cast<std::byte>(table_.size())};
  for (const TensorHandle& tensor : table_.entries()) {
    const std::vector<std::byte> entry = encode_tensor_entry(tensor);
    image.insert(image.end(), entry.begin(), entry.end());
  }
  image.insert(image.end(), slots_.begin(), slots_.end());
  return image;
}

}  // namespace petal::fuzz
