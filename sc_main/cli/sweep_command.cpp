// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "petal/cli/output_file.hpp"
#include "petal/cli/point_progress.hpp"
#include "petal/cli/progress_bar.hpp"
#include "petal/cli/subcommands.hpp"
#include "petal/command/error.hpp"
#include "petal/config/scenario_loader.hpp"
#include "petal/plot/gnuplot.hpp"
#include "petal/scenario/scenario_run.hpp"
#include "petal/sweep/planned_plots.hpp"
#include "petal/sweep/point_runner.hpp"
#include "petal/sweep/slurm_script.hpp"
#include "petal/sweep/sweep_crossover.hpp"
#include "petal/sweep/sweep_results.hpp"

namespace petal {
namespace {

namespace fs = std::filesystem;

std::string own_program() {
  return fs::read_symlink("/proc/self/exe").string();
}

std::size_t jobs_of(const CommandOptions& options) {
  return options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
}

fs::path folder_of(const CommandOptions& options) {
  return options.folder ? fs::path(*options.folder) : fs::path(options.input).stem().concat(".sweep");
}

SweepRequest request_of(const CommandOptions& options) {
  return {program_version(), fs::path(options.input).filename().string(), scenario_text(options.input),
          options.sets, options.kernels};
}

/// Runs points that are due and tells of those that fail; which were told.
std::set<std::size_t> run_points(const PlannedSweep& sweep, const PointStore& store,
                                 const std::vector<std::size_t>& due, std::size_t jobs, bool quiet) {
  PointProgress progress(sweep.grid, due.size(), !quiet && standard_error_is_terminal());
  PointRunner(own_program(), store, sweep.grid).run(due, jobs, progress);
  return progress.told();
}

/// Draws what can be drawn; the names of the pictures.
std::vector<std::string> draw(const CommandOptions& options, const PointStore& store,
                              const std::vector<std::string>& scripts) {
  std::vector<std::string> pictures;
  if (options.no_plot) return pictures;
  if (!has_gnuplot()) {
    fmt::print(stderr, "petal: {}\n", kNoGnuplot);
    return pictures;
  }
  for (const std::string& script : scripts) {
    run_gnuplot(store.folder(), script);
    const std::string stem = fs::path(script).stem().string();
    pictures.insert(pictures.end(), {stem + ".svg", stem + ".png"});
  }
  return pictures;
}

std::string missing_text(const std::vector<std::size_t>& missing) {
  constexpr std::size_t kMostShown = 10;
  const std::size_t shown = std::min(missing.size(), kMostShown);
  return fmt::format("{}{}",
                     fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     missing.size() > shown ? ", ..." : "");
}

void print_crossovers(const PlotConfig& plot, const SweepTable& table) {
  constexpr std::size_t kMostShown = 40;
  const std::vector<CrossoverPoint> points = crossover_points(plot, table);
  fmt::print("{}:{}\n", plot.title, points.empty() ? " nowhere in this grid" : "");
  for (std::size_t shown = 0; shown < points.size() && shown < kMostShown; ++shown) {
    const CrossoverPoint& point = points[shown];
    std::string series;
    for (std::size_t i = 0; i < plot.series.size(); ++i)
      series += fmt::format("{} {}, ", plot.series[i], point.series[i]);
    fmt::print("  {} = {}{} at {}{} {}: {} {:.6g}\n", plot.between[0],
               point.at == "1" ? "" : point.at + " x ", plot.between[1], series, plot.x, point.x,
               plot.y.front(), point.y);
  }
  if (points.size() > kMostShown) fmt::print("  ... {} in {}.crossover.csv\n", points.size(), plot.name);
}

/// A sweep's folder, with what it comes to.
struct FinishedSweep {
  const PlannedSweep& sweep;
  const std::vector<PlotConfig>& plots;
  const PointStore& store;
  const SweepResults& results;
  std::vector<std::string> pictures;
};

void print_text(const FinishedSweep& finished) {
  const SweepResults& results = finished.results;
  std::string counts = fmt::format("{} points: {} done", finished.sweep.grid.size(), results.done);
  if (!results.failed.empty()) counts += fmt::format(", {} failed", results.failed.size());
  if (!results.missing.empty()) counts += fmt::format(", {} missing", results.missing.size());
  fmt::print("{}\n  {}\n", counts, (finished.store.folder() / "sweep.csv").string());
  for (const std::string& picture : finished.pictures)
    fmt::print("  {}\n", (finished.store.folder() / picture).string());
  for (const PlotConfig& plot : finished.plots)
    if (plot.style == PlotStyle::crossover) print_crossovers(plot, results.table);
}

void print_json(const FinishedSweep& finished) {
  nlohmann::ordered_json failed = nlohmann::ordered_json::array();
  for (const auto& [index, failure] : finished.results.failed)
    failed.push_back({{"point", index}, {"message", failure.message}});
  const nlohmann::ordered_json json = {{"points", finished.sweep.grid.size()},
                                       {"done", finished.results.done},
                                       {"failed", failed},
                                       {"missing", finished.results.missing},
                                       {"folder", finished.store.folder().string()},
                                       {"csv", "sweep.csv"},
                                       {"pictures", finished.pictures}};
  std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

/// Makes the table and the pictures of what is there. `told`: points whose failure people know of.
ExitCode finish(const CommandOptions& options, const PlannedSweep& sweep,
                const std::vector<PlotConfig>& plots, const PointStore& store,
                const std::set<std::size_t>& told) {
  const SweepResults results = collect(sweep, store);
  const auto scripts = write_results(sweep, plots, results, program_version(), store);
  const FinishedSweep finished{sweep, plots, store, results, draw(options, store, scripts)};
  for (const auto& [index, failure] : results.failed)
    if (told.count(index) == 0) tell_failure(sweep.grid, index, failure);
  if (!results.missing.empty())
    fmt::print(stderr, "petal: {} of {} points are not there yet ({}); run or submit the sweep again\n",
               results.missing.size(), sweep.grid.size(), missing_text(results.missing));
  if (options.json)
    print_json(finished);
  else if (!options.quiet)
    print_text(finished);
  return results.failed.empty() && results.missing.empty() ? ExitCode::done : ExitCode::simulation;
}

void write_slurm_script(const CommandOptions& options, const PlannedSweep& sweep, const PointStore& store) {
  const fs::path folder = fs::canonical(store.folder());
  fs::create_directories(folder / kSlurmLogs);
  const std::string script = slurm_script(
      {fs::path(options.input).stem().string(), own_program(), folder.string(), sweep.grid.size()});
  write_file(*options.slurm, [&](std::ostream& out) { out << script; });
  fs::permissions(*options.slurm, fs::perms::owner_exec, fs::perm_options::add);
  if (!options.quiet)
    fmt::print("{} points: submit them with\n  sbatch {}\nand collect them with\n  petal sweep --gather {}\n",
               sweep.grid.size(), *options.slurm, store.folder().string());
}

ExitCode run_here(const CommandOptions& options) {
  const SweepRequest request = request_of(options);
  const PlannedSweep sweep(request);
  const std::vector<PlotConfig> plots = planned_plots(sweep.study, sweep.grid, sweep.table);
  const PointStore store(folder_of(options));
  store.open_for(request);
  if (options.slurm) {
    write_slurm_script(options, sweep, store);
    return ExitCode::done;
  }
  const FolderLock lock(store.folder());
  store.remove_leftovers();
  const auto told = run_points(sweep, store, due_points(sweep, store), jobs_of(options), options.quiet);
  return finish(options, sweep, plots, store, told);
}

/// The request in a sweep's folder. Throws ConfigError if another version of the program made it.
SweepRequest request_in(const PointStore& store) {
  SweepRequest request = store.request();
  if (request.version != program_version())
    throw ConfigError(
        fmt::format("'{}' was made by petal {}, and this is petal {}; sweep again in another folder",
                    store.folder().string(), request.version, program_version()));
  return request;
}

ExitCode gather(const CommandOptions& options) {
  const PointStore store(*options.gather);
  const PlannedSweep sweep(request_in(store));
  return finish(options, sweep, planned_plots(sweep.study, sweep.grid, sweep.table), store, {});
}

ExitCode run_task(const CommandOptions& options) {
  if (!options.folder)
    throw ConfigError("--task runs points of a sweep that was started; give its folder as --out");
  const TaskShare share = task_share(*options.task);
  const PointStore store(*options.folder);
  const PlannedSweep sweep(request_in(store));
  std::vector<std::size_t> due;
  for (std::size_t index = share.task; index < sweep.grid.size(); index += share.tasks)
    if (store.read(index).is_due()) due.push_back(index);
  const auto failed = run_points(sweep, store, due, std::max<std::size_t>(1, options.jobs), options.quiet);
  return failed.empty() ? ExitCode::done : ExitCode::simulation;
}

}  // namespace

ExitCode run_sweep(const CommandOptions& options) {
  const int ways = (options.input.empty() ? 0 : 1) + (options.gather ? 1 : 0) + (options.task ? 1 : 0);
  if (ways != 1)
    throw ConfigError(
        "petal sweep needs one of a scenario to sweep, --gather FOLDER to collect points, and --task I/N to "
        "run some");
  if (options.gather) return gather(options);
  if (options.task) return run_task(options);
  return run_here(options);
}

}  // namespace petal
