// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/riscv_platform.hpp"

#include <fmt/format.h>

#include <utility>

namespace petal::vp {
namespace {

AddressMap address_map(const RiscvPlatformConfig& config) {
  return AddressMap({{"finisher", kFinisherRange},
                     {"uart", kUartRange},
                     {"petal", kPetalRange},
                     {"ram", {kRamBase, config.ram.size.count()}}});
}

RiscvCpuConfig with_cached_ram(const RiscvPlatformConfig& config) {
  RiscvCpuConfig cpu = config.cpu;
  cpu.cached.push_back({kRamBase, config.ram.size.count()});
  return cpu;
}

}  // namespace

RamConfig default_ram() {
  RamConfig config;
  config.size = Bytes(64 << 20);
  config.latency = Picoseconds(100000);
  config.bandwidth = Bandwidth(256.0);
  return config;
}

RiscvPlatform::RiscvPlatform(const sc_core::sc_module_name& name, const RiscvPlatformConfig& config,
                             ElfImage firmware, std::ostream& console)
    : sc_module(name),
      cpu_("cpu", with_cached_ram(config)),
      bus_("bus", 2, address_map(config)),
      ram_("ram", config.ram),
      uart_("uart", console),
      device_("petal", config.device) {
  cpu_.bus.bind(bus_.from_initiator(0));
  device_.memory.bind(bus_.from_initiator(1));
  bus_.to_target("finisher").bind(finisher_.socket);
  bus_.to_target("uart").bind(uart_.socket);
  bus_.to_target("petal").bind(device_.registers);
  bus_.to_target("ram").bind(ram_.socket);
  device_.interrupt(interrupt_);
  device_.reset(reset_);
  cpu_.interrupt(interrupt_);
  cpu_.set_program(std::move(firmware));
}

std::vector<std::string> RiscvPlatform::problems() const {
  if (!cpu_.failure().empty()) return {cpu_.failure()};
  const auto exit_code = finisher_.exit_code();
  if (exit_code && *exit_code != 0) return {fmt::format("the firmware failed with exit code {}", *exit_code)};
  if (exit_code) return {};
  std::vector<std::string> lines = {fmt::format("the firmware has not finished: at {} the CPU {}",
                                                sc_core::sc_time_stamp().to_string(),
                                                cpu_.asleep() ? "sleeps in wfi" : "is still running")};
  for (std::string& line : device_.describe_outstanding()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace petal::vp
