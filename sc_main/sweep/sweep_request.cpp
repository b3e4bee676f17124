// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/sweep_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "petal/command/error.hpp"
#include "petal/config/scenario_loader.hpp"

namespace petal {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string difference_of_texts(const std::string& before, const std::string& now) {
  const std::vector<std::string> old_lines = lines_of(before);
  const std::vector<std::string> new_lines = lines_of(now);
  const std::size_t most = std::max(old_lines.size(), new_lines.size());
  const auto line = [](const std::vector<std::string>& lines, std::size_t i) {
    return i < lines.size() ? fmt::format("'{}'", lines[i]) : std::string("not there");
  };
  for (std::size_t i = 0; i < most; ++i)
    if (line(old_lines, i) != line(new_lines, i))
      return fmt::format("line {} of the scenario is {} and was {}", i + 1, line(new_lines, i),
                         line(old_lines, i));
  return before == now ? "" : "the scenario's last line ended otherwise";
}

/// The values, a few of them.
std::string values_text(const SweepAxis& axis) {
  constexpr std::size_t kMostShown = 8;
  std::string text;
  for (std::size_t i = 0; i < axis.values.size() && i < kMostShown; ++i)
    text += (i == 0 ? "" : ", ") + axis.values[i].text;
  if (axis.values.size() > kMostShown) text += fmt::format(", ... ({} values)", axis.values.size());
  return text;
}

std::string difference_of_axes(const SweepAxis& before, const SweepAxis& now) {
  if (before.path != now.path) return fmt::format("{} is swept where {} was", now.name, before.name);
  const bool same =
      std::equal(before.values.begin(), before.values.end(), now.values.begin(), now.values.end(),
                 [](const AxisValue& a, const AxisValue& b) { return a.text == b.text; });
  if (same) return "";
  return fmt::format("{} has the values {} and had {}", now.name, values_text(now), values_text(before));
}

std::string difference_of_grids(const SweepGrid& before, const SweepGrid& now) {
  const std::size_t axes = std::min(before.axes().size(), now.axes().size());
  for (std::size_t i = 0; i < axes; ++i)
    if (std::string text = difference_of_axes(before.axes()[i], now.axes()[i]); !text.empty()) return text;
  if (now.axes().size() > axes) return fmt::format("{} is swept and was not", now.axes()[axes].name);
  if (before.axes().size() > axes) return fmt::format("{} is not swept and was", before.axes()[axes].name);
  return "";
}

SweepConfig study_of(const ScenarioConfig& scenario) {
  return scenario.sweep.value_or(SweepConfig());
}

}  // namespace

std::string request_json(const SweepRequest& request) {
  const Json json = {{"petal_sweep", kFormat}, {"version", request.version}, {"scenario", request.scenario},
                     {"sets", request.sets},   {"kernels", request.kernels}, {"text", request.text}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

SweepRequest request_from_json(const std::string& json, const std::string& path) {
  try {
    const Json parsed = Json::parse(json);
    if (parsed.at("petal_sweep") != kFormat)
      throw ConfigError(fmt::format("{}: of another version of petal sweep; give a new folder", path));
    SweepRequest request;
    parsed.at("version").get_to(request.version);
    parsed.at("scenario").get_to(request.scenario);
    parsed.at("text").get_to(request.text);
    parsed.at("sets").get_to(request.sets);
    parsed.at("kernels").get_to(request.kernels);
    return request;
  } catch (const nlohmann::json::exception&) {
    throw ConfigError(fmt::format("{}: is no file that petal sweep wrote; give a new folder", path));
  }
}

std::string difference(const SweepRequest& before, const SweepRequest& now) {
  if (before.version != now.version)
    return fmt::format("this is petal {} and that was petal {}", now.version, before.version);
  if (std::string text = difference_of_texts(before.text, now.text); !text.empty()) return text;
  return difference_of_grids(PlannedSweep(before).grid, PlannedSweep(now).grid);
}

PlannedSweep::PlannedSweep(const SweepRequest& request)
    : scenario(scenario_from_text(request.text, {}, request.scenario)),
      study(study_of(scenario)),
      grid(sweep_grid(study, request.sets, request.kernels)),
      table(grid, study.columns) {}

}  // namespace petal
