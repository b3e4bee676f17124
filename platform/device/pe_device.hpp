// SPDX-License-Identifier: Apache-2.0
//
// PeDevice: one PE as a device of a virtual platform. Bind its registers to a bus, its memory socket to the
// memory (or to the bus again), and its interrupt to an interrupt controller; software does the rest through
// the registers (docs/registers.md, docs/virtual-platform.md).
//
//     PeDevice npu("npu", PeDeviceConfig());
//     bus.initiator.bind(npu.registers);
//     npu.memory.bind(bus.target);
//     npu.interrupt.bind(irq_line);
//
// It works at any time resolution and with any quantum, does not call wait() in a register access, and any
// number of them can stand in one platform.
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "petal/device/device_control.hpp"
#include "petal/device/pe_device_config.hpp"
#include "petal/device/register_target.hpp"

namespace petal {

class PeDevice : public sc_core::sc_module {
 public:
  tlm::tlm_target_socket<64> registers;  ///< register block at 0, TCM window at kTcmWindowOffset
  tlm::tlm_initiator_socket<64> memory;  ///< ring, tensors, completion records: all that commands name as HBM
  sc_core::sc_out<bool> interrupt;       ///< level, high while INT_PENDING is not 0; optional to bind
  sc_core::sc_in<bool> reset;            ///< high holds the device in reset; optional to bind

  /// Throws ConfigError for values that are no device, each named.
  PeDevice(const sc_core::sc_module_name& name, const PeDeviceConfig& config);
  /// As device_config_from_yaml reads `config`.
  PeDevice(const sc_core::sc_module_name& name, const YAML::Node& config);
  ~PeDevice() override;

  const PeDeviceConfig& config() const { return config_; }
  /// Attach readers (op_log, summary, ...) before the simulation starts.
  EventStream& events() { return pe_.events(); }
  const DeviceControl& control() const { return control_; }
  /// What is outstanding and waits for what, one line each; empty if nothing is. For a host whose simulation
  /// has ended: a platform that ends with work outstanding should say so.
  std::vector<std::string> describe_outstanding() const;

 private:
  void before_end_of_elaboration() override;
  void start_of_simulation() override;
  void update_interrupt();
  void ring_doorbells();
  void follow_reset_pin();

  const PeDeviceConfig config_;
  CalendarDriver calendar_driver_;
  Pe pe_;
  DeviceControl control_;
  RegisterTarget register_target_;
  sc_core::sc_event interrupt_changed_;
  sc_core::sc_event doorbell_;
  // What ports that the host leaves open are bound to.
  std::unique_ptr<sc_core::sc_signal<bool>> open_interrupt_;
  std::unique_ptr<sc_core::sc_signal<bool>> open_reset_;
};

}  // namespace petal
