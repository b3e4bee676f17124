// SPDX-License-Identifier: Apache-2.0
//
// SweepGrid: the points of a sweep, every combination of its axes' values, in one order that does not depend
// on who asks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "petal/config/sweep_config.hpp"

namespace petal {

/// What one value of an axis means for a run.
struct AxisValue {
  std::string text;                   ///< canonical: equal values have equal texts
  std::vector<std::string> sets;      ///< for `--set`
  std::optional<std::string> kernel;  ///< for `--kernel`
};

/// One axis: a key, the kernel, or a study's cases.
struct SweepAxis {
  std::string name;  ///< of its column: the key as it was written, "kernel" or "case"
  std::string path;  ///< the key in full; empty for the cases
  std::vector<AxisValue> values;
};

/// One point of the grid.
struct SweepPoint {
  std::vector<std::string> values;  ///< a text an axis
  std::vector<std::string> sets;
  std::optional<std::string> kernel;
};

class SweepGrid {
 public:
  /// Precondition: each axis has a value.
  explicit SweepGrid(std::vector<SweepAxis> axes) : axes_(std::move(axes)) {}

  const std::vector<SweepAxis>& axes() const { return axes_; }
  std::size_t size() const;
  /// Point `index` below size(): the last axis changes fastest.
  SweepPoint point(std::size_t index) const;
  /// The axis of that column, or null.
  const SweepAxis* axis_named(const std::string& name) const;

 private:
  std::vector<SweepAxis> axes_;
};

inline constexpr const char* kKernelAxis = "kernel";
inline constexpr const char* kCaseAxis = "case";

/// The grid that a study asks for, with what the command line says: an axis of `sets` ("key=v1,v2,..") takes
/// the place of the study's axis of the same key or comes behind the others, `kernels` that of the study's
/// kernels. Order of the axes: cases, keys, kernels.
///
/// Throws ConfigError for keys, kernels and values that do not exist, a value or key that comes twice, a key
/// that cases and an axis both set, an empty grid, and one of more than a million points.
SweepGrid sweep_grid(const SweepConfig& study, const std::vector<std::string>& sets,
                     const std::vector<std::string>& kernels);

}  // namespace petal
