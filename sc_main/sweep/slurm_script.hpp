// SPDX-License-Identifier: Apache-2.0
//
// The script that runs a sweep's points as a job array of the Slurm workload manager.
#pragma once

#include <cstddef>
#include <string>

namespace petal {

struct SlurmJob {
  std::string name;     ///< of the job
  std::string program;  ///< absolute path of petal
  std::string folder;   ///< absolute path of the sweep's folder, which all nodes see
  std::size_t points = 0;
};

/// Slurm's default limit (MaxArraySize) is one more than this; a task of a larger sweep runs several points.
inline constexpr std::size_t kMostArrayTasks = 1000;

/// The folder, within the sweep's, that the tasks' own output goes to.
inline constexpr const char* kSlurmLogs = "slurm";

/// The script's text. Its tasks skip points that are there: it may be submitted again.
std::string slurm_script(const SlurmJob& job);

/// One of the equal shares of a sweep: "3/10" is points 3, 13, 23, ...
struct TaskShare {
  std::size_t task = 0;
  std::size_t tasks = 1;
};

/// Reads "task/tasks". Throws ConfigError for other text.
TaskShare task_share(const std::string& text);

}  // namespace petal
