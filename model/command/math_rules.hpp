// SPDX-License-Identifier: Apache-2.0
//
// Shapes and dtypes of MATH ops (SPEC 11.3, 11.5, 11.17): one rule for primitives, composite entries and
// recipes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "petal/command/op_spec.hpp"

namespace petal {

/// What is wrong with one operand of a MATH op. The caller knows what the operand is called.
struct MathProblem {
  std::size_t operand = 0;  ///< index in the opcode's schema; the number of operands stands for `out`
  std::string problem;
  std::string remedy;
};

/// True if `vector` holds one value for each row of `matrix`: [G] or [G, 1] beside [G, N].
bool is_row_vector_of(const TensorHandle& vector, const TensorHandle& matrix);

/// The first operand that does not go with the others. The first one has the result's shape [M, N]; a further
/// one has it too, or is one value for each column ([N], [1, N]), for each row ([M, 1]) or for all ([1], [1,
/// 1], a scalar). src_b of exp_diff may, and of mul_bcast and div_bcast must, be one value a row instead. A
/// reduction is over the last axis; band_mask is of a matrix. Operands are all floating or all of one type,
/// but the mask of where is boolean or i8. Precondition: as many operands as the schema lists.
std::optional<MathProblem> find_operand_problem(Opcode kind, const OperandList& operands,
                                                const ScalarList& extras);

/// Shape of the result: the first operand's, without the last axis for a reduction (a vector reduces to [1]).
/// Precondition: `find_operand_problem` found nothing and there is an operand.
Dims math_result_shape(Opcode kind, const OperandList& operands);

/// What is wrong with `out`: another shape or type class than the result's, or overlapping an operand without
/// being the same tensor (which a reduction's out can be only where there is one element a row to reduce).
std::optional<MathProblem> find_out_problem(Opcode kind, const OperandList& operands,
                                            const TensorHandle& out);

}  // namespace petal
