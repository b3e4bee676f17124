// SPDX-License-Identifier: Apache-2.0
#include "named_accesses.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace petal::fuzz {
namespace {

constexpr std::size_t kReferenceBytes = 8;
constexpr std::size_t kEntryBytes = 80;
constexpr std::size_t kMostAxes = 4;
constexpr std::size_t kRunsKept = 16;
constexpr std::uint64_t kElementBytes[] = {4, 2, 2, 1, 4, 1, 1, 1};

std::uint64_t little_endian(const unsigned char* data, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t byte = 0; byte < bytes; ++byte) value |= std::uint64_t{data[byte]} << (8 * byte);
  return value;
}

bool overlaps(std::uint64_t begin, std::uint64_t bytes, std::uint64_t other, std::uint64_t other_bytes) {
  return std::max<Wide>(begin, other) < std::min(Wide{begin} + bytes, Wide{other} + other_bytes);
}

}  // namespace

bool operator==(const NamedLayout& a, const NamedLayout& b) {
  const auto members = [](const NamedLayout& layout) {
    return std::tie(layout.ring_base, layout.ring_bytes, layout.table_base, layout.table_entries,
                    layout.completion_base, layout.completion_bytes);
  };
  return members(a) == members(b);
}

void NamedAccesses::clear() {
  layouts_.clear();
  runs_.clear();
  references_.clear();
  tensors_.clear();
  allowed_.clear();
}

void NamedAccesses::add(const NamedLayout& layout) {
  if (std::find(layouts_.begin(), layouts_.end(), layout) == layouts_.end()) layouts_.push_back(layout);
}

void NamedAccesses::saw(std::uint64_t address, const unsigned char* data, std::size_t bytes) {
  const bool is_control = std::any_of(layouts_.begin(), layouts_.end(), [&](const NamedLayout& layout) {
    return overlaps(address, bytes, layout.ring_base, layout.ring_bytes) ||
           overlaps(address, bytes, layout.table_base, layout.table_entries * kEntryBytes);
  });
  if (!is_control) return;
  Run run;
  run.bytes = seen_before(address);
  const std::size_t known = run.bytes.size();
  run.address = address - known;
  run.bytes.insert(run.bytes.end(), data, data + bytes);
  look_for_references(run, known);
  for (const NamedLayout& layout : layouts_) look_for_tensors(run, known, layout);
  if (runs_.size() == kRunsKept) runs_.pop_front();
  runs_.push_back(std::move(run));
}

std::vector<unsigned char> NamedAccesses::seen_before(std::uint64_t address) const {
  const auto holds = [address](const Run& run) {
    return address > run.address && address - run.address <= run.bytes.size();
  };
  const auto latest = std::find_if(runs_.rbegin(), runs_.rend(), holds);
  if (latest == runs_.rend()) return {};
  const std::size_t end = address - latest->address;
  const std::size_t begin = end - std::min(end, kEntryBytes - 1);
  return {latest->bytes.begin() + static_cast<std::ptrdiff_t>(begin),
          latest->bytes.begin() + static_cast<std::ptrdiff_t>(end)};
}

// A reference may stand at any byte of a command.
void NamedAccesses::look_for_references(const Run& run, std::size_t known) {
  std::uint64_t entries = 0;
  for (const NamedLayout& layout : layouts_) entries = std::max(entries, layout.table_entries);
  for (std::size_t end = std::max(known + 1, kReferenceBytes); end <= run.bytes.size(); ++end) {
    const unsigned char* const word = run.bytes.data() + end - kReferenceBytes;
    const Reference reference{static_cast<std::uint32_t>(little_endian(word, 4)),
                              static_cast<std::uint32_t>(little_endian(word + 4, 4))};
    if (reference.first >= entries || !references_.insert(reference).second) continue;
    const auto known_tensors = tensors_.equal_range(reference.first);
    for (auto tensor = known_tensors.first; tensor != known_tensors.second; ++tensor)
      allow(tensor->second, reference.second);
  }
}

/// The bytes in memory of the tensor that an entry describes; nothing if it is none or lies elsewhere.
static std::optional<std::pair<Wide, Wide>> tensor_of(const unsigned char* entry) {
  const std::uint64_t address = little_endian(entry, 8);
  const unsigned dtype = entry[8];
  const unsigned space = entry[9];
  const std::size_t rank = entry[10];
  if (dtype >= std::size(kElementBytes) || space != 0 || rank > kMostAxes) return std::nullopt;
  Wide last = 0;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::uint64_t size = little_endian(entry + 16 + 8 * axis, 8);
    const std::uint64_t stride = little_endian(entry + 48 + 8 * axis, 8);
    if (size == 0) return std::nullopt;
    last += static_cast<Wide>(size - 1) * stride;
    if ((last >> 64U) != 0) return std::nullopt;
  }
  return std::make_pair(static_cast<Wide>(address), address + (last + 1) * kElementBytes[dtype]);
}

void NamedAccesses::look_for_tensors(const Run& run, std::size_t known, const NamedLayout& layout) {
  const std::uint64_t run_end = run.address + run.bytes.size();
  std::uint64_t index = 0;
  if (run.address > layout.table_base)
    index = (run.address - layout.table_base + kEntryBytes - 1) / kEntryBytes;
  for (; index < layout.table_entries; ++index) {
    const std::uint64_t begin = layout.table_base + index * kEntryBytes;
    if (begin > run_end || run_end - begin < kEntryBytes) return;
    if (begin + kEntryBytes - run.address <= known) continue;
    const auto tensor = tensor_of(run.bytes.data() + (begin - run.address));
    if (!tensor) continue;
    const Interval interval{tensor->first, tensor->second};
    tensors_.emplace(static_cast<std::uint32_t>(index), interval);
    const auto first = references_.lower_bound({static_cast<std::uint32_t>(index), 0});
    for (auto reference = first; reference != references_.end() && reference->first == index; ++reference)
      allow(interval, reference->second);
  }
}

void NamedAccesses::allow(const Interval& tensor, std::uint32_t offset) {
  allowed_.push_back({tensor.begin + offset, tensor.end + offset});
}

bool NamedAccesses::lies_within(std::uint64_t address, std::uint64_t bytes, const Interval& interval) {
  return address >= interval.begin && static_cast<Wide>(address) + bytes <= interval.end;
}

bool NamedAccesses::is_of_a_tensor(std::uint64_t address, std::uint64_t bytes) const {
  return std::any_of(allowed_.rbegin(), allowed_.rend(),
                     [&](const Interval& tensor) { return lies_within(address, bytes, tensor); });
}

bool NamedAccesses::allow_read(std::uint64_t address, std::uint64_t bytes) const {
  const bool is_control = std::any_of(layouts_.begin(), layouts_.end(), [&](const NamedLayout& layout) {
    const Wide table_bytes = Wide{layout.table_entries} * kEntryBytes;
    return lies_within(address, bytes, {layout.ring_base, Wide{layout.ring_base} + layout.ring_bytes}) ||
           lies_within(address, bytes, {layout.table_base, layout.table_base + table_bytes});
  });
  return is_control || is_of_a_tensor(address, bytes);
}

bool NamedAccesses::allow_write(std::uint64_t address, std::uint64_t bytes) const {
  const bool is_completion = std::any_of(layouts_.begin(), layouts_.end(), [&](const NamedLayout& layout) {
    const Wide begin = layout.completion_base;
    return lies_within(address, bytes, {begin, begin + layout.completion_bytes});
  });
  return is_completion || is_of_a_tensor(address, bytes);
}

}  // namespace petal::fuzz
