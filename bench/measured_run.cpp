// SPDX-License-Identifier: Apache-2.0
#include "measured_run.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace petal::bench {
namespace {

Measurement run_here(const Builder& build) {
  const Simulation simulation = build();
  const auto start = std::chrono::steady_clock::now();
  simulation.run();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {elapsed.count(), simulation.events(), static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U};
}

[[noreturn]] void run_child(const Builder& build, int out) {
  int status = 1;
  try {
    const Measurement measurement = run_here(build);
    if (write(out, &measurement, sizeof measurement) == static_cast<ssize_t>(sizeof measurement)) status = 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
  }
  _exit(status);
}

}  // namespace

Measurement measure(const Builder& build) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("bench: no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("bench: no process");
  if (child == 0) run_child(build, ends[1]);
  close(ends[1]);
  Measurement measurement;
  const ssize_t got = read(ends[0], &measurement, sizeof measurement);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (got != static_cast<ssize_t>(sizeof measurement) || status != 0)
    throw std::runtime_error("bench: a measured run failed");
  return measurement;
}

}  // namespace petal::bench
