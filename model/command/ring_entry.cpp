// SPDX-License-Identifier: Apache-2.0
#include "petal/command/ring_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "petal/command/tensor_handle.hpp"

namespace petal {
namespace {

constexpr std::uint32_t kLengthMask = 0xFFFF;
constexpr std::uint32_t kFirst = std::uint32_t{1} << 16U;
constexpr std::uint32_t kLast = std::uint32_t{1} << 17U;
constexpr std::uint32_t kValid = std::uint32_t{1} << 31U;
constexpr std::uint32_t kKnownControl = kLengthMask | kFirst | kLast | kValid;

struct Words {
  std::uint32_t sequence;
  std::uint32_t control;
  std::uint32_t completion;
  std::uint32_t reserved;
};

Words words_of(ByteView header) {
  WireReader reader(header);
  Words words{};
  words.sequence = reader.u32("sequence");
  words.control = reader.u32("control");
  words.completion = reader.u32("completion id");
  words.reserved = reader.u32("reserved");
  return words;
}

std::optional<std::string> find_validity_error(const Words& words, const RingSlotLimits& limits) {
  if ((words.control & kValid) == 0)
    return fmt::format("entry {} is not marked valid; write the slot before the doorbell", limits.number);
  if (words.sequence != limits.number)
    return fmt::format("the slot of entry {} holds sequence {}; write the entry's number", limits.number,
                       words.sequence);
  return std::nullopt;
}

std::optional<std::string> find_form_error(const Words& words, const RingSlotLimits& limits) {
  const std::uint64_t room = limits.stride.count() - kRingHeaderBytes;
  const std::uint64_t most = std::min(room, limits.cap.count());
  const std::uint32_t length = words.control & kLengthMask;
  if ((words.control & ~kKnownControl) != 0)
    return fmt::format("entry {} has control {:#x}, with bits that must be 0", limits.number, words.control);
  if (length == 0 || length > most)
    return fmt::format("entry {} has {} command bytes; it can have 1 to {}", limits.number, length, most);
  if (words.completion >= kWireCompletionModulus)
    return fmt::format("entry {} has completion id {:#x}, but an id has 24 bits", limits.number,
                       words.completion);
  if (words.reserved != 0)
    return fmt::format("entry {} has {:#x} in its reserved word; write 0", limits.number, words.reserved);
  return std::nullopt;
}

}  // namespace

std::vector<std::byte> encode_ring_entry(const RingEntry& entry) {
  WireWriter writer(kRingHeaderBytes);
  writer.u32(entry.number);
  writer.u32(entry.length | (entry.first ? kFirst : 0U) | (entry.last ? kLast : 0U) | kValid);
  writer.u32(entry.completion);
  writer.u32(0);
  return writer.take();
}

ReadRingEntry read_ring_entry(ByteView header, const RingSlotLimits& limits) {
  const Words words = words_of(header);
  ReadRingEntry read;
  read.entry.number = words.sequence;
  read.entry.length = static_cast<std::uint16_t>(words.control & kLengthMask);
  read.entry.first = (words.control & kFirst) != 0;
  read.entry.last = (words.control & kLast) != 0;
  read.entry.completion = static_cast<std::uint32_t>(words.completion % kWireCompletionModulus);
  if (auto problem = find_validity_error(words, limits)) {
    read.status = CompletionStatus::descriptor_not_valid;
    read.problem = std::move(*problem);
  } else if (auto malformed = find_form_error(words, limits)) {
    read.status = CompletionStatus::descriptor_malformed;
    read.problem = std::move(*malformed);
  }
  return read;
}

}  // namespace petal
