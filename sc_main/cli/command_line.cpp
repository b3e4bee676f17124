// SPDX-License-Identifier: Apache-2.0
#include "petal/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>

#include "petal/cli/subcommands.hpp"
#include "petal/command/error.hpp"
#include "petal/scenario/scenario_run.hpp"

namespace petal {
namespace {

using Subcommand = ExitCode (*)(const CommandOptions&);

/// Declares the subcommands; each parse fills `options` and picks `chosen`.
class Parser {
 public:
  Parser() : app_("PETAL: a transaction-level model of an AI accelerator's processing element", "petal") {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", program_version());
    add_simulating_commands();
    add_report();
    add_sweep();
    add_calibrate();
    add_other_commands();
  }

  ExitCode parse_and_run(int argc, char* argv[]) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& help) {
      app_.exit(help);
      return ExitCode::done;
    } catch (const CLI::ParseError& error) {
      throw ConfigError(fmt::format(
          "{}; petal --help lists the subcommands and petal SUBCOMMAND --help their options", error.what()));
    }
    return chosen_(options_);
  }

 private:
  CLI::App* add(const char* name, const char* description, Subcommand subcommand) {
    CLI::App* const command = app_.add_subcommand(name, description);
    command->callback([this, subcommand] { chosen_ = subcommand; });
    return command;
  }

  void add_input(CLI::App& command, const char* name, const char* description) {
    command.add_option(name, options_.input, description)->required();
  }

  void add_sets(CLI::App& command) {
    command
        .add_option(
            "--set", options_.sets,
            "KEY.PATH=VALUE, one or more: overrides a key of the scenario; a unique end of a path will do")
        ->type_name("KEY=VALUE")
        ->take_all();
  }

  void add_outputs(CLI::App& command) {
    command.add_option("--summary", options_.summary, "Write the summary as JSON")->type_name("FILE");
    command.add_flag("--json", options_.json, "Print JSON in place of text");
    command.add_flag("-q,--quiet", options_.quiet, "Print nothing but errors");
  }

  /// `files` says what becomes of FILE where there are several.
  void add_waveforms(CLI::App& command, const std::string& files = "") {
    command
        .add_option("--vcd", options_.vcd,
                    "Write a waveform (VCD), and a save file for GTKWave beside it" + files)
        ->type_name("FILE");
    command
        .add_option("--vcd-from", options_.vcd_from, "The waveform begins here: ns, or with a unit (1.5us)")
        ->type_name("TIME");
    command.add_option("--vcd-to", options_.vcd_to, "The waveform ends here")->type_name("TIME");
    command
        .add_option("--vcd-pes", options_.vcd_pes, "PEs in the waveform, by name or index; all if not given")
        ->delimiter(',')
        ->type_name("A,B,C");
    command
        .add_option("--trace", options_.trace,
                    "Write a trace (JSON) for Perfetto or chrome://tracing" + files)
        ->type_name("FILE");
  }

  void add_data(CLI::App& command) {
    command.add_flag("--data", options_.data,
                     "Compute the results too and compare them with a double-precision reference");
    command
        .add_option("--in", options_.inputs,
                    "TENSOR=FILE.npy, one or more: values of input tensors; the others are generated")
        ->type_name("TENSOR=FILE")
        ->take_all();
    command.add_option("--out", options_.results, "TENSOR=FILE.npy, one or more: where results are written")
        ->type_name("TENSOR=FILE")
        ->take_all();
  }

  void add_simulating_commands() {
    CLI::App* const run = add("run", "Run one kernel on one platform", run_scenario);
    add_input(*run, "scenario", "Scenario file (YAML)");
    run->add_option("--kernel", options_.kernel,
                    "Kernel in place of the scenario's; a unique ending will do");
    add_sets(*run);
    run->add_option("--op-log", options_.op_log, "Write every event as CSV")->type_name("FILE");
    run->add_option("--record", options_.record, "Write the command stream, for `petal replay`")
        ->type_name("FILE");
    add_waveforms(*run);
    add_data(*run);
    add_outputs(*run);

    CLI::App* const compare =
        add("compare", "Run the same work by several kernels and set them side by side", compare_kernels);
    add_input(*compare, "scenario", "Scenario file (YAML)");
    compare->add_option("--kernels", options_.kernels, "Kernels in place of the scenario's `compare`")
        ->delimiter(',')
        ->type_name("A,B,C");
    add_sets(*compare);
    compare
        ->add_option("--op-log", options_.op_log,
                     "Write every event as CSV, one file a kernel: FILE.csv becomes FILE.KERNEL.csv")
        ->type_name("FILE");
    add_waveforms(*compare, ", one file a kernel: its name goes before the ending");
    add_data(*compare);
    add_outputs(*compare);

    CLI::App* const replay = add("replay", "Run a recorded command stream", replay_recording);
    add_input(*replay, "recording", "File that `petal run --record` wrote");
    add_sets(*replay);
    replay->add_option("--op-log", options_.op_log, "Write every event as CSV")->type_name("FILE");
    add_waveforms(*replay);
    add_data(*replay);
    add_outputs(*replay);
  }

