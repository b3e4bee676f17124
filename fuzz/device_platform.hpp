// SPDX-License-Identifier: Apache-2.0
//
// DevicePlatform: a PeDevice between a host that is no process, but calls between steps of the simulation,
// and the fuzzer's memory.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "command_templates.hpp"
#include "device_memory.hpp"
#include "petal/device/pe_device.hpp"

namespace petal::fuzz {

struct DevicePlatformConfig {
  PeDeviceConfig device;
  DeviceMemoryConfig memory;
};

/// The devices that are fuzzed: the default one, and some in which other paths are taken.
std::vector<DevicePlatformConfig> platform_configs();

/// What a host's access is made of.
struct HostAccess {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  std::uint64_t address = 0;
  std::vector<unsigned char> data;
  std::vector<unsigned char> byte_enables;  ///< empty: none
  unsigned int streaming_width = 0;
  bool has_data_pointer = true;
  sc_core::sc_time delay;
};

class DevicePlatform : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<DevicePlatform, 64> host;

  DevicePlatform(const sc_core::sc_module_name& name, const DevicePlatformConfig& config);

  // --- The host ---
  /// Any access; checks that it is answered, and takes no simulated time.
  void transport(HostAccess& access);
  unsigned int debug(HostAccess& access);
  void ask_for_direct_access(std::uint64_t address);
  /// As a debugger would; without the way through the socket, of which there are many.
  std::uint32_t read(RegisterId id) const;
  std::uint64_t read_pair(RegisterId low) const;
  void write(RegisterId id, std::uint32_t value, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  void set_reset_pin(bool level) { reset_pin.write(level); }

  // --- Time ---
  /// Steps that may still be taken: delta cycles in which something happened.
  void allow_steps(std::uint64_t steps) { steps_left_ = steps; }
  bool has_steps_left() const { return steps_left_ != 0; }
  /// Lets this much time pass, as long as there are steps. Time passes also if nothing happens.
  void run(const sc_core::sc_time& duration);
  /// True if nothing will ever happen by itself.
  bool is_quiescent() const;

  // --- What must always hold ---
  void check_registers();

  const CommandTemplates& templates() const { return templates_; }
  DeviceMemory& memory() { return memory_; }

  const DevicePlatformConfig config;
  PeDevice device;
  sc_core::sc_signal<bool> irq;
  sc_core::sc_signal<bool> reset_pin;

 private:
  void note_layout();
  void serve_by_loopback(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool step(const sc_core::sc_time& end);

  const CommandTemplates templates_;
  DeviceMemory memory_;
  std::uint64_t steps_left_ = 0;
};

}  // namespace petal::fuzz
