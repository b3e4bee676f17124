// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/sweep_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "petal/command/error.hpp"
#include "petal/config/scenario_source.hpp"
#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/sweep/value_list.hpp"

namespace petal {

namespace {

constexpr std::size_t kMostPoints = 1000000;

/// "key=text" in its two parts, and the key in full.
struct Setting {
  std::string name;
  std::string path;
  std::string text;
};

Setting setting_of(const std::string& option) {
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos || equals == 0)
    throw ConfigError(fmt::format("'{}': an axis must be key.path=v1,v2,..", option));
  const std::string name = option.substr(0, equals);
  return {name, full_key_path(name), option.substr(equals + 1)};
}

AxisValue kernel_value(const std::string& name) {
  const std::string kernel(find_kernel(name).name);
  return {kernel, {}, kernel};
}

AxisValue key_value(const std::string& path, const std::string& text) {
  std::string canonical = canonical_value(path, text);
  return {canonical, {path + "=" + text}, std::nullopt};
}

void require_distinct(const SweepAxis& axis) {
  std::set<std::string> seen;
  for (const AxisValue& value : axis.values)
    if (!seen.insert(value.text).second)
      throw ConfigError(
          fmt::format("{}: value '{}' comes twice; each point is run once", axis.name, value.text));
}

SweepAxis kernel_axis(const std::vector<std::string>& kernels) {
  SweepAxis axis{kKernelAxis, kKernelAxis, {}};
  for (const std::string& kernel : kernels) axis.values.push_back(kernel_value(kernel));
  require_distinct(axis);
  return axis;
}

SweepAxis key_axis(const Setting& setting) {
  SweepAxis axis{setting.name, setting.path, {}};
  for (const std::string& text : listed_values(setting.name, setting.text))
    axis.values.push_back(key_value(setting.path, text));
  require_distinct(axis);
  return axis;
}

/// The axes of `options`, each key once; the kernel's apart, if it is among them.
struct KeyAxes {
  std::vector<SweepAxis> keys;
  std::optional<SweepAxis> kernels;

  explicit KeyAxes(const std::vector<std::string>& options) {
    std::set<std::string> seen;
    for (const std::string& option : options) {
      const Setting setting = setting_of(option);
      if (!seen.insert(setting.path).second)
        throw ConfigError(fmt::format("{}: the key comes twice; write all its values at once", setting.name));
      if (setting.path == kKernelAxis)
        kernels = kernel_axis(listed_values(setting.name, setting.text));
      else
        keys.push_back(key_axis(setting));
    }
  }
};

SweepAxis case_axis(const std::vector<SweepCase>& cases) {
  SweepAxis axis{kCaseAxis, "", {}};
  for (const SweepCase& entry : cases) {
    AxisValue value{entry.name, {}, std::nullopt};
    for (const std::string& option : entry.sets) {
      const Setting setting = setting_of(option);
      if (setting.path == kKernelAxis)
        value.kernel = kernel_value(setting.text).kernel;
      else
        value.sets.push_back(key_value(setting.path, setting.text).sets.front());
    }
    axis.values.push_back(std::move(value));
  }
  return axis;
}

std::string path_of_set(const std::string& set) {
  return set.substr(0, set.find('='));
}

bool cases_set(const SweepAxis& cases, const std::string& path) {
  return std::any_of(cases.values.begin(), cases.values.end(), [&](const AxisValue& value) {
    return (path == kKernelAxis && value.kernel) ||
           std::any_of(value.sets.begin(), value.sets.end(),
                       [&](const std::string& set) { return path_of_set(set) == path; });
  });
}

void require_not_in_cases(const std::vector<SweepAxis>& axes) {
  if (axes.empty() || axes.front().name != kCaseAxis) return;
  for (std::size_t i = 1; i < axes.size(); ++i)
    if (cases_set(axes.front(), axes[i].path))
      throw ConfigError(
          fmt::format("{}: the study's cases set this key; it cannot be an axis too (leave one of them out)",
                      axes[i].name));
}

/// The axes of `over` take the place of those of the same keys in `axes`; the others come behind.
void put_over(std::vector<SweepAxis>& axes, std::vector<SweepAxis> over) {
  for (SweepAxis& axis : over) {
    const auto same = std::find_if(axes.begin(), axes.end(),
                                   [&](const SweepAxis& before) { return before.path == axis.path; });
    if (same == axes.end())
      axes.push_back(std::move(axis));
    else
      *same = std::move(axis);
  }
}

/// The kernels' axis: of the command line, else of the study.
std::optional<SweepAxis> chosen_kernels(const SweepConfig& study, const KeyAxes& studied,
                                        const KeyAxes& given, const std::vector<std::string>& kernels) {
  if ((given.kernels && !kernels.empty()) || (studied.kernels && !study.kernels.empty()))
    throw ConfigError("kernel: the kernels are listed twice, as a key and as kernels; leave one of them out");
  if (!kernels.empty()) return kernel_axis(kernels);
  if (given.kernels) return given.kernels;
  if (!study.kernels.empty()) return kernel_axis(study.kernels);
  return studied.kernels;
}

void require_size(const std::vector<SweepAxis>& axes) {
  if (axes.empty())
    throw ConfigError(
        "there is nothing to sweep; give --set key=v1,v2,.. or --kernel A,B, or a scenario with a `sweep` "
        "section");
  std::size_t size = 1;
  for (const SweepAxis& axis : axes) {
    size *= axis.values.size();
    if (size > kMostPoints)
      throw ConfigError(fmt::format("the grid has more than {} points; sweep fewer values", kMostPoints));
  }
}

}  // namespace

std::size_t SweepGrid::size() const {
  std::size_t size = 1;
  for (const SweepAxis& axis : axes_) size *= axis.values.size();
  return size;
}

SweepPoint SweepGrid::point(std::size_t index) const {
  std::vector<const AxisValue*> chosen(axes_.size());
  for (std::size_t axis = axes_.size(); axis-- > 0; index /= axes_[axis].values.size())
    chosen[axis] = &axes_[axis].values[index % axes_[axis].values.size()];
  SweepPoint point;
  for (const AxisValue* value : chosen) {
    point.values.push_back(value->text);
    point.sets.insert(point.sets.end(), value->sets.begin(), value->sets.end());
    if (value->kernel) point.kernel = value->kernel;
  }
  return point;
}

const SweepAxis* SweepGrid::axis_named(const std::string& name) const {
  for (const SweepAxis& axis : axes_)
    if (axis.name == name) return &axis;
  return nullptr;
}

SweepGrid sweep_grid(const SweepConfig& study, const std::vector<std::string>& sets,
                     const std::vector<std::string>& kernels) {
  const KeyAxes studied(study.sets);
  KeyAxes given(sets);
  std::vector<SweepAxis> axes;
  if (!study.cases.empty()) axes.push_back(case_axis(study.cases));
  axes.insert(axes.end(), studied.keys.begin(), studied.keys.end());
  put_over(axes, std::move(given.keys));
  if (auto chosen = chosen_kernels(study, studied, given, kernels)) axes.push_back(*std::move(chosen));
  require_not_in_cases(axes);
  require_size(axes);
  return SweepGrid(std::move(axes));
}

}  // namespace petal