  void add_report() {
    CLI::App* const report =
        add("report", "Run one kernel, or several side by side, and write a page for the browser",
            report_scenario);
    add_input(*report, "scenario", "Scenario file (YAML)");
    CLI::Option* const kernel = report->add_option(
        "--kernel", options_.kernel, "Kernel in place of the scenario's; a unique ending will do");
    report
        ->add_flag("--compare", options_.compare, "All kernels of the scenario's `compare`, on one time axis")
        ->excludes(kernel);
    report->add_option("--kernels", options_.kernels, "These kernels, on one time axis")
        ->delimiter(',')
        ->type_name("A,B,C")
        ->excludes(kernel);
    add_sets(*report);
    report->add_option("--out", options_.report, "The page (report.html)")->type_name("FILE");
    report->add_flag("-q,--quiet", options_.quiet, "Print nothing but errors");
  }

  void add_sweep() {
    CLI::App* const sweep =
        add("sweep", "Run every combination of values of keys, in parallel processes; a table and plots",
            run_sweep);
    sweep->add_option("scenario", options_.input,
                      "Scenario file (YAML); its section `sweep` is a study to run");
    sweep
        ->add_option("--set", options_.sets,
                     "KEY.PATH=V1,V2,.., one or more: an axis of the grid; FROM:TO:STEP and FROM:TO:*FACTOR "
                     "are ranges")
        ->type_name("KEY=VALUES")
        ->take_all();
    sweep->add_option("--kernel,--kernels", options_.kernels, "Kernels that run at each point")
        ->delimiter(',')
        ->type_name("A,B,C");
    sweep->add_option("-j,--jobs", options_.jobs, "Processes at a time (default: as many as there are cores)")
        ->check(CLI::Range(1, 4096))
        ->type_name("N");
    sweep
        ->add_option("--out", options_.folder,
                     "Folder of the sweep; a sweep that was interrupted goes on in it")
        ->type_name("FOLDER");
    sweep->add_option("--slurm", options_.slurm, "Run nothing: write a job-array script for Slurm")
        ->type_name("FILE");
    sweep
        ->add_option("--gather", options_.gather,
                     "Run nothing: make table and plots of the points in a folder")
        ->type_name("FOLDER");
    sweep->add_option("--task", options_.task, "Run points I, I + N, I + 2 N, ... of the sweep in --out")
        ->type_name("I/N");
    sweep->add_flag("--no-plot", options_.no_plot, "Write gnuplot's scripts but do not run them");
    sweep->add_flag("--json", options_.json, "Print JSON in place of text");
    sweep->add_flag("-q,--quiet", options_.quiet, "Print nothing but errors");
  }

  void add_calibrate() {
    CLI::App* const command =
        add("calibrate", "Fit FIXED and R of the dispatch cost to measured times", petal::calibrate);
    command->add_option("measurements", options_.input, "CSV file of pairs logical_bytes,ns")->required();
    command->add_option("--clock-ghz", options_.clock_ghz, "Clock that cycles are counted in (default 1)")
        ->type_name("GHZ");
    command->add_option("--out", options_.preset, "Where the preset is written; plots go beside it")
        ->type_name("FILE.yaml");
    command->add_flag("--no-plot", options_.no_plot, "Write gnuplot's script but do not run it");
    command->add_flag("--json", options_.json, "Print JSON in place of text");
    command->add_flag("-q,--quiet", options_.quiet, "Print nothing but errors");
  }

  void add_other_commands() {
    CLI::App* const explain =
        add("explain", "Show each distinct command: its fields, the bytes each costs, its dispatch cycles",
            explain_commands);
    add_input(*explain, "scenario", "Scenario file (YAML)");
    explain->add_option("--kernel", options_.kernel, "Kernel in place of the scenario's");
    add_sets(*explain);
    explain->add_flag("--json", options_.json, "Print JSON in place of text");

    CLI::App* const check = add("check", "Check an op_log against the rules of the model", check_log);
    add_input(*check, "log", "File that --op-log wrote");
    check->add_flag("-q,--quiet", options_.quiet, "Print nothing, only set the exit code");

    CLI::App* const config =
        add("config", "Show the schema, or a scenario with every default filled in", show_config);
    config->add_option("scenario", options_.input, "Scenario file (YAML)");
    add_sets(*config);
    config->add_flag("--json", options_.json, "Print JSON in place of YAML");

    CLI::App* const list =
        add("list", "List kernels, models, recipes, dispatch presets and shipped scenarios", list_everything);
    list->add_flag("--json", options_.json, "Print JSON in place of text");

    CLI::App* const registers = add("registers", "Show the registers of the device", show_registers);
    CLI::Option* const c_header =
        registers->add_flag("--c-header", options_.c_header, "Print the C header for firmware");
    registers->add_flag("--markdown", options_.markdown, "Print the page for the documentation")
        ->excludes(c_header);
  }

  CLI::App app_;
  CommandOptions options_;
  Subcommand chosen_ = nullptr;
};

ExitCode tell(const std::exception& error, ExitCode code) {
  std::cout.flush();
  std::cerr << "petal: " << error.what() << '\n';
  return code;
}

}  // namespace

ExitCode run_command_line(int argc, char* argv[]) {
  Parser parser;
  try {
    return parser.parse_and_run(argc, argv);
  } catch (const ConfigError& error) {
    return tell(error, ExitCode::usage);
  } catch (const DecodeError& error) {
    return tell(error, ExitCode::usage);
  } catch (const EmitError& error) {
    return tell(error, ExitCode::emit);
  } catch (const std::exception& error) {
    return tell(error, ExitCode::simulation);
  }
}

}  // namespace petal
