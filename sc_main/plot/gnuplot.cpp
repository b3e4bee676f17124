// SPDX-License-Identifier: Apache-2.0
#include "petal/plot/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "petal/command/error.hpp"

namespace petal {

namespace {

namespace fs = std::filesystem;

fs::path gnuplot_path() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path program = fs::path(folder) / "gnuplot";
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

/// Runs the program in `folder` with its errors in `errors`; the status of waitpid.
int run_in(const fs::path& folder, const fs::path& program, const std::string& script,
           const fs::path& errors) {
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && dup2(file, STDERR_FILENO) >= 0 && dup2(file, STDOUT_FILENO) >= 0 &&
        chdir(folder.c_str()) == 0)
      execl(program.c_str(), "gnuplot", script.c_str(), nullptr);
    _exit(127);
  }
  int status = 127 << 8;
  if (child > 0) waitpid(child, &status, 0);
  return status;
}

std::string first_line_of(const fs::path& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (line.find_first_not_of(" \t") != std::string::npos) return line;
  return "it said nothing";
}

}  // namespace

bool has_gnuplot() {
  return !gnuplot_path().empty();
}

void run_gnuplot(const fs::path& folder, const std::string& script) {
  const fs::path errors = fs::absolute(folder / (script + ".err"));
  const int status = run_in(folder, gnuplot_path(), script, errors);
  const std::string said = first_line_of(errors);
  std::error_code ignored;
  fs::remove(errors, ignored);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw SimulationError(fmt::format("gnuplot could not draw '{}': {}", (folder / script).string(), said));
}

}  // namespace petal
