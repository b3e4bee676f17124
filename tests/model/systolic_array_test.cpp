// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/systolic_array.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace petal;

constexpr Dataflow kDataflows[] = {Dataflow::output_stationary, Dataflow::weight_stationary,
                                   Dataflow::input_stationary};

/// A run of SCALE-Sim: the product, the array and the compute cycles it reports.
struct ScaleSimRun {
  GemmShape gemm;
  SystolicArray array;
  std::uint64_t compute_cycles = 0;
};

Dataflow dataflow_named(const std::string& word) {
  if (word == "ws") return Dataflow::weight_stationary;
  return word == "is" ? Dataflow::input_stationary : Dataflow::output_stationary;
}

/// The rows of M,K,N,rows,cols,dataflow,compute_cycles.
std::vector<ScaleSimRun> scale_sim_runs() {
  std::ifstream file(std::string(PETAL_TEST_DATA) + "/systolic/scalesim_gemm.csv");
  std::vector<ScaleSimRun> runs;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    ScaleSimRun run;
    std::string dataflow;
    char comma = 0;
    fields >> run.gemm.m >> comma >> run.gemm.k >> comma >> run.gemm.n >> comma;
    fields >> run.array.rows >> comma >> run.array.cols >> comma;
    std::getline(fields, dataflow, ',');
    fields >> run.compute_cycles;
    BOOST_TEST_REQUIRE(!fields.fail(), line);
    run.array.dataflow = dataflow_named(dataflow);
    runs.push_back(run);
  }
  return runs;
}

/// How a tile lies on the array: folds, and the vectors that each streams.
struct Mapping {
  std::uint64_t down = 0;
  std::uint64_t across = 0;
  std::uint64_t streamed = 0;
};

Mapping mapping_of(Dataflow dataflow, const GemmShape& tile) {
  if (dataflow == Dataflow::weight_stationary) return {tile.k, tile.n, tile.m};
  if (dataflow == Dataflow::input_stationary) return {tile.k, tile.m, tile.n};
  return {tile.m, tile.n, tile.k};
}

/// The cycle, from the fold's first, in which the last processing element takes its last vector, plus one. A
/// vector enters a cycle after the one before it and moves on by one row or column a cycle.
std::uint64_t stream_cycles(const SystolicArray& array, std::uint64_t streamed) {
  std::uint64_t last = 0;
  for (std::uint64_t row = 0; row < array.rows; ++row)
    for (std::uint64_t col = 0; col < array.cols; ++col)
      for (std::uint64_t vector = 0; vector < streamed; ++vector) last = std::max(last, vector + row + col);
  return last + 1;
}

/// The array fold by fold: a load takes a cycle a row; overlapped, it begins when the registers it fills were
/// handed to the fold before, which is when that fold begins to stream.
std::uint64_t simulated_cycles(const SystolicArray& array, const GemmShape& tile) {
  const Mapping mapping = mapping_of(array.dataflow, tile);
  const std::uint64_t stream = stream_cycles(array, mapping.streamed);
  const std::uint64_t load = array.dataflow == Dataflow::output_stationary ? 0 : array.rows;
  std::uint64_t free = 0;
  std::uint64_t loaded = load;
  for (std::uint64_t down = 0; down < mapping.down; down += array.rows)
    for (std::uint64_t across = 0; across < mapping.across; across += array.cols) {
      const std::uint64_t start = std::max(free, loaded);
      free = start + stream;
      loaded = (array.preload == Preload::overlapped ? start : free) + load;
    }
  return free;
}

