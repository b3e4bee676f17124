// SPDX-License-Identifier: Apache-2.0
//
// RiscvPlatform: a RISC-V CPU, RAM and a PE on one bus, with a serial port and a way to end the simulation.
// What an integrator would write around a PeDevice.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <systemc>
#include <vector>

#include "petal/device/pe_device.hpp"
#include "petal/vp/bus.hpp"
#include "petal/vp/finisher.hpp"
#include "petal/vp/ram.hpp"
#include "petal/vp/riscv_cpu.hpp"
#include "petal/vp/uart.hpp"

namespace petal::vp {

/// Where the targets are. The firmware has the same in firmware/board.h.
inline constexpr AddressRange kFinisherRange{0x00100000, 0x1000};
inline constexpr AddressRange kUartRange{0x10000000, 0x1000};
inline constexpr AddressRange kPetalRange{0x40000000, 0x10000000};
inline constexpr std::uint64_t kRamBase = 0x80000000;

/// 64 MiB of RAM with the PE's usual memory: 256 GB/s, 100 ns.
RamConfig default_ram();

struct RiscvPlatformConfig {
  PeDeviceConfig device;
  RamConfig ram = default_ram();
  RiscvCpuConfig cpu;  ///< the RAM is added to what is cached
};

/// Addresses in the PE's commands of space `hbm` are the bus's.
class RiscvPlatform : public sc_core::sc_module {
 public:
  /// Characters sent by the firmware go to `console`, which outlives the platform. Throws ConfigError for
  /// values that make no platform.
  RiscvPlatform(const sc_core::sc_module_name& name, const RiscvPlatformConfig& config, ElfImage firmware,
                std::ostream& console);

  const RiscvCpu& cpu() const { return cpu_; }
  PeDevice& device() { return device_; }

  /// What went wrong, once the simulation has ended; empty if the firmware finished with exit code 0.
  std::vector<std::string> problems() const;

 private:
  sc_core::sc_signal<bool> interrupt_{"interrupt"};
  sc_core::sc_signal<bool> reset_{"reset"};
  RiscvCpu cpu_;
  Bus bus_;
  Ram ram_;
  Uart uart_;
  Finisher finisher_{"finisher"};
  PeDevice device_;
};

}  // namespace petal::vp
