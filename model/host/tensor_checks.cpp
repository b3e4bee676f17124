// SPDX-License-Identifier: Apache-2.0
#include "petal/host/tensor_checks.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>

#include "petal/command/error.hpp"

namespace petal {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

bool multiply(std::uint64_t& product, std::uint64_t factor) {
  return !__builtin_mul_overflow(product, factor, &product);
}

bool add(std::uint64_t& sum, std::uint64_t term) {
  return !__builtin_add_overflow(sum, term, &sum);
}

bool has_no_elements(const Dims& shape) {
  return shape.product() == 0;
}

/// False if the address after the last byte, or the number of data bytes, does not fit in 64 bits.
bool fits_in_64_bits(const TensorHandle& handle) {
  std::uint64_t bytes = size_of(handle.dtype);
  std::uint64_t last = 0;
  for (std::size_t axis = 0; axis < handle.shape.rank(); ++axis) {
    if (handle.shape[axis] == 0) return true;
    std::uint64_t reach = handle.shape[axis] - 1;
    if (!multiply(reach, handle.strides[axis]) || !add(last, reach)) return false;
    if (!multiply(bytes, handle.shape[axis])) return false;
  }
  std::uint64_t end = handle.address;
  return add(last, 1) && multiply(last, size_of(handle.dtype)) && add(end, last) && end < kMax;
}

[[noreturn]] void refuse_size(std::string_view op, std::string_view operand, const Dims& shape, DType dtype) {
  throw EmitError(
      std::string(op), std::string(operand),
      fmt::format("a {}{} tensor does not fit in a 64-bit address space", name_of(dtype), shape.to_string()),
      "give sizes, strides and an address that do");
}

void require_representable(std::string_view op, std::string_view operand, const TensorHandle& handle) {
  if (handle.strides.rank() != handle.shape.rank())
    throw EmitError(
        std::string(op), std::string(operand),
        fmt::format("has {} strides for a shape of {} axes", handle.strides.rank(), handle.shape.rank()),
        "give one stride, in elements, an axis");
  if (!fits_in_64_bits(handle)) refuse_size(op, operand, handle.shape, handle.dtype);
}

}  // namespace

bool is_representable(const TensorHandle& handle) {
  return handle.strides.rank() == handle.shape.rank() && fits_in_64_bits(handle);
}

Bytes checked_bytes(std::string_view op, const Dims& shape, DType dtype) {
  std::uint64_t bytes = size_of(dtype);
  for (const std::uint64_t size : shape)
    if (size == 0) return Bytes(0);
  for (const std::uint64_t size : shape)
    if (!multiply(bytes, size)) refuse_size(op, "shape", shape, dtype);
  return Bytes(bytes);
}

TensorHandle checked_ref(std::string_view op, std::uint64_t address, const Dims& shape, DType dtype,
                         const Dims& strides) {
  checked_bytes(op, shape, dtype);
  TensorHandle handle = dense_tensor(Space::hbm, address, shape, dtype);
  if (strides.rank() != 0) handle.strides = strides;
  require_representable(op, "strides", handle);
  return handle;
}

void require_valid(std::string_view op, std::string_view operand, const TensorHandle& handle,
                   const ScratchArena& arena) {
  require_representable(op, operand, handle);
  if (handle.space != Space::tcm) return;
  if (const std::optional<std::string> problem = arena.find_problem(handle))
    throw EmitError(std::string(op), std::string(operand), *problem,
                    "allocate it in a scope that is still open here");
}

void require_in_tcm(std::string_view op, std::string_view operand, const TensorHandle& handle,
                    const ScratchArena& arena, std::string_view remedy) {
  if (handle.space != Space::tcm)
    throw EmitError(std::string(op), std::string(operand),
                    fmt::format("{} lies in HBM, but must lie in TCM", handle.to_string()),
                    std::string(remedy));
  require_valid(op, operand, handle, arena);
}

void require_writable(std::string_view op, std::string_view operand, const TensorHandle& handle) {
  if (has_no_elements(handle.shape)) return;
  for (std::size_t axis = 0; axis < handle.shape.rank(); ++axis)
    if (handle.shape[axis] > 1 && handle.strides[axis] == 0)
      throw EmitError(std::string(op), std::string(operand),
                      fmt::format("{} has several elements at one address (stride 0 on axis {})",
                                  handle.to_string(), axis),
                      "write to a tensor whose elements are apart");
}

bool has_contiguous_rows(const TensorHandle& handle) {
  const std::size_t rank = handle.shape.rank();
  return rank == 0 || handle.shape.back() <= 1 || handle.strides.back() == 1;
}

std::int32_t checked_i32(std::string_view op, std::string_view operand, std::uint64_t value) {
  constexpr std::int32_t kLimit = std::numeric_limits<std::int32_t>::max();
  if (value > static_cast<std::uint64_t>(kLimit))
    throw EmitError(std::string(op), std::string(operand),
                    fmt::format("{} does not fit in a command's 32-bit scalar (at most {})", value, kLimit),
                    "split the work into smaller commands");
  return static_cast<std::int32_t>(value);
}

}  // namespace petal