SystolicArray array_of(std::uint64_t rows, std::uint64_t cols, Dataflow dataflow,
                       Preload preload = Preload::exposed) {
  return {rows, cols, dataflow, preload};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(systolic_array)

BOOST_AUTO_TEST_CASE(a_product_takes_one_cycle_more_than_scale_sim_counts) {
  const std::vector<ScaleSimRun> runs = scale_sim_runs();
  BOOST_TEST(runs.size() == 72U);
  for (const ScaleSimRun& run : runs) {
    BOOST_TEST_CONTEXT(run.gemm.m << " x " << run.gemm.k << " x " << run.gemm.n << " on " << run.array.rows
                                  << " x " << run.array.cols)
    BOOST_TEST(systolic_cycles(run.array, run.gemm) == run.compute_cycles + 1);
  }
}

// 4 rows, 2 columns, a tile of m 3, k 10, n 5.
BOOST_AUTO_TEST_CASE(ragged_folds_take_as_long_as_full_ones) {
  const GemmShape tile{3, 10, 5};
  // ceil(3/4) ceil(5/2) = 3 folds of 10 + 4 + 2 - 2 = 14
  BOOST_TEST(systolic_cycles(array_of(4, 2, Dataflow::output_stationary), tile) == 42U);
  // ceil(10/4) ceil(5/2) = 9 folds of 4 + (3 + 4 + 2 - 2) = 11
  BOOST_TEST(systolic_cycles(array_of(4, 2, Dataflow::weight_stationary), tile) == 99U);
  // ceil(10/4) ceil(3/2) = 6 folds of 4 + (5 + 4 + 2 - 2) = 13
  BOOST_TEST(systolic_cycles(array_of(4, 2, Dataflow::input_stationary), tile) == 78U);
}

BOOST_AUTO_TEST_CASE(overlapped_preload_leaves_the_first_load_only) {
  const GemmShape tile{3, 10, 5};
  // 4 + 9 x 7
  BOOST_TEST(systolic_cycles(array_of(4, 2, Dataflow::weight_stationary, Preload::overlapped), tile) == 67U);
  // 4 + 6 x 9
  BOOST_TEST(systolic_cycles(array_of(4, 2, Dataflow::input_stationary, Preload::overlapped), tile) == 58U);
  // A single fold has nothing to hide its load behind: 4 + (3 + 4 + 8 - 2).
  BOOST_TEST(systolic_cycles(array_of(4, 8, Dataflow::weight_stationary, Preload::overlapped), {3, 4, 8}) ==
             17U);
  BOOST_TEST(systolic_cycles(array_of(4, 8, Dataflow::weight_stationary), {3, 4, 8}) == 17U);
}

// The example that docs/timing-model.md works out.
BOOST_AUTO_TEST_CASE(the_documented_example) {
  const GemmShape gemm{100, 300, 77};
  BOOST_TEST(systolic_cycles(array_of(32, 32, Dataflow::output_stationary), gemm) == 4344U);
  BOOST_TEST(systolic_cycles(array_of(32, 32, Dataflow::weight_stationary), gemm) == 5820U);
  BOOST_TEST(systolic_cycles(array_of(32, 32, Dataflow::weight_stationary, Preload::overlapped), gemm) ==
             4892U);
  BOOST_TEST(systolic_cycles(array_of(32, 32, Dataflow::input_stationary), gemm) == 6840U);
  BOOST_TEST(systolic_cycles(array_of(32, 32, Dataflow::input_stationary, Preload::overlapped), gemm) ==
             5592U);
}

// One vector a fold on one column is the shortest stream there is: R cycles, just what a load takes.
BOOST_AUTO_TEST_CASE(an_overlapped_load_is_never_longer_than_the_stream_that_hides_it) {
  // 8 + 5 x (1 + 8 + 1 - 2)
  BOOST_TEST(systolic_cycles(array_of(8, 1, Dataflow::weight_stationary, Preload::overlapped), {1, 8, 5}) ==
             48U);
}

BOOST_AUTO_TEST_CASE(the_formula_is_what_an_array_does_cycle_by_cycle) {
  for (const Dataflow dataflow : kDataflows)
    for (const Preload preload : {Preload::exposed, Preload::overlapped})
      for (const SystolicArray& array :
           {array_of(1, 1, dataflow, preload), array_of(1, 3, dataflow, preload),
            array_of(3, 1, dataflow, preload), array_of(4, 2, dataflow, preload)})
        for (std::uint64_t m = 1; m <= 5; ++m)
          for (std::uint64_t k = 1; k <= 5; ++k)
            for (std::uint64_t n = 1; n <= 5; ++n)
              BOOST_TEST(systolic_cycles(array, {m, k, n}) == simulated_cycles(array, {m, k, n}));
}

BOOST_AUTO_TEST_CASE(an_empty_tile_takes_no_time) {
  for (const Dataflow dataflow : kDataflows)
    for (const Preload preload : {Preload::exposed, Preload::overlapped})
      for (const GemmShape& empty : {GemmShape{0, 4, 4}, GemmShape{4, 0, 4}, GemmShape{4, 4, 0}})
        BOOST_TEST(systolic_cycles(array_of(4, 4, dataflow, preload), empty) == 0U);
}

// 2^20 cubed on one processing element: 2^40 folds of 2^20 cycles, or one more with its load.
BOOST_AUTO_TEST_CASE(the_largest_tile_does_not_overflow) {
  constexpr std::uint64_t kEdge = 1U << 20U;
  const GemmShape tile{kEdge, kEdge, kEdge};
  BOOST_TEST(systolic_cycles(array_of(1, 1, Dataflow::output_stationary), tile) == std::uint64_t{1} << 60U);
  BOOST_TEST(systolic_cycles(array_of(1, 1, Dataflow::weight_stationary), tile) ==
             (std::uint64_t{1} << 60U) + (std::uint64_t{1} << 40U));
}

BOOST_AUTO_TEST_SUITE_END()
