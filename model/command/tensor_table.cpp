// SPDX-License-Identifier: Apache-2.0
#include "petal/command/tensor_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "petal/command/error.hpp"

namespace petal {
namespace {

constexpr std::uint64_t kMaxEntries = std::uint64_t{1} << 32U;
constexpr std::uint64_t kMaxAddress = std::numeric_limits<std::uint64_t>::max();

bool multiply_overflows(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMaxAddress / b;
}

/// The end of the tensor's last element, or nothing where 64 bits cannot hold it. Precondition: no axis is 0.
std::optional<std::uint64_t> end_address(const TensorHandle& tensor) {
  std::uint64_t last = 0;
  for (std::size_t axis = 0; axis < tensor.shape.rank(); ++axis) {
    const std::uint64_t steps = tensor.shape[axis] - 1;
    if (multiply_overflows(steps, tensor.strides[axis])) return std::nullopt;
    const std::uint64_t distance = steps * tensor.strides[axis];
    if (distance > kMaxAddress - last) return std::nullopt;
    last += distance;
  }
  const std::uint64_t element = size_of(tensor.dtype);
  if (last == kMaxAddress || multiply_overflows(last + 1, element)) return std::nullopt;
  const std::uint64_t span = (last + 1) * element;
  if (span > kMaxAddress - tensor.address) return std::nullopt;
  return tensor.address + span;
}

/// True if shape.product() * size_of(dtype) fits in 64 bits; with strides of 0 this says more than the range
/// does.
bool has_countable_bytes(const TensorHandle& tensor) {
  std::uint64_t product = size_of(tensor.dtype);
  for (const std::uint64_t size : tensor.shape) {
    if (multiply_overflows(product, size)) return false;
    product *= size;
  }
  return true;
}

}  // namespace

std::optional<std::string> find_tensor_error(const TensorHandle& tensor) {
  if (tensor.shape.rank() != tensor.strides.rank())
    return fmt::format("a tensor of {} axes has {} strides; give one an axis", tensor.shape.rank(),
                       tensor.strides.rank());
  if (size_of(tensor.dtype) == 0)
    return fmt::format("{} is no dtype; use one of those PETAL lists", static_cast<unsigned>(tensor.dtype));
  if (tensor.space != Space::hbm && tensor.space != Space::tcm)
    return fmt::format("{} is no space; use hbm or tcm", static_cast<unsigned>(tensor.space));
  const bool is_empty = std::find(tensor.shape.begin(), tensor.shape.end(), 0U) != tensor.shape.end();
  if (!is_empty && (!has_countable_bytes(tensor) || !end_address(tensor)))
    return fmt::format(
        "{} with strides {} reaches past the end of the 64-bit address space; lower its address or size",
        tensor.to_string(), tensor.strides.to_string());
  return std::nullopt;
}

std::size_t TensorTable::Hash::operator()(const TensorHandle& tensor) const {
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio: neighbours spread apart
  std::uint64_t hash = tensor.address;
  const auto mix = [&hash](std::uint64_t value) {
    hash = (hash ^ value) * kMultiplier;
    hash ^= hash >> 32U;
  };
  for (const std::uint64_t size : tensor.shape) mix(size);
  for (const std::uint64_t stride : tensor.strides) mix(stride);
  mix(static_cast<std::uint64_t>(tensor.dtype) << 8U | static_cast<std::uint64_t>(tensor.space));
  return static_cast<std::size_t>(hash);
}

std::uint32_t TensorTable::push(const TensorHandle& tensor) {
  const auto index = static_cast<std::uint32_t>(entries_.size());
  TensorHandle entry = tensor;
  entry.pending = kNoCompletion;
  entries_.push_back(entry);
  indices_.emplace(entry, index);
  return index;
}

TensorReference TensorTable::intern(const TensorHandle& tensor) {
  const auto found = indices_.find(tensor);
  if (found != indices_.end()) return found->second;
  if (const auto problem = find_tensor_error(tensor))
    throw EmitError("tensor table", "", *problem, "a command can only name tensors that memory can hold");
  if (entries_.size() == kMaxEntries)
    throw EmitError("tensor table", "", fmt::format("all {} entries are taken", kMaxEntries),
                    "reuse tensors, or record fewer launches in one stream");
  return push(tensor);
}

std::uint32_t TensorTable::append(const TensorHandle& tensor) {
  if (const auto problem = find_tensor_error(tensor)) throw DecodeError(*problem);
  if (entries_.size() == kMaxEntries)
    throw DecodeError(fmt::format("the tensor table has more than {} entries; split it", kMaxEntries));
  return push(tensor);
}

TensorHandle TensorTable::resolve(TensorReference reference) const {
  const std::uint32_t index = table_index_of(reference);
  if (index >= entries_.size())
    throw DecodeError(
        fmt::format("tensor index {} is outside the table, which has {} entries", index, entries_.size()));
  return at_offset_of(reference, entries_[index]);
}

}  // namespace petal
