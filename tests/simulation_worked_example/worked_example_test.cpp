// SPDX-License-Identifier: Apache-2.0
//
// The worked example of docs/timing-model.md: the page's numbers were derived from the page's rules, and the
// model must give them.
#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "document_table.hpp"
#include "petal/memory/channel_split.hpp"
#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// A step without tile ops has seven stage numbers: two reads, two FETCHes, GEMM, STORE, DMA_WRITE.
constexpr std::uint64_t kNumbersAStep = 7;

/// Columns stage, step, tile, bytes, start, busy_end and end, as the page writes them.
TableRow row_of(const LoggedStage& stage) {
  std::string name = name_of(stage.kind);
  const std::uint64_t place = stage.number % kNumbersAStep;
  if (place < 4) name += place % 2 == 0 ? " a" : " b";
  return {name,
          fmt::format("{}", stage.number / kNumbersAStep),
          fmt::format("{},{},{}", stage.tile.m, stage.tile.n, stage.tile.k),
          stage.kind == StageKind::gemm ? "" : fmt::format("{}", stage.bytes),
          fmt::format("{}", stage.start_ps),
          fmt::format("{}", stage.busy_end_ps),
          fmt::format("{}", stage.end_ps)};
}

std::vector<LoggedStage> by_start(std::vector<LoggedStage> stages) {
  std::sort(stages.begin(), stages.end(), [](const LoggedStage& a, const LoggedStage& b) {
    return a.start_ps != b.start_ps ? a.start_ps < b.start_ps : a.number < b.number;
  });
  return stages;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(worked_example)

BOOST_AUTO_TEST_CASE(every_stage_is_as_the_page_derives_it) {
  const std::vector<TableRow> expected = table_in_document(PETAL_TIMING_MODEL, "row");
  ScenarioBench bench(shipped_scenario("gemm_worked_example.yaml"), "gemm");
  simulate();
  const std::vector<LoggedStage> stages = by_start(bench.log().stages_of(1));
  // 12 steps of two reads, two FETCHes and a GEMM, and 6 output tiles of a STORE and a DMA_WRITE.
  BOOST_TEST_REQUIRE(stages.size() == 12U * 5 + 6 * 2);
  BOOST_TEST_REQUIRE(expected.size() == stages.size());
  for (std::size_t row = 0; row < stages.size(); ++row) {
    const TableRow actual = row_of(stages[row]);
    BOOST_TEST_REQUIRE(expected[row].size() == 10U, "row " << row + 1);
    for (std::size_t column = 0; column < actual.size(); ++column)
      BOOST_TEST(actual[column] == expected[row][column + 1], "row " << row + 1 << ": the model has "
                                                                     << actual[column] << ", the page "
                                                                     << expected[row][column + 1]);
  }
  require_no_violations(bench.op_log());
}

// 40 + 54 / 16 = 43.375 cycles of 1 ns; the last DMA_WRITE ends at 630,375.
BOOST_AUTO_TEST_CASE(the_composite_is_taken_after_its_dispatch_and_completes_with_its_last_stage) {
  ScenarioBench bench(shipped_scenario("gemm_worked_example.yaml"), "gemm");
  simulate();
  BOOST_TEST(bench.log().dispatch_of(1).logical_bytes == 54U);
  BOOST_TEST(bench.log().completion_of(1).taken_ps == 43375);
  BOOST_TEST(bench.log().completion_of(1).at_ps == 630375);
}

// 4,000 + 30,000 + 32,500 + 91,000 of DMA; four times the latency; 1,000 + 3 x 8,000 of ports; 500 + 4,000 of
// GEMM.
BOOST_AUTO_TEST_CASE(the_critical_path_is_the_one_the_page_walks) {
  ScenarioBench bench(shipped_scenario("gemm_worked_example.yaml"), "gemm");
  simulate();
  const Summary summary = bench.summary();
  const auto spent = [&](PathCause cause) { return summary.critical_path.spent(cause).count(); };
  BOOST_TEST(spent(PathCause::dispatch) == 43375);
  BOOST_TEST(spent(PathCause::dma_busy) == 157500);
  BOOST_TEST(spent(PathCause::dma_latency) == 400000);
  BOOST_TEST(spent(PathCause::fetch_store) == 25000);
  BOOST_TEST(spent(PathCause::gemm) == 4500);
  BOOST_TEST(summary.time.count() == 630375);
  BOOST_TEST((summary.verdict.bound == Bound::memory_latency));
}

BOOST_AUTO_TEST_CASE(tiles_fall_on_the_channels_as_the_page_lists_them) {
  constexpr std::uint64_t kRowBytes[] = {144, 192, 192};  // of A, B and C
  for (const TableRow& row : table_in_document(PETAL_TIMING_MODEL, "tile")) {
    AccessPattern access;
    access.address = std::stoull(row.at(1), nullptr, 16);
    const std::size_t times = row.at(2).find(" x ");
    access.levels[0].count = std::stoull(row.at(2).substr(0, times));
    access.levels[0].stride = kRowBytes[row.at(0).front() - 'A'];
    access.run_bytes = std::stoull(row.at(2).substr(times + 3));
    std::string bytes;
    for (const std::uint64_t part : ChannelSplit(HbmConfig()).bytes_of(access))
      bytes += (bytes.empty() ? "" : ", ") + std::to_string(part);
    BOOST_TEST(bytes == row.at(3), row.at(0));
  }
}

BOOST_AUTO_TEST_SUITE_END()
