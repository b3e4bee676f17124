// SPDX-License-Identifier: Apache-2.0
//
// The decode kernels against each other, as measured in runs: what a tile in the middle costs is what a run
// with one tile more costs more.
#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr std::uint64_t kTile = 64;

struct TileCost {
  std::uint64_t commands;
  std::uint64_t bytes;
  double cycles;
};

/// Two runs of a kernel that differ by one tile.
class TileMeasurement {
 public:
  explicit TileMeasurement(const std::string& kernel, const std::vector<std::string>& sets = {})
      : shorter_(small_decode(8 * kTile, sets), kernel), longer_(small_decode(9 * kTile, sets), kernel) {}

  TileCost cost() const {
    const EventLog& less = shorter_.log();
    const EventLog& more = longer_.log();
    return {more.dispatched() - less.dispatched(), more.dispatch_bytes() - less.dispatch_bytes(),
            more.dispatch_cycles() - less.dispatch_cycles()};
  }
  const ScenarioBench& longer() const { return longer_; }

 private:
  ScenarioBench shorter_;
  ScenarioBench longer_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(decode_comparison)

// ADR-0064 test 2. opt3: 10 x 40 + 372 / 16; opt2: 2 x 40 + 380 / 16; opt1: 14 x 40 + 414 / 16;
// three composites (ADR-0065, alternative A1): 3 x 40 + 402 / 16.
BOOST_AUTO_TEST_CASE(opt3_costs_more_than_twice_opt2_a_tile) {
  const TileMeasurement opt1("gqa_decode_opt1");
  const TileMeasurement opt2("gqa_decode_opt2");
  const TileMeasurement opt3("gqa_decode_opt3");
  simulate();
  BOOST_TEST(opt1.cost().commands == 14U);
  BOOST_TEST(opt1.cost().bytes == 414U);
  BOOST_TEST(opt1.cost().cycles == 585.875);
  BOOST_TEST(opt2.cost().commands == 2U);
  BOOST_TEST(opt2.cost().bytes == 380U);
  BOOST_TEST(opt2.cost().cycles == 103.75);
  BOOST_TEST(opt3.cost().commands == 10U);
  BOOST_TEST(opt3.cost().bytes == 372U);
  BOOST_TEST(opt3.cost().cycles == 423.25);
  BOOST_TEST(opt3.cost().cycles > 2 * opt2.cost().cycles);
}

BOOST_AUTO_TEST_CASE(three_composites_lie_between_opt2_and_opt3) {
  const TileMeasurement three("gqa_decode_three_composites");
  const TileMeasurement opt2("gqa_decode_opt2");
  const TileMeasurement opt3("gqa_decode_opt3");
  simulate();
  BOOST_TEST(three.cost().commands == 3U);
  BOOST_TEST(three.cost().bytes == 402U);
  BOOST_TEST(three.cost().cycles == 145.125);
  BOOST_TEST(three.cost().cycles > opt2.cost().cycles);
  BOOST_TEST(three.cost().cycles < opt3.cost().cycles);
  // The same products on the same data, whatever they are grouped into.
  const Summary of_three = three.longer().summary();
  const Summary of_opt2 = opt2.longer().summary();
  BOOST_TEST(of_three.total.macs == of_opt2.total.macs);
  BOOST_TEST(of_three.total.dma_read.count() == of_opt2.total.dma_read.count());
  BOOST_TEST(of_three.total.dma_write.count() == of_opt2.total.dma_write.count());
  BOOST_TEST(of_three.time.count() > of_opt2.time.count());
}

// ADR-0064 test 9. (400 + 372 R) / (80 + 380 R): 4.480, 4.080, 2.817.
BOOST_AUTO_TEST_CASE(opt3_costs_more_than_opt2_at_every_r_and_the_ratio_falls_as_r_grows) {
  const double recips[] = {0.03125, 0.0625, 0.25};
  std::vector<std::unique_ptr<TileMeasurement>> runs;
  for (const double recip : recips)
    for (const char* const kernel : {"gqa_decode_opt3", "gqa_decode_opt2"})
      runs.push_back(std::make_unique<TileMeasurement>(
          kernel, std::vector<std::string>{fmt::format("byte_cycles_recip={}", recip)}));
  simulate();
  double previous = 1e9;
  for (std::size_t i = 0; i < 3; ++i) {
    const double opt3 = runs[2 * i]->cost().cycles;
    const double opt2 = runs[2 * i + 1]->cost().cycles;
    BOOST_TEST(opt3 == 400 + 372 * recips[i]);
    BOOST_TEST(opt2 == 80 + 380 * recips[i]);
    BOOST_TEST(opt3 > opt2);
    BOOST_TEST(opt3 / opt2 < previous);
    previous = opt3 / opt2;
  }
}

// What fusing saves is commands, not bytes: of the difference in dispatch, and of the difference in time.
BOOST_AUTO_TEST_CASE(fixed_makes_at_least_85_percent_of_the_difference_between_opt3_and_opt2) {
  const std::vector<std::string> free_commands = {"fixed_per_cmd_cycles=0"};
  ScenarioBench opt2(small_decode(1024), "gqa_decode_opt2");
  ScenarioBench opt3(small_decode(1024), "gqa_decode_opt3");
  ScenarioBench opt2_free(small_decode(1024, free_commands), "gqa_decode_opt2");
  ScenarioBench opt3_free(small_decode(1024, free_commands), "gqa_decode_opt3");
  simulate();
  const auto difference = [](const ScenarioBench& more, const ScenarioBench& less) {
    return more.log().dispatch_cycles() - less.log().dispatch_cycles();
  };
  const double with_fixed = difference(opt3, opt2);
  const double without = difference(opt3_free, opt2_free);
  BOOST_TEST(with_fixed > 0.0);
  BOOST_TEST((with_fixed - without) / with_fixed >= 0.85);
  const auto time = [](const ScenarioBench& bench) {
    return static_cast<double>(bench.summary().time.count());
  };
  const double time_with_fixed = time(opt3) - time(opt2);
  const double time_without = time(opt3_free) - time(opt2_free);
  BOOST_TEST(time_with_fixed > 0.0);
  BOOST_TEST((time_with_fixed - time_without) / time_with_fixed >= 0.85);
}

BOOST_AUTO_TEST_SUITE_END()
