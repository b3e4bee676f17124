// SPDX-License-Identifier: Apache-2.0
//
// The opcodes of GEMM and MATH work and, for each, its schema: operands and scalars in wire order. Because
// both ends know the schema, a command on the wire carries neither names nor types (SPEC 1.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace petal {

enum class Opcode : std::uint8_t {
  gemm = 1,
  fill,       ///< out = value
  copy,       ///< out = src
  rmax,       ///< out = max over reduce_axis of src
  rsum,       ///< out = sum over reduce_axis of src
  max_elem,   ///< out = max(src_a, src_b)
  exp,        ///< out = e^src
  exp_diff,   ///< out = e^(src_a - src_b), with exp_diff(-inf, -inf) = 0; src_b may be one value a row
  fma,        ///< out = src_a * src_b + src_c
  mul_bcast,  ///< out = src_a * src_b, src_b one value a row
  div_bcast,  ///< out = src_a / src_b, src_b one value a row
  add,        ///< out = acc + other
  sub,        ///< out = acc - other
  mul,        ///< out = acc * other
  div,        ///< out = acc / other
  scale,      ///< out = src * factor
  clamp_min,  ///< out = max(src, floor)
  neg,        ///< out = -src
  relu,       ///< out = max(src, 0)
  gelu,       ///< out = src * Phi(src), the exact (erf) form
  tanh,       ///< out = tanh(src)
  rsqrt,      ///< out = 1 / sqrt(src)
  sigmoid,    ///< out = 1 / (1 + e^-src)
  silu,       ///< out = src * sigmoid(src)
  softcap,    ///< out = cap * tanh(src / cap)
  band_mask,  ///< out[i, j] = src[i, j] where low <= j - i <= high, else -inf; i, j count in the whole matrix
  where,      ///< out = src where mask is not 0, else fill
};

/// The unit that executes an opcode.
enum class EngineClass : std::uint8_t { gemm, math };

/// What a vector of lanes costs: `slow` opcodes (e^x, division, tanh, 1/sqrt) take several cycles, the rest
/// one.
enum class MathCost : std::uint8_t { fast, slow };

enum class ScalarType : std::uint8_t { i32, f32, boolean, tuple, tag };

struct ScalarSchema {
  std::string_view name;
  ScalarType type;
};

/// A fixed list of up to four entries; a plain aggregate so that the table is a constant.
template <typename T>
struct SchemaList {
  T entries[4];
  std::size_t count;
  constexpr const T* begin() const { return entries; }
  constexpr const T* end() const { return entries + count; }
  constexpr std::size_t size() const { return count; }
  constexpr const T& operator[](std::size_t index) const { return entries[index]; }
};

/// The most operands, and scalars, that any schema lists.
inline constexpr std::size_t kMostOperands = 3;
inline constexpr std::size_t kMostScalars = 4;

struct OpcodeSchema {
  Opcode opcode;
  std::string_view name;
  EngineClass engine;
  MathCost cost;
  bool reduces;  ///< its work is counted by its input's elements, not its output's
  SchemaList<std::string_view> operands;
  SchemaList<ScalarSchema> extras;
  std::size_t required_extras;  ///< the first so many must be there; the rest may be left off from the end
};

/// The schema of `opcode`; every enumerator has one.
const OpcodeSchema& schema_of(Opcode opcode);
/// Nothing if `byte` is no opcode.
const OpcodeSchema* find_schema(std::uint8_t byte);
/// Nothing if no opcode is called so.
const OpcodeSchema* find_schema(std::string_view name);
/// The whole table, in opcode order.
const OpcodeSchema* begin_of_schemas();
const OpcodeSchema* end_of_schemas();

inline std::string_view name_of(Opcode opcode) {
  return schema_of(opcode).name;
}

}  // namespace petal
