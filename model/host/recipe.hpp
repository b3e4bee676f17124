// SPDX-License-Identifier: Apache-2.0
//
// RecipeDescriptor: a fused pattern as data (ADR-0065 D5). A recipe is known to the host alone; the device
// sees the flat ops it expands to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "petal/command/op_spec.hpp"
#include "petal/command/units.hpp"

namespace petal {

/// What a command does to an operand.
enum class Access { read, read_write };

struct RecipeOperand {
  std::string name;
  Access access = Access::read;
};

/// The axes of a tensor that a recipe makes.
enum class RecipeAxes {
  all,       ///< those of the operand it is shaped like: [M, N]
  one_a_row  ///< one value for each of that operand's rows: [M, 1]
};

/// A tensor the recipe makes: shaped like one of the recipe's operands, and typed like one or of a dtype of
/// its own.
struct RecipeTensor {
  std::string name;
  std::string from_shape;
  std::variant<std::string, DType> dtype;
  RecipeAxes axes = RecipeAxes::all;
};

/// The value a recipe hands on: to the head GEMM's `a`, or as the composite's result if there is no GEMM.
struct PrimaryOutSpec {
  RecipeTensor tensor;
  std::string transform = "identity";  ///< how its shape comes from `from_shape`'s; only "identity" exists
};

/// Where a recipe may stand (SPEC 11.6).
enum class TileAlignment {
  single_shot,  ///< before the GEMM, once: its ops have KERNEL scope
  tile_aligned  ///< after the GEMM, on each output tile: every step works in place on `acc`, the accumulator
};

/// A number that a use of the recipe may choose (CompositeEntry::scalars).
struct RecipeParameter {
  std::string name;
  float default_value = 0.0F;
};

/// The value of the recipe's parameter of that name.
struct ParameterValue {
  std::string name;
};

/// 1 / N with N the size of the last axis of operand `of`: what makes a mean of a sum.
struct ReciprocalOfColumns {
  std::string of;
};

/// A scalar of a step: written down, or known when the recipe is used.
using StepScalar = std::variant<ScalarValue, ParameterValue, ReciprocalOfColumns>;

/// One engine op; names are operands, temporaries, the primary out, or `acc`.
struct RecipeStep {
  Opcode op;
  std::vector<std::string> sources;  ///< in the order of the opcode's schema
  std::string dst;
  std::vector<StepScalar> extras;  ///< in the order of the opcode's schema
};

struct RecipeDescriptor {
  std::string name;
  std::string description;
  std::vector<RecipeOperand> operands;
  std::optional<PrimaryOutSpec> primary_out;
  TileAlignment tile_alignment = TileAlignment::single_shot;
  std::vector<RecipeTensor> temporaries;  ///< scratch beside the primary out
  std::vector<RecipeStep> engine_seq;
  std::vector<RecipeParameter> parameters;

  /// `tensor` made for a use with these operands, at no address. `handles` as below.
  TensorHandle tensor_like(const RecipeTensor& tensor, const std::vector<TensorHandle>& handles) const;
  /// Bytes of scratch that one use takes, before alignment: temporaries and primary out, each by its own
  /// dtype. `handles` are the operands in declared order; only their shapes and dtypes matter.
  Bytes internal_scratch_bytes(const std::vector<TensorHandle>& handles) const;
  /// Index of the operand of that name, or nothing.
  std::optional<std::size_t> operand_index(std::string_view operand) const;
  /// The same for a parameter.
  std::optional<std::size_t> parameter_index(std::string_view parameter) const;
};

/// The name that tile_aligned steps give to the accumulator.
inline constexpr std::string_view kAccumulator = "acc";

}  // namespace petal
