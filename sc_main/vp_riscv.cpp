// SPDX-License-Identifier: Apache-2.0
//
// The virtual platform as a program: runs a firmware on the CPU, which has the PE do the work.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "petal/cli/exit_code.hpp"
#include "petal/cli/output_file.hpp"
#include "petal/command/error.hpp"
#include "petal/config/effective_config.hpp"
#include "petal/config/scenario_loader.hpp"
#include "petal/observe/op_log.hpp"
#include "petal/vp/riscv_platform.hpp"

namespace petal {
namespace {

struct Options {
  std::string firmware = PETAL_FIRMWARE;
  std::optional<std::string> op_log;
  std::optional<std::string> preset;
  std::vector<std::string> sets;
  std::string protocol = "lt";
  double quantum_ns = 1000.0;
  double limit_ms = 100.0;
  bool no_dmi = false;
  bool quiet = false;
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("--firmware", options.firmware, "the program of the CPU, an ELF file for rv64")
      ->type_name("ELF");
  app.add_option("--op-log", options.op_log, "writes every event of the PE as CSV")->type_name("FILE");
  app.add_option("--preset", options.preset, "dispatch cost of the PE: a preset that `petal list` shows")
      ->type_name("NAME");
  app.add_option("--set", options.sets, "overrides a key of the PE, as of `petal run`")
      ->type_name("KEY=VALUE");
  app.add_option("--protocol", options.protocol, "how the PE's bursts cross the bus")
      ->check(CLI::IsMember({"lt", "at"}))
      ->capture_default_str();
  app.add_option("--quantum", options.quantum_ns, "ns that the CPU may run ahead of simulated time")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  app.add_option("--limit", options.limit_ms, "ms of simulated time after which a firmware is given up")
      ->check(CLI::Range(1e-6, 1e6))
      ->capture_default_str();
  app.add_flag("--no-dmi", options.no_dmi, "the RAM lends out no pointers");
  app.add_flag("-q,--quiet", options.quiet, "prints what the firmware sends, and errors, but no table");
}

/// The PE is a scenario's, so that its keys, their checks and the op_log's header are the same everywhere.
ScenarioConfig scenario_of(const Options& options) {
  std::vector<std::string> sets = {"platform.pe.attrs.pe_dma.interface=bursts",
                                   "platform.pe.attrs.pe_dma.protocol=" + options.protocol};
  if (options.preset) sets.push_back("dispatch_preset=" + *options.preset);
  sets.insert(sets.end(), options.sets.begin(), options.sets.end());
  return scenario_from_text("platform: {pes: 1}\n", sets, "vp");
}

vp::RiscvPlatformConfig platform_config(const Options& options, const ScenarioConfig& scenario) {
  vp::RiscvPlatformConfig config;
  config.device.pe = scenario.platform.pes.at(0);
  if (options.no_dmi) config.ram.direct_memory = vp::DirectMemory::denied;
  return config;
}

void print_table(vp::RiscvPlatform& platform) {
  const vp::RiscvCpu& cpu = platform.cpu();
  const DeviceControl& device = platform.device().control();
  const auto counter = [&](RegisterId low, RegisterId high) {
    return static_cast<std::uint64_t>(device.read(high)) << 32 | device.read(low);
  };
  const auto us = [](const sc_core::sc_time& time) { return time.to_seconds() * 1e6; };
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  fmt::print("\nsimulated time       {:>14.3f} us\n", us(now));
  fmt::print("commands completed   {:>14}\n", device.entries_completed());
  fmt::print("logical bytes        {:>14}\n",
             counter(RegisterId::count_logical_bytes_lo, RegisterId::count_logical_bytes_hi));
  fmt::print("dispatch             {:>14} cycles\n",
             counter(RegisterId::count_dispatch_cycles_lo, RegisterId::count_dispatch_cycles_hi));
  fmt::print("firmware executing   {:>14.3f} us, {} instructions\n", us(now - cpu.time_asleep()),
             cpu.instructions());
  fmt::print("firmware asleep      {:>14.3f} us\n", us(cpu.time_asleep()));
}

ExitCode run(const Options& options) {
  const ScenarioConfig scenario = scenario_of(options);
  tlm::tlm_global_quantum::instance().set(sc_core::sc_time(options.quantum_ns, sc_core::SC_NS));
  vp::RiscvPlatform platform("platform", platform_config(options, scenario),
                             vp::ElfImage::read(options.firmware), std::cout);
  OpLog log;
  if (options.op_log) {
    require_writable(*options.op_log);
    platform.device().events().attach(log);
  }
  sc_core::sc_start(sc_core::sc_time(options.limit_ms, sc_core::SC_MS));
  if (options.op_log)
    write_file(*options.op_log, [&](std::ostream& out) {
      log.write(out, {PETAL_VERSION, effective_json(scenario)});
    });
  const std::vector<std::string> problems = platform.problems();
  for (const std::string& problem : problems) std::cerr << "petal: " << problem << '\n';
  if (!options.quiet) print_table(platform);
  return problems.empty() ? ExitCode::done : ExitCode::simulation;
}

ExitCode report(const std::exception& error, ExitCode code) {
  std::cerr << "petal: " << error.what() << '\n';
  return code;
}

ExitCode run_command_line(int argc, char* argv[]) {
  CLI::App app("Runs a firmware on a virtual platform: a RISC-V CPU and a PE.", "petal vp");
  Options options;
  add_options(app, options);
  try {
    app.parse(argc, argv);
    return run(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ExitCode::done : ExitCode::usage;
  } catch (const ConfigError& error) {
    return report(error, ExitCode::usage);
  } catch (const std::exception& error) {
    return report(error, ExitCode::simulation);
  }
}

}  // namespace
}  // namespace petal

int sc_main(int argc, char* argv[]) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  return static_cast<int>(petal::run_command_line(argc, argv));
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
