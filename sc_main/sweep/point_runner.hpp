// SPDX-License-Identifier: Apache-2.0
//
// Runs the points of a sweep that are due: each is a `petal run` in a process of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "petal/sweep/point_store.hpp"
#include "petal/sweep/sweep_grid.hpp"

namespace petal {

/// What a PointRunner tells while it works.
class PointListener {
 public:
  virtual ~PointListener() = default;
  /// A point has ended.
  virtual void on_point(std::size_t index, const PointResult& result) = 0;
  /// Some time has passed.
  virtual void on_tick() = 0;
};

class PointRunner {
 public:
  /// `program` is the path of petal itself. The references outlive the runner.
  PointRunner(std::string program, const PointStore& store, const SweepGrid& grid)
      : program_(std::move(program)), store_(store), grid_(grid) {}

  /// Runs the points `indices`, in that order, at most `jobs` at a time; their results go to the store.
  /// Throws SimulationError or ConfigError if a process cannot be started or a result not be kept.
  void run(const std::vector<std::size_t>& indices, std::size_t jobs, PointListener& listener) const;

 private:
  std::vector<std::string> command_for(std::size_t index) const;
  PointResult keep(std::size_t index, int exit_code, int signal) const;
  std::string message_of(std::size_t index) const;

  std::string program_;
  const PointStore& store_;
  const SweepGrid& grid_;
};

}  // namespace petal
