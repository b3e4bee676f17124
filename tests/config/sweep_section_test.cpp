// SPDX-License-Identifier: Apache-2.0
//
// The section `sweep` of a scenario: read, with its mistakes; and no part of what a run is configured by.
#include <boost/test/unit_test.hpp>

#include "config_error_text.hpp"
#include "petal/config/effective_config.hpp"
#include "petal/config/scenario_source.hpp"

namespace petal {
namespace {

using test::contains;
using test::error_of;

SweepConfig sweep_of(const std::string& text) {
  const auto sweep = scenario_from_text(text).sweep;
  BOOST_REQUIRE(sweep.has_value());
  return *sweep;
}

const std::string kStudy =
    "sweep:\n"
    "  set:\n"
    "    - fixed_per_cmd_cycles=0,5\n"
    "    - tile=16:64:*2\n"
    "  kernels: [opt3, opt2]\n"
    "  columns: [head_dim]\n"
    "  cases:\n"
    "    - {name: plain}\n"
    "    - {name: shared, set: [hbm.scope=shared]}\n"
    "  plots:\n"
    "    - {name: where, title: Where they meet, style: crossover, between: [opt3, opt2], metric: time_ps,\n"
    "       at: [1, 2.5], x: tile, y: [fixed_per_cmd_cycles], log: [x], slopes: [-1, 64.5], series: [case]}\n"
    "    - {x: tile}\n";

BOOST_AUTO_TEST_SUITE(sweep_section)

BOOST_AUTO_TEST_CASE(every_key_is_read) {
  const SweepConfig sweep = sweep_of(kStudy);
  BOOST_TEST((sweep.sets == std::vector<std::string>{"fixed_per_cmd_cycles=0,5", "tile=16:64:*2"}));
  BOOST_TEST((sweep.kernels == std::vector<std::string>{"opt3", "opt2"}));
  BOOST_TEST((sweep.columns == std::vector<std::string>{"head_dim"}));
  BOOST_REQUIRE(sweep.cases.size() == 2U);
  BOOST_TEST(sweep.cases[0].name == "plain");
  BOOST_TEST(sweep.cases[0].sets.empty());
  BOOST_TEST((sweep.cases[1].sets == std::vector<std::string>{"hbm.scope=shared"}));
  BOOST_REQUIRE(sweep.plots.size() == 2U);
  const PlotConfig& plot = sweep.plots[0];
  BOOST_TEST(plot.name == "where");
  BOOST_TEST(plot.title == "Where they meet");
  BOOST_TEST((plot.style == PlotStyle::crossover));
  BOOST_TEST((plot.between == std::vector<std::string>{"opt3", "opt2"}));
  BOOST_TEST(plot.metric == "time_ps");
  BOOST_TEST((plot.at == std::vector<std::string>{"1", "2.5"}));
  BOOST_TEST(plot.x == "tile");
  BOOST_TEST((plot.y == std::vector<std::string>{"fixed_per_cmd_cycles"}));
  BOOST_TEST((plot.log == std::vector<std::string>{"x"}));
  BOOST_TEST((plot.slopes == std::vector<std::string>{"-1", "64.5"}));
  BOOST_TEST((plot.series == std::vector<std::string>{"case"}));
  BOOST_TEST(sweep.plots[1].name == "plot1");
}

BOOST_AUTO_TEST_CASE(a_scenario_without_it_has_none) {
  BOOST_TEST(!scenario_from_text("kv_len: 64").sweep.has_value());
}

// A run of a study is a run of its scenario.
BOOST_AUTO_TEST_CASE(it_is_no_part_of_the_effective_configuration) {
  BOOST_TEST(effective_yaml(scenario_from_text(kStudy)) == effective_yaml(scenario_from_text("{}")));
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_with_their_line) {
  BOOST_TEST(contains(error_of("sweep: 3"), "s.yaml:1: sweep: value '3': must be a map of keys"));
  BOOST_TEST(contains(error_of("sweep:\n  sets: [a]\n"),
                      "s.yaml:2: sweep.sets: value a list of 1: no such key; nearest valid key 'sweep.set'"));
  BOOST_TEST(
      contains(error_of("sweep:\n  set: tile=3\n"), "s.yaml:2: sweep.set: value 'tile=3': must be a list"));
  BOOST_TEST(contains(error_of("sweep:\n  cases:\n    - {set: [tile=3]}\n"),
                      "s.yaml:3: sweep.cases[0].name: a case needs a name"));
  BOOST_TEST(contains(error_of("sweep:\n  cases:\n    - {name: a}\n    - {name: a}\n"),
                      "s.yaml:4: sweep.cases[1].name: value 'a': must be unique"));
  BOOST_TEST(contains(error_of("sweep:\n  plots:\n    - {style: pie}\n"),
                      "s.yaml:3: sweep.plots[0].style: value 'pie': must be one of lines, bars, crossover"));
  BOOST_TEST(contains(error_of("sweep:\n  plots:\n    - {at: [1, two]}\n"),
                      "sweep.plots[0].at: value a list of 2: must be a list of real numbers"));
  BOOST_TEST(
      contains(error_of("sweep:\n  plots:\n    - {titel: x}\n"), "nearest valid key 'sweep.plots[0].title'"));
  BOOST_TEST(contains(error_of("sweep:\n  plots:\n    - {name: ../x}\n"), "must be the name of a file"));
}

BOOST_AUTO_TEST_CASE(it_cannot_be_set) {
  BOOST_TEST(contains(error_of("{}", {"sweep.kernels=[opt2]"}), "no such key"));
}

// Equal values have equal texts, whatever they are written like.
BOOST_AUTO_TEST_CASE(values_have_a_canonical_text) {
  BOOST_TEST(canonical_value("kv_len", "8e1") == "80");
  BOOST_TEST(canonical_value("platform.pe.attrs.pe_cost_model.byte_cycles_recip", ".0625") == "0.0625");
  BOOST_TEST(canonical_value("platform.pe.attrs.tcm.arena_bytes", "1 KiB") == "1024");
  BOOST_TEST(canonical_value("platform.hbm.gb_per_s_per_channel", "unlimited") == "unlimited");
  BOOST_TEST(canonical_value("platform.pe.engines", "[dma,gemm]") == "[dma, gemm]");
  BOOST_TEST(canonical_value("platform.pes", "4.0") == "4");
  BOOST_TEST(canonical_value("attention.is_causal", "1") == "true");
  BOOST_TEST(canonical_value("seed", "7") == "7");
  BOOST_CHECK_EXCEPTION(canonical_value("kv_len", "-1"), ConfigError, [](const ConfigError& error) {
    return std::string(error.what()) == "kv_len: value '-1': must be a whole number from 0 to 2147483647";
  });
  BOOST_CHECK_THROW(canonical_value("kv_len", "[1"), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
