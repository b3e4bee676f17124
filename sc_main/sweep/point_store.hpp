// SPDX-License-Identifier: Apache-2.0
//
// PointStore: a sweep's folder. Each point has a file of its own, which appears at once and complete, so that
// a process that is killed at any moment leaves finished points and no half ones. Several processes may add
// points to one folder, on one machine or on many.
//
//   sweep.json         the request: there first
//   scenario.yaml      the scenario's text, which every point runs
//   points/000012.json    the summary of point 12
//   points/000012.failed  or why it has none
//   sweep.csv, ...     made from the points at the end
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "petal/sweep/point_result.hpp"
#include "petal/sweep/sweep_request.hpp"

namespace petal {

class PointStore {
 public:
  explicit PointStore(std::filesystem::path folder);

  /// Starts the folder, or goes on with one that was started with the same request. Throws ConfigError if it
  /// holds another sweep, in words, or something else, or cannot be written.
  void open_for(const SweepRequest& request) const;
  /// The request that the folder was started with. Throws ConfigError if there is none.
  SweepRequest request() const;

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path scenario_path() const { return folder_ / "scenario.yaml"; }

  /// What is known of a point. A file that is no summary counts as none.
  PointResult read(std::size_t index) const;
  /// A file for a run to write point `index` to, which no other process uses; with `extension`.
  std::filesystem::path temporary(std::size_t index, const std::string& extension) const;
  /// Makes the summary in a file of `temporary` the point's. Throws SimulationError if it is none.
  void keep_summary(std::size_t index, const std::filesystem::path& temporary) const;
  void keep_failure(std::size_t index, const PointFailure& failure) const;
  /// Removes files that processes of this machine left behind when they were killed.
  void remove_leftovers() const;

  /// Writes a file of the folder; it appears at once and complete. Throws ConfigError if that fails.
  void write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path point_path(std::size_t index, const char* extension) const;
  void require_unused() const;

  std::filesystem::path folder_;
};

/// Keeps a folder to one `petal sweep` of this machine at a time, while it lives.
class FolderLock {
 public:
  /// Throws ConfigError if another process has the lock.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

}  // namespace petal
