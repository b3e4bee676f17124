// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/point_runner.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <system_error>

#include "petal/sweep/process_pool.hpp"

namespace petal {

namespace {

constexpr std::chrono::milliseconds kTick{200};
constexpr const char* kSummary = ".json";
constexpr const char* kErrors = ".err";

/// The lines of a program's errors as one, without the program's name.
std::string one_line(std::istream& in) {
  const std::string prefix = "petal: ";
  std::string message;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(prefix, 0) == 0) line.erase(0, prefix.size());
    if (!line.empty()) message += (message.empty() ? "" : "; ") + line;
  }
  return message;
}

}  // namespace

void PointRunner::run(const std::vector<std::size_t>& indices, std::size_t jobs,
                      PointListener& listener) const {
  ProcessPool pool(jobs);
  std::size_t next = 0;
  while (next < indices.size() || !pool.is_idle()) {
    while (next < indices.size() && pool.has_room()) {
      const std::size_t index = indices[next++];
      pool.start(index, command_for(index), store_.temporary(index, kErrors).string());
    }
    if (const auto ended = pool.wait(kTick))
      listener.on_point(ended->tag, keep(ended->tag, ended->exit_code, ended->signal));
    listener.on_tick();
  }
}

std::vector<std::string> PointRunner::command_for(std::size_t index) const {
  const SweepPoint point = grid_.point(index);
  std::vector<std::string> command{program_,  "run",       store_.scenario_path().string(),
                                   "--quiet", "--summary", store_.temporary(index, kSummary).string()};
  if (point.kernel) command.insert(command.end(), {"--kernel", *point.kernel});
  for (const std::string& set : point.sets) command.insert(command.end(), {"--set", set});
  return command;
}

PointResult PointRunner::keep(std::size_t index, int exit_code, int signal) const {
  const std::string message = message_of(index);
  std::error_code ignored;
  std::filesystem::remove(store_.temporary(index, kErrors), ignored);
  if (exit_code == 0 && signal == 0) {
    store_.keep_summary(index, store_.temporary(index, kSummary));
  } else {
    std::filesystem::remove(store_.temporary(index, kSummary), ignored);
    const std::string otherwise = signal != 0
                                      ? fmt::format("ended by signal {} ({})", signal, strsignal(signal))
                                      : fmt::format("ended with exit code {}", exit_code);
    store_.keep_failure(index, {exit_code, signal, message.empty() ? otherwise : message});
  }
  return store_.read(index);
}

std::string PointRunner::message_of(std::size_t index) const {
  std::ifstream in(store_.temporary(index, kErrors));
  return one_line(in);
}

}  // namespace petal
