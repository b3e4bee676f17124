// SPDX-License-Identifier: Apache-2.0
#include "petal/config/dispatch_presets.hpp"

#include <boost/test/unit_test.hpp>

#include "config_error_text.hpp"

namespace petal {
namespace {

DispatchCostConfig cost_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  return scenario_from_text(text, sets).platform.pes.at(0).cost;
}

const std::string kFixedGiven =
    "dispatch_preset: tensix-push\n"
    "platform: {pe: {attrs: {pe_cost_model: {fixed_per_cmd_cycles: 80}}}}\n";

BOOST_AUTO_TEST_SUITE(dispatch_preset_table)

BOOST_AUTO_TEST_CASE(every_row_is_the_published_cost) {
  struct Published {
    const char* name;
    double clock_ghz, fixed, r;
  };
  // gemmini-rocc is published as 1..5 cycles: the lower end counts; tensix-push as 1, or 7 with a register
  // read.
  constexpr Published rows[] = {{"seed-default", 1.0, 40.0, 0.0625},
                                {"gemmini-rocc", 1.0, 1.0, 0.0625},
                                {"tensix-push", 1.0, 1.0, 0.25},
                                {"virtual-platform", 1.0, 1.0, 0.0}};
  BOOST_TEST(dispatch_presets().size() == std::size(rows));
  for (const Published& row : rows) {
    BOOST_TEST_CONTEXT(row.name) {
      const auto preset = dispatch_preset_named(row.name);
      BOOST_REQUIRE(preset.has_value());
      BOOST_TEST(preset->clock_ghz == row.clock_ghz);
      BOOST_TEST(preset->fixed_per_cmd_cycles == row.fixed);
      BOOST_TEST(preset->byte_cycles_recip == row.r);
      BOOST_TEST(!preset->level.empty());
      BOOST_TEST(!preset->status.empty());
      BOOST_TEST(!preset->source.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_preset_sets_fixed_and_r_and_neither_cap_nor_clock) {
  const PeConfig pe = scenario_from_text("dispatch_preset: tensix-push").platform.pes.at(0);
  BOOST_TEST(pe.cost.fixed_per_cmd_cycles == 1.0);
  BOOST_TEST(pe.cost.byte_cycles_recip == 0.25);
  BOOST_TEST(pe.cost.max_composite_logical_bytes == 1024U);
  BOOST_TEST(pe.clock.gigahertz() == 1.0);
}

BOOST_AUTO_TEST_CASE(a_key_wins_over_the_preset_beside_it) {
  BOOST_TEST(cost_of(kFixedGiven).fixed_per_cmd_cycles == 80.0);
  BOOST_TEST(cost_of(kFixedGiven).byte_cycles_recip == 0.25);
}

BOOST_AUTO_TEST_CASE(a_preset_on_the_command_line_wins_over_the_file) {
  const DispatchCostConfig cost = cost_of(kFixedGiven, {"dispatch_preset=gemmini-rocc"});
  BOOST_TEST(cost.fixed_per_cmd_cycles == 1.0);
  BOOST_TEST(cost.byte_cycles_recip == 0.0625);
}

BOOST_AUTO_TEST_CASE(a_key_on_the_command_line_wins_over_a_preset_there) {
  const DispatchCostConfig cost = cost_of("{}", {"fixed_per_cmd_cycles=7", "dispatch_preset=tensix-push"});
  BOOST_TEST(cost.fixed_per_cmd_cycles == 7.0);
  BOOST_TEST(cost.byte_cycles_recip == 0.25);
}

BOOST_AUTO_TEST_CASE(a_pe_can_have_a_preset_of_its_own) {
  const PlatformConfig platform =
      scenario_from_text(
          "dispatch_preset: gemmini-rocc\n"
          "platform: {pes: [{name: a}, {name: b, attrs: {pe_cost_model: {preset: tensix-push}}}]}\n")
          .platform;
  BOOST_TEST(platform.pes.at(0).cost.byte_cycles_recip == 0.0625);
  BOOST_TEST(platform.pes.at(1).cost.byte_cycles_recip == 0.25);
}

BOOST_AUTO_TEST_CASE(an_unknown_preset_is_refused_with_the_nearest_name) {
  const std::string error = test::error_of("dispatch_preset: gemini-rocc");
  BOOST_TEST(test::contains(error, "nearest valid value 'gemmini-rocc'"), error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
