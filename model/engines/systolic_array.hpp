// SPDX-License-Identifier: Apache-2.0
//
// How many cycles a systolic array of R rows and C columns is busy with one tile of a GEMM. The array takes
// the tile in folds, one after the other. A fold holds as much of the stationary matrix as there are
// processing elements and streams the rest past it, skewed by a cycle a row and a cycle a column:
//
//     dataflow   stationary     folds                     a fold's cycles
//     os         C, [m, n]      ceil(m / R) ceil(n / C)       (k + R + C - 2)
//     ws         B, [k, n]      ceil(k / R) ceil(n / C)   R + (m + R + C - 2)
//     is         A, [k, m]      ceil(k / R) ceil(m / C)   R + (n + R + C - 2)
//
// R cycles load the stationary part, a row a cycle. Partly filled folds take as long as full ones. SCALE-Sim
// counts the same for a GEMM that is one tile, less one: it numbers cycles from 0 and reports the last.
#pragma once

#include <cstdint>

#include "petal/command/op_spec.hpp"
#include "petal/engines/engine_config.hpp"

namespace petal {

/// Busy cycles for one tile; 0 if one of its sizes is. With `Preload::overlapped` the loads of all folds but
/// the first hide behind the stream before them, which is never shorter: m + R + C - 2 >= R. Preconditions:
/// the array has at least one row and one column; sizes up to 2^20 and arrays up to 2^16 by 2^16 keep the
/// result below 2^62.
std::uint64_t systolic_cycles(const SystolicArray& array, const GemmShape& tile);

}  // namespace petal
