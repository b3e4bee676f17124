// SPDX-License-Identifier: Apache-2.0
//
// What must hold of one tensor, whatever is done with it. Everything here throws EmitError in the name of
// `op`.
#pragma once

#include <cstdint>
#include <string_view>

#include "petal/command/tensor_handle.hpp"
#include "petal/command/units.hpp"
#include "petal/host/scratch_arena.hpp"

namespace petal {

/// Bytes of a dense tensor; an error if they do not fit in 64 bits.
Bytes checked_bytes(std::string_view op, const Dims& shape, DType dtype);

/// A tensor in HBM. `strides` are elements, row-major without gaps if empty. An error if the ranks differ, or
/// if the last byte's address does not fit in 64 bits.
TensorHandle checked_ref(std::string_view op, std::uint64_t address, const Dims& shape, DType dtype,
                         const Dims& strides);

/// True if the handle has one stride an axis, and its bytes have 64-bit addresses and a 64-bit count.
bool is_representable(const TensorHandle& handle);

/// A handle that was made by hand is checked as `checked_ref` does; one in TCM must also name scratch in use.
void require_valid(std::string_view op, std::string_view operand, const TensorHandle& handle,
                   const ScratchArena& arena);
/// `require_valid`, and the tensor must lie in TCM; `remedy` says how it gets there.
void require_in_tcm(std::string_view op, std::string_view operand, const TensorHandle& handle,
                    const ScratchArena& arena, std::string_view remedy);
/// A tensor that is written must not have two elements at one address.
void require_writable(std::string_view op, std::string_view operand, const TensorHandle& handle);

/// True if neighbours on the last axis are neighbours in memory: the tensor is its rows (SPEC 5).
bool has_contiguous_rows(const TensorHandle& handle);

/// `value` as a wire scalar; an error if it is above 2^31 - 1 (SPEC 11.1). `operand` names it.
std::int32_t checked_i32(std::string_view op, std::string_view operand, std::uint64_t value);

}  // namespace petal
