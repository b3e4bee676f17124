// SPDX-License-Identifier: Apache-2.0
//
// OpSpec: one operation inside a composite (ADR-0065 D2). Operands and scalars stand in the order of the
// opcode's schema, which gives them their names.
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "petal/command/opcode.hpp"
#include "petal/command/tensor_handle.hpp"

namespace petal {

/// How often an op runs inside the phase its position gives it (ADR-0065 D3).
enum class Scope : std::uint8_t { kernel, k_tile, output_tile };

const char* name_of(Scope scope);

/// An opcode-like string on the wire: one byte.
struct Tag {
  std::uint8_t value = 0;
  friend bool operator==(Tag a, Tag b) { return a.value == b.value; }
};

/// A scalar of a command; its alternative is the one the opcode's schema names.
using ScalarValue = std::variant<std::int32_t, float, bool, std::vector<std::int32_t>, Tag>;

/// The schema's name for the alternative that `value` holds.
ScalarType type_of(const ScalarValue& value);

/// Operands and scalars of one op. They lie inside it: commands are made and copied by the million.
using OperandList = boost::container::static_vector<TensorHandle, kMostOperands>;
using ScalarList = boost::container::static_vector<ScalarValue, kMostScalars>;

struct OpSpec {
  Opcode kind = Opcode::copy;
  Scope scope = Scope::kernel;
  OperandList operands;  ///< as many as the schema lists
  ScalarList extras;     ///< the required ones, then as many optional ones as there are
  std::optional<TensorHandle> out;

  /// The operand of that schema name. Throws std::out_of_range if the opcode has none.
  const TensorHandle& operand(std::string_view name) const;
  /// The scalar of that schema name, or nothing if it was left off.
  const ScalarValue* extra(std::string_view name) const;
};

/// Sizes of a GEMM: out[m, n] = a[m, k] * b[k, n].
struct GemmShape {
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  std::uint64_t n = 0;

  friend bool operator==(const GemmShape& a, const GemmShape& b) {
    return a.m == b.m && a.k == b.k && a.n == b.n;
  }
  friend bool operator!=(const GemmShape& a, const GemmShape& b) { return !(a == b); }
};

/// The shape and factor a GEMM op carries in its extras. Precondition: `op.kind` is gemm.
GemmShape gemm_shape_of(const OpSpec& op);
/// The factor applied to the accumulator, 1 if the op has none.
float gemm_scale_of(const OpSpec& op);

}  // namespace petal
