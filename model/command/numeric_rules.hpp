// SPDX-License-Identifier: Apache-2.0
//
// What the engines' arithmetic asks of the tensors of one op, so that data mode can compute it: dtypes, and
// where elements may share an address. Shapes are the business of math_rules.hpp and command_rules.hpp.
#pragma once

#include <optional>
#include <string>

#include "petal/command/op_spec.hpp"

namespace petal {

/// True if two elements of `tensor` lie at one address because a stride is 0: it repeats values.
bool repeats_values(const TensorHandle& tensor);

/// What is wrong with a tensor that is written, as one line without its name, or nothing: it repeats values.
std::optional<std::string> find_write_problem(const TensorHandle& tensor);

/// The first rule that a GEMM breaks, as one line, or nothing:
///  - a and b are both of floating dtypes, or both i8;
///  - out is floating if they are, and not boolean;
///  - an operand in TCM, and out, does not repeat values.
std::optional<std::string> find_gemm_numeric_error(const TensorHandle& a, const TensorHandle& b,
                                                   const TensorHandle& out);

/// The first rule that a MATH op on whole tensors in TCM, or one on a GEMM's tiles, breaks, as one line that
/// names the operand, or nothing:
///  - find_operand_problem and find_out_problem have nothing against it;
///  - out does not repeat values; an operand does so only with at most two axes, and beside a matrix or as
///    the first operand's shape.
std::optional<std::string> find_math_numeric_error(Opcode kind, const OperandList& operands,
                                                   const ScalarList& extras, const TensorHandle& out);

/// What is wrong with the tile op `op` because of the GEMM it follows, or nothing: an op of scope K_TILE
/// computes in f32, so what it leaves cannot go on as a sum of integers, unless it is a copy.
std::optional<std::string> find_accumulator_error(const OpSpec& op, const OpSpec& gemm);

}  // namespace petal
