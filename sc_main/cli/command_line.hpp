// SPDX-License-Identifier: Apache-2.0
//
// The command line: what each subcommand takes, and which function it runs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "petal/cli/exit_code.hpp"

namespace petal {

/// The options of all subcommands. Those a subcommand does not have stay unset.
struct CommandOptions {
  std::string input;  ///< the scenario, recording or op_log
  std::optional<std::string> kernel;
  std::vector<std::string> kernels;  ///< of compare and report
  std::vector<std::string> sets;     ///< "key.path=value"
  std::optional<std::string> op_log;
  std::optional<std::string> vcd;
  std::optional<std::string> vcd_from;
  std::optional<std::string> vcd_to;
  std::vector<std::string> vcd_pes;
  std::optional<std::string> trace;
  std::optional<std::string> summary;
  std::optional<std::string> record;
  bool data = false;                   ///< compute results too
  std::vector<std::string> inputs;     ///< "TENSOR=FILE"
  std::vector<std::string> results;    ///< "TENSOR=FILE"
  std::string report = "report.html";  ///< where report writes its page
  bool compare = false;                ///< of report: the kernels side by side
  bool json = false;
  bool c_header = false;              ///< of registers
  bool markdown = false;              ///< of registers
  std::optional<std::string> folder;  ///< of sweep: where its points go
  std::size_t jobs = 0;               ///< of sweep: processes at a time; 0: as many as the machine has cores
  std::optional<std::string> gather;  ///< of sweep
  std::optional<std::string> task;    ///< of sweep
  std::optional<std::string> slurm;   ///< of sweep
  bool no_plot = false;               ///< of sweep and calibrate
  double clock_ghz = 1.0;             ///< of calibrate
  std::optional<std::string> preset;  ///< of calibrate: where the preset is written
  bool quiet = false;
};

/// Parses the command line and runs the subcommand. Errors are told on standard error, one line each.
ExitCode run_command_line(int argc, char* argv[]);

}  // namespace petal
