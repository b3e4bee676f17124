// SPDX-License-Identifier: Apache-2.0
//
// The command line: what each subcommand takes, and which function it runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "petal/cli/exit_code.hpp"

namespace petal {

/// The options that `run`, `compare`, `replay` and `explain` share. Those a subcommand does not have stay
/// unset.
struct CommandOptions {
  std::string input;  ///< the scenario, recording or op_log
  std::optional<std::string> kernel;
  std::vector<std::string> kernels;  ///< of compare
  std::vector<std::string> sets;     ///< "key.path=value"
  std::optional<std::string> op_log;
  std::optional<std::string> vcd;
  std::optional<std::string> vcd_from;
  std::optional<std::string> vcd_to;
  std::vector<std::string> vcd_pes;
  std::optional<std::string> trace;
  std::optional<std::string> summary;
  std::optional<std::string> record;
  bool data = false;                 ///< compute results too
  std::vector<std::string> inputs;   ///< "TENSOR=FILE"
  std::vector<std::string> results;  ///< "TENSOR=FILE"
  bool json = false;
  bool c_header = false;  ///< of registers
  bool markdown = false;  ///< of registers
  bool quiet = false;
};

/// Parses the command line and runs the subcommand. Errors are told on standard error, one line each.
ExitCode run_command_line(int argc, char* argv[]);

}  // namespace petal
