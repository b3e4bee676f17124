// SPDX-License-Identifier: Apache-2.0
//
// The studies in configs/studies can be swept: their grids and plots exist.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <set>

#include "petal/config/dispatch_presets.hpp"
#include "petal/config/model_presets.hpp"
#include "petal/config/scenario_loader.hpp"
#include "petal/sweep/planned_plots.hpp"
#include "petal/sweep/sweep_request.hpp"

namespace petal {
namespace {

namespace fs = std::filesystem;

const fs::path kStudies = fs::path(PETAL_SHIPPED_SCENARIOS) / "studies";

PlannedSweep planned(const fs::path& path) {
  return PlannedSweep({"", path.filename().string(), scenario_text(path.string()), {}, {}});
}

std::set<std::string> values_of(const PlannedSweep& sweep, const std::string& axis) {
  std::set<std::string> values;
  BOOST_REQUIRE(sweep.grid.axis_named(axis) != nullptr);
  for (const AxisValue& value : sweep.grid.axis_named(axis)->values) values.insert(value.text);
  return values;
}

BOOST_AUTO_TEST_SUITE(shipped_studies)

BOOST_AUTO_TEST_CASE(each_has_a_grid_and_plots) {
  std::size_t count = 0;
  for (const auto& file : fs::directory_iterator(kStudies)) {
    BOOST_TEST_CONTEXT(file.path()) {
      const PlannedSweep sweep = planned(file.path());
      BOOST_TEST(sweep.grid.size() >= 8U);
      BOOST_TEST(!sweep.study.plots.empty());
      BOOST_TEST(planned_plots(sweep.study, sweep.grid, sweep.table).size() == sweep.study.plots.size());
      ++count;
    }
  }
  BOOST_TEST(count >= 7U);
}

BOOST_AUTO_TEST_CASE(the_fixed_study_has_the_five_costs) {
  const PlannedSweep sweep = planned(kStudies / "fixed.yaml");
  BOOST_TEST(
      (values_of(sweep, "fixed_per_cmd_cycles") == std::set<std::string>{"0", "5", "10", "40", "200"}));
}

BOOST_AUTO_TEST_CASE(the_models_study_has_every_model_that_can_run) {
  std::set<std::string> models;
  for (const ModelPreset& model : model_presets())
    if (model.is_supported()) models.emplace(model.name);
  BOOST_TEST((values_of(planned(kStudies / "models.yaml"), "model") == models));
}

BOOST_AUTO_TEST_CASE(the_preset_study_has_every_preset) {
  const std::set<std::string> cases = values_of(planned(kStudies / "dispatch_presets.yaml"), "case");
  for (const DispatchPreset& preset : dispatch_presets())
    BOOST_TEST(cases.count(std::string(preset.name)) == 1U, preset.name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
