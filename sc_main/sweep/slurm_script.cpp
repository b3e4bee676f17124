// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/slurm_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "petal/command/error.hpp"
#include "petal/config/number_text.hpp"

namespace petal {

namespace {

/// The text as one word of a shell.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// Where the tasks' output goes; nothing if `#SBATCH` lines cannot say the folder: '%' and spaces mean
/// something there.
std::string output_line(const std::string& folder) {
  if (folder.find_first_of(" %'\"\\\n") != std::string::npos) return "";
  return fmt::format("#SBATCH --output={}/{}/%a.log\n", folder, kSlurmLogs);
}

/// The text with nothing that `#SBATCH` lines take for the end of a word.
std::string plain_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  return text;
}

}  // namespace

std::string slurm_script(const SlurmJob& job) {
  const std::size_t tasks = std::max<std::size_t>(1, std::min(job.points, kMostArrayTasks));
  return fmt::format(R"(#!/usr/bin/env bash
#SBATCH --job-name={name}
#SBATCH --array=0-{last}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
{output}#
# Written by petal sweep: {points} points in {tasks} tasks. Submit it with sbatch; options of sbatch win over the lines
# above. Every node has to see the program and the folder under these paths. Tasks skip points that are there, so it
# may be submitted again. When the job is over: petal sweep --gather {folder}
set -euo pipefail

petal=${{PETAL:-{program}}}
exec "$petal" sweep --task "${{SLURM_ARRAY_TASK_ID:?submit this script with sbatch}}/{tasks}" --out {folder}
)",
                     fmt::arg("name", plain_name("petal-" + job.name)), fmt::arg("last", tasks - 1),
                     fmt::arg("output", output_line(job.folder)), fmt::arg("points", job.points),
                     fmt::arg("tasks", tasks), fmt::arg("folder", shell_word(job.folder)),
                     fmt::arg("program", shell_word(job.program)));
}

TaskShare task_share(const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::uint64_t task = parse_unsigned(text.substr(0, slash)).value_or(0);
  const std::uint64_t tasks = parse_unsigned(text.substr(std::min(slash + 1, text.size()))).value_or(0);
  const bool is_number = parse_unsigned(text.substr(0, slash)).has_value();
  if (!is_number || task >= tasks)
    throw ConfigError(fmt::format("--task: '{}' must be TASK/TASKS, with TASK from 0 to TASKS - 1", text));
  return {task, tasks};
}

}  // namespace petal
