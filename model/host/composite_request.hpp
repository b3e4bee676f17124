// SPDX-License-Identifier: Apache-2.0
//
// CompositeRequest: what a kernel writes when it asks for a composite. It lowers to a flat list of ops
// (ADR-0065 D1); prologue and epilogue are words of this interface only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "petal/command/op_spec.hpp"
#include "petal/host/recipe.hpp"

namespace petal {

/// An operand by the name that the opcode's schema or the recipe gives it. `access` is what the kernel allows
/// the composite to do with it: a recipe that writes an operand given as Access::read is refused.
struct NamedOperand {
  NamedOperand(std::string operand_name, const TensorHandle& tensor, Access allowed = Access::read_write)
      : name(std::move(operand_name)), handle(tensor), access(allowed) {}
  std::string name;
  TensorHandle handle;
  Access access;
};

/// A scalar by the name the opcode's schema gives it.
using NamedScalar = std::pair<std::string, ScalarValue>;

/// A recipe or a plain MATH op before or after the head.
struct CompositeEntry {
  explicit CompositeEntry(std::string name, std::vector<NamedOperand> named = {})
      : op(std::move(name)), operands(std::move(named)) {}
  std::string op;  ///< a recipe's or an opcode's name
  /// An op after the head takes the head's result (in a tile scope: the accumulator) for its first operand
  /// unless the kernel names one.
  std::vector<NamedOperand> operands;
  std::vector<NamedScalar> scalars;  ///< reduce_axis defaults to -1 and a required bcast_axis to 1
  std::optional<Scope> scope;        ///< default: KERNEL before the head, OUTPUT_TILE after it
  /// Plain KERNEL-scope ops only. Default: new scratch before the head, the head's result after it.
  std::optional<TensorHandle> out;
};

struct CompositeRequest {
  std::vector<CompositeEntry> prologue;
  std::string op = "gemm";  ///< the head: "gemm" or "math"

  std::optional<TensorHandle> a;  ///< left out after a prologue recipe that has a primary out
  std::optional<TensorHandle> b;
  std::optional<TensorHandle> c;  ///< third operand of a MATH head (fma)
  std::optional<float> scale;     ///< of the GEMM's accumulator, before the epilogue

  std::string math_op;                    ///< opcode of a MATH head; empty: the prologue is all there is
  std::vector<NamedScalar> math_scalars;  ///< scalars of a MATH head

  std::optional<TensorHandle> out;  ///< in HBM: written back; in TCM: stays there; none: new scratch
  std::optional<std::uint64_t>
      out_ptr;                     ///< shorthand for `out` = ref(out_ptr, the result's shape, out_dtype)
  std::optional<DType> out_dtype;  ///< of an `out` that is not given as a handle; default f32 (i32 for i8)

  std::vector<CompositeEntry> epilogue;
};

/// True if the two ask for the same composite of the same tensors, but for the address of `b`. What no
/// command carries, leases and pending completions, is not compared.
bool same_but_for_address_of_b(const CompositeRequest& x, const CompositeRequest& y);

/// True if `predicate` holds for every tensor that `request` names. It is asked in no particular order, and
/// until it fails.
template <typename Predicate>
bool all_handles(const CompositeRequest& request, Predicate predicate) {
  for (const std::optional<TensorHandle>* handle : {&request.a, &request.b, &request.c, &request.out})
    if (*handle && !predicate(**handle)) return false;
  for (const std::vector<CompositeEntry>* entries : {&request.prologue, &request.epilogue})
    for (const CompositeEntry& entry : *entries) {
      if (entry.out && !predicate(*entry.out)) return false;
      for (const NamedOperand& operand : entry.operands)
        if (!predicate(operand.handle)) return false;
    }
  return true;
}

}  // namespace petal
