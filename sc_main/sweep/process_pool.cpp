// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/process_pool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "petal/command/error.hpp"

namespace petal {

namespace {

constexpr int kCannotStart = 127;

sigset_t child_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  return set;
}

/// Puts `path` in the place of a standard stream. Between fork and exec: calls only what is safe there.
bool redirect(int stream, const char* path, int flags) {
  const int file = open(path, flags, 0644);
  return file >= 0 && dup2(file, stream) >= 0 && (file == stream || close(file) == 0);
}

/// What the child does: it becomes the program. Between fork and exec: calls only what is safe there.
[[noreturn]] void become(char* const argv[], const char* errors, pid_t parent, const sigset_t& signals) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCannotStart);  // it died before it could be asked to tell
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  if (redirect(STDIN_FILENO, "/dev/null", O_RDONLY) && redirect(STDOUT_FILENO, "/dev/null", O_WRONLY) &&
      redirect(STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC))
    execv(argv[0], argv);
  _exit(kCannotStart);
}

}  // namespace

ProcessPool::ProcessPool(std::size_t most) : most_(most) {
  const sigset_t set = child_signal();
  sigprocmask(SIG_BLOCK, &set, &signals_before_);
}

ProcessPool::~ProcessPool() {
  for (const auto& [process, tag] : running_) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  sigprocmask(SIG_SETMASK, &signals_before_, nullptr);
}

void ProcessPool::start(std::size_t tag, const std::vector<std::string>& argv, const std::string& errors) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(arguments.data(), errors.c_str(), parent, signals_before_);
  if (child < 0)
    throw SimulationError(
        fmt::format("no further process can be started: {}; give a smaller -j", std::strerror(errno)));
  running_[child] = tag;
}

std::optional<ProcessEnd> ProcessPool::reap() {
  for (const auto& [process, tag] : running_) {
    int status = 0;
    if (waitpid(process, &status, WNOHANG) != process) continue;
    ProcessEnd end{tag, WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                   WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    running_.erase(process);
    return end;
  }
  return std::nullopt;
}

std::optional<ProcessEnd> ProcessPool::wait(std::chrono::milliseconds patience) {
  using std::chrono::steady_clock;
  const steady_clock::time_point end = steady_clock::now() + patience;
  for (;;) {
    // Looked for before the signal: one signal may stand for several children.
    if (auto ended = reap()) return ended;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(end - steady_clock::now());
    if (left.count() <= 0) return std::nullopt;
    const sigset_t set = child_signal();
    const std::chrono::nanoseconds second = std::chrono::seconds(1);
    const timespec limit{left / second, (left % second).count()};
    sigtimedwait(&set, nullptr, &limit);
  }
}

}  // namespace petal
