// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/comparison.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using namespace petal;

Summary run_of(const char* kernel, std::int64_t time, std::int64_t dispatching, PerTile tile, Bound bound) {
  Summary summary;
  summary.kernel = kernel;
  summary.time = Picoseconds(time);
  summary.pes.resize(1);
  summary.total.cpu[static_cast<std::size_t>(CpuState::dispatching)] = Picoseconds(dispatching);
  summary.steady_state = tile;
  summary.verdict.bound = bound;
  return summary;
}

std::vector<Summary> two_runs() {
  return {run_of("gqa_decode_opt3", 60000000, 45000000, {10, 372, 423.25}, Bound::dispatch),
          run_of("gqa_decode_opt2", 40000000, 10000000, {2, 380, 103.75}, Bound::memory_latency)};
}

/// The table's line that starts with `label`, with runs of spaces made one.
std::string line_of(const std::string& table, const std::string& label) {
  const std::size_t begin = table.find(label);
  BOOST_REQUIRE(begin != std::string::npos);
  std::string line;
  for (std::size_t at = begin; table[at] != '\n'; ++at)
    if (table[at] != ' ' || line.back() != ' ') line += table[at];
  return line;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(comparison)

BOOST_AUTO_TEST_CASE(a_column_a_kernel_with_speed_up_against_the_first) {
  const std::string table = comparison_text(two_runs());
  BOOST_TEST(line_of(table, "time") == "time 60.000 us 40.000 us");
  BOOST_TEST(line_of(table, "speed-up") == "speed-up 1.00 x 1.50 x");
  BOOST_TEST(line_of(table, "dispatch cycles a tile") == "dispatch cycles a tile 423.250 103.750");
  BOOST_TEST(line_of(table, "commands a tile") == "commands a tile 10.0 2.0");
  BOOST_TEST(line_of(table, "bytes a tile") == "bytes a tile 372.0 380.0");
  BOOST_TEST(line_of(table, "PE_CPU dispatching") == "PE_CPU dispatching 75.0 % 25.0 %");
  BOOST_TEST(line_of(table, "verdict") == "verdict dispatch-bound memory-latency-bound");
}

BOOST_AUTO_TEST_CASE(a_kernel_without_tiles_has_no_numbers_a_tile) {
  std::vector<Summary> runs = two_runs();
  runs[1].steady_state.reset();
  BOOST_TEST(line_of(comparison_text(runs), "commands a tile") == "commands a tile 10.0 -");
  BOOST_TEST(comparison_json(runs).at("kernels").at(1).at("dispatch_per_tile").is_null());
}

BOOST_AUTO_TEST_CASE(json_has_the_same_numbers) {
  const nlohmann::ordered_json json = comparison_json(two_runs());
  BOOST_TEST(json.at("baseline") == "gqa_decode_opt3");
  const auto& second = json.at("kernels").at(1);
  BOOST_TEST(second.at("speed_up") == 1.5);
  BOOST_TEST(second.at("cpu").at("dispatching") == 0.25);
  BOOST_TEST(second.at("dispatch_per_tile").at("cycles") == 103.75);
  BOOST_TEST(second.at("verdict") == "memory-latency-bound");
}

BOOST_AUTO_TEST_CASE(results_of_data_mode_stand_below) {
  std::vector<Summary> runs = two_runs();
  BOOST_TEST(!comparison_json(runs).at("kernels").at(0).contains("data"));
  TensorError error;
  error.tensor = "O";
  error.max_relative = 2.5e-7;
  error.tolerance = 1e-5;
  runs[0].data = {error};
  error.max_relative = 0.5;
  runs[1].data = {error};
  BOOST_TEST(line_of(comparison_text(runs), "O, relative") == "O, relative error 2.5e-07 0.5 FAILED");
  const auto json = comparison_json(runs);
  BOOST_TEST(json.at("kernels").at(0).at("data").at(0).at("within_tolerance") == true);
  BOOST_TEST(json.at("kernels").at(1).at("data").at(0).at("within_tolerance") == false);
}

BOOST_AUTO_TEST_CASE(nothing_compares_to_nothing) {
  BOOST_TEST(comparison_text({}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
