// SPDX-License-Identifier: Apache-2.0
//
// StageData: what a stage does to data, beside the time it takes. PE_SCHEDULER works it out when a stage ends
// in data mode; the engine that executed the stage then acts on it (Engine::transport_dbg).
#pragma once

#include <array>
#include <optional>

#include "petal/command/op_spec.hpp"
#include "petal/engines/stage_views.hpp"
#include "petal/numerics/math_numerics.hpp"
#include "petal/numerics/tile.hpp"

namespace petal {

/// The registers that hold the data of one command in flight between its stages.
struct RegisterFile {
  /// Of the GEMM's steps, by step modulo 2 and operand: those of step t+1 may arrive during GEMM t.
  std::array<std::array<Tile, 2>, 2> gemm_operands;
  std::array<Tile, 3> operands;  ///< of a MATH op
  Tile accumulator;              ///< the GEMM's running sum, or a MATH op's result
};

/// A chunk of elements whose operand has one value a row: element e of the chunk takes the value of row
/// (first + e) / row_length, counted from the chunk's first row.
struct RowValues {
  std::uint64_t first = 0;       ///< index of the chunk's first element in the whole tensor
  std::uint64_t row_length = 1;  ///< elements
  std::uint64_t elements = 0;    ///< of the chunk
};

/// A register that FETCH fills, and how the op wants to see what was read.
struct FetchTarget {
  Tile* tile = nullptr;
  TileElement element = TileElement::f32;
  std::optional<MathShape> shape;       ///< the same values in another shape
  std::optional<RowValues> row_values;  ///< repeated for each element of a chunk
};

struct StageData {
  StageViews views;                       ///< of FETCH, STORE and DMA
  std::array<FetchTarget, 3> fetched{};   ///< FETCH: one for each read
  const OpSpec* op = nullptr;             ///< MATH
  std::array<const Tile*, 3> operands{};  ///< GEMM, MATH
  std::uint32_t operand_count = 0;
  MathShape shape;                         ///< MATH: of the work; with `starts_sum`: of the accumulator
  TileElement element = TileElement::f32;  ///< with `starts_sum`: of the accumulator
  Tile* result = nullptr;                  ///< GEMM, MATH: written; STORE: read
  bool starts_sum = false;                 ///< `result` is to be zero first
  std::optional<float> scale;              ///< `result` is to be multiplied by it first
};

/// A whole MATH op on the command's registers: each operand is fetched to a register of its own and read from
/// it, the result goes to the accumulator. `op` must outlive the result.
StageData math_op_data(const OpSpec& op, const StageViews& views, RegisterFile& registers);

/// What `starts_sum` and `scale` ask for: the accumulator's part in GEMM, MATH and STORE alike.
void prepare_result(const StageData& data);

/// An operand of a MATH op is computed with as integers if it is stored as such.
TileElement tile_element_of(DType dtype);

}  // namespace petal
