// SPDX-License-Identifier: Apache-2.0
//
// ProcessPool: runs programs side by side, so many at a time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace petal {

/// How a process ended.
struct ProcessEnd {
  std::size_t tag = 0;  ///< what `start` was given
  int exit_code = 0;
  int signal = 0;  ///< that ended it; 0: it ended by itself
};

class ProcessPool {
 public:
  /// At most `most` processes run at a time. While it lives, SIGCHLD is blocked in this thread.
  explicit ProcessPool(std::size_t most);
  /// Kills what still runs.
  ~ProcessPool();
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  bool has_room() const { return running_.size() < most_; }
  bool is_idle() const { return running_.empty(); }

  /// Starts the program at path argv[0]. It reads nothing, its output goes nowhere and its errors into the
  /// file `errors`; when this process dies, however, so does it. A program that cannot be started ends with
  /// code 127. Precondition: has_room(). Throws SimulationError if there can be no further process.
  void start(std::size_t tag, const std::vector<std::string>& argv, const std::string& errors);
  /// A process that has ended; nothing if none has within `patience`. Precondition: not is_idle().
  std::optional<ProcessEnd> wait(std::chrono::milliseconds patience);

 private:
  std::optional<ProcessEnd> reap();

  std::size_t most_;
  std::map<pid_t, std::size_t> running_;
  sigset_t signals_before_;
};

}  // namespace petal
