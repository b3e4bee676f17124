// SPDX-License-Identifier: Apache-2.0
#include "knobs/knob_bench.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "petal/config/scenario_loader.hpp"
#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/scenario/scenario_run.hpp"
#include "petal/sweep/planned_plots.hpp"
#include "petal/sweep/sweep_request.hpp"

namespace petal::test {
namespace {

ScenarioOptions with_data() {
  ScenarioOptions options;
  options.data = true;
  return options;
}

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Every result's bytes.
std::string results_of(const ScenarioRun& run, const Summary& summary) {
  std::string path = (std::filesystem::temp_directory_path() / "petal_knob_XXXXXX").string();
  const int file = mkstemp(path.data());
  BOOST_REQUIRE(file >= 0);
  close(file);
  std::string text;
  for (const TensorError& result : summary.data) {
    run.write_result(result.tensor, path);
    text += result.tensor + ":" + contents_of(path);
  }
  std::remove(path.c_str());
  return text;
}

std::string plot_text(const PlotConfig& plot) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", plot.name, plot.title, static_cast<int>(plot.style),
                     plot.x, fmt::join(plot.y, ","), fmt::join(plot.series, ","), fmt::join(plot.log, ","),
                     plot.metric, fmt::join(plot.between, ","), fmt::join(plot.at, ","),
                     fmt::join(plot.slopes, ","));
}

void add_study(Fingerprint& print, const std::string& text) {
  const PlannedSweep sweep({"", "s.yaml", text, {}, {}});
  std::string points;
  for (std::size_t i = 0; i < sweep.grid.size(); ++i) {
    const SweepPoint point = sweep.grid.point(i);
    points += fmt::format("{}:{}:{}\n", fmt::join(point.values, ","), fmt::join(point.sets, ","),
                          point.kernel.value_or(""));
  }
  std::string plots;
  for (const PlotConfig& plot : planned_plots(sweep.study, sweep.grid, sweep.table))
    plots += plot_text(plot) + "\n";
  print["points"] = points;
  print["table"] = sweep.table.csv();
  print["plots"] = plots;
}

class OnScenario : public KnobBench {
 public:
  OnScenario(const std::string& text, const std::vector<std::string>& sets)
      : text_(text),
        config_(scenario_from_text(text, sets)),
        run_(sc_core::sc_gen_unique_name("knob"), config_, with_data()) {
    run_.platform().attach(log_);
  }

  Fingerprint fingerprint() const override {
    const Summary summary = run_.summary();
    Fingerprint print = fingerprint_of(log_, summary);
    print["kernel"] = summary.kernel;
    print["results"] = results_of(run_, summary);
    std::vector<std::string> compared;
    for (const std::string& name : config_.compare) compared.emplace_back(find_kernel(name).name);
    print["compared"] = fmt::format("{}", fmt::join(compared, " "));
    if (config_.sweep) add_study(print, text_);
    return print;
  }

 private:
  std::string text_;
  ScenarioConfig config_;
  EventLog log_;
  ScenarioRun run_;
};

class OnPlatform : public KnobBench {
 public:
  OnPlatform(const std::string& text, const std::vector<std::string>& sets, const Kernel& kernel)
      : bench_(scenario_from_text(text, sets).platform) {
    bench_.launch(kernel);
  }
  Fingerprint fingerprint() const override { return fingerprint_of(bench_.log(), bench_.summary()); }

 private:
  KernelBench bench_;
};

}  // namespace

std::unique_ptr<KnobBench> scenario_bench(const std::string& text, const std::vector<std::string>& sets) {
  return std::make_unique<OnScenario>(text, sets);
}

std::unique_ptr<KnobBench> kernel_bench(const std::string& text, const std::vector<std::string>& sets,
                                        const Kernel& kernel) {
  return std::make_unique<OnPlatform>(text, sets, kernel);
}

}  // namespace petal::test
