// SPDX-License-Identifier: Apache-2.0
//
// The subcommands. Each prints to standard output and throws an Error if it cannot do what it was asked.
#pragma once

#include "petal/cli/command_line.hpp"

namespace petal {

/// One kernel (or a list of launches) on one platform.
ExitCode run_scenario(const CommandOptions& options);
/// The same work by several kernels, side by side.
ExitCode compare_kernels(const CommandOptions& options);
/// A recorded command stream.
ExitCode replay_recording(const CommandOptions& options);
/// One page, for a browser, of a run or of several kernels side by side.
ExitCode report_scenario(const CommandOptions& options);
/// Each distinct command: its fields, the bytes each costs, its dispatch cycles.
ExitCode explain_commands(const CommandOptions& options);
/// An op_log against the rules of the model.
ExitCode check_log(const CommandOptions& options);
/// The schema, or a scenario with every default filled in.
ExitCode show_config(const CommandOptions& options);
/// Kernels, models, recipes, dispatch presets, shipped scenarios.
ExitCode list_everything(const CommandOptions& options);
/// Every combination of values of keys, in parallel processes.
ExitCode run_sweep(const CommandOptions& options);
/// FIXED and R from measured times.
ExitCode calibrate(const CommandOptions& options);
/// The registers of the device, as text or as one of the files made from them.
ExitCode show_registers(const CommandOptions& options);

}  // namespace petal
