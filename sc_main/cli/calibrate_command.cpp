// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "petal/calibrate/calibration_text.hpp"
#include "petal/cli/output_file.hpp"
#include "petal/cli/subcommands.hpp"
#include "petal/command/error.hpp"
#include "petal/plot/gnuplot.hpp"
#include "petal/plot/gnuplot_script.hpp"
#include "petal/scenario/scenario_run.hpp"

namespace petal {
namespace {

namespace fs = std::filesystem;

std::vector<Measurement> measurements_in(const std::string& path) {
  std::ifstream in(path);
  if (!in || fs::is_directory(path))
    throw ConfigError(fmt::format("'{}' cannot be read; give a CSV file of pairs logical_bytes,ns", path));
  return read_measurements(in, path);
}

fs::path preset_path(const CommandOptions& options) {
  return options.preset ? fs::path(*options.preset) : fs::path(options.input).stem().concat(".preset.yaml");
}

/// Writes the gnuplot script beside the preset and draws it; the pictures' paths.
std::vector<std::string> draw(const CommandOptions& options, const Figure& figure, const fs::path& preset) {
  const std::string stem = preset.stem().string();
  const fs::path folder = preset.has_parent_path() ? preset.parent_path() : fs::path(".");
  write_file((folder / (stem + ".gp")).string(),
             [&](std::ostream& out) { out << gnuplot_script(figure, stem); });
  if (options.no_plot) return {};
  if (!has_gnuplot()) {
    fmt::print(stderr, "petal: {}\n", kNoGnuplot);
    return {};
  }
  run_gnuplot(folder, stem + ".gp");
  return {(folder / (stem + ".svg")).lexically_normal().string(),
          (folder / (stem + ".png")).lexically_normal().string()};
}

}  // namespace

ExitCode calibrate(const CommandOptions& options) {
  if (!std::isfinite(options.clock_ghz) || options.clock_ghz <= 0)
    throw ConfigError(fmt::format("--clock-ghz: value {}: must be a number above 0", options.clock_ghz));
  const std::vector<Measurement> measurements = measurements_in(options.input);
  const DispatchFit fit = fit_dispatch(measurements, options.clock_ghz);
  const std::string source = fs::path(options.input).filename().string();
  const fs::path preset = preset_path(options);
  write_file(preset.string(), [&](std::ostream& out) {
    out << preset_yaml(fit, measurements.size(), source, program_version());
  });
  const auto pictures = draw(options, calibration_figure(fit, measurements, source), preset);
  if (options.json) {
    nlohmann::ordered_json json = calibration_json(fit, measurements);
    json["preset"] = preset.string();
    json["pictures"] = pictures;
    std::cout << json.dump(2) << '\n';
  } else if (!options.quiet) {
    fmt::print("{}\npreset   {}\n", calibration_text(fit, measurements), preset.string());
    for (const std::string& picture : pictures) fmt::print("picture  {}\n", picture);
  }
  return ExitCode::done;
}

}  // namespace petal
