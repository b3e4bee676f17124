// SPDX-License-Identifier: Apache-2.0
//
// Lowering of one plain MATH op of a composite from names to the order of its opcode's schema.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petal/command/op_spec.hpp"
#include "petal/host/composite_request.hpp"

namespace petal {

/// The schema of the MATH opcode called `name`. Throws EmitError for a GEMM, which only the head may be, and
/// for a name that neither an opcode nor (the caller has looked) a recipe has. `position` is "prologue",
/// "epilogue" or "math_op".
const OpcodeSchema& math_schema_named(std::string_view name, std::string_view position);

/// The operands in schema order; `first` stands for the first one if it is not named. Throws EmitError for
/// one that is missing, unknown or given twice.
OperandList operands_in_order(const OpcodeSchema& schema, const std::vector<NamedOperand>& named,
                              const std::optional<TensorHandle>& first);

/// The scalars in schema order. A reduce_axis left out is -1; a bcast_axis that the schema requires is 1.
/// Throws EmitError for one that is missing, unknown or of another type.
ScalarList scalars_in_order(const OpcodeSchema& schema, const std::vector<NamedScalar>& named);

/// What the operands of one op are called in messages, then its out.
using OperandNames = boost::container::static_vector<std::string_view, kMostOperands + 1>;

/// Throws EmitError, naming the operand as `names` does, for what `find_operand_problem` finds in `op`.
void check_math_operands(const OpSpec& op, const OperandNames& names);
/// The same for what `find_out_problem` finds.
void check_math_out(const OpSpec& op, const OperandNames& names);

/// The schema's names of the operands, then "out".
OperandNames operand_names(const OpcodeSchema& schema);

}  // namespace petal
