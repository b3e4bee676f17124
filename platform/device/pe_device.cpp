// SPDX-License-Identifier: Apache-2.0
#include "petal/device/pe_device.hpp"

#include <fmt/format.h>

#include <cmath>

#include "petal/calendar/has_process.hpp"
#include "petal/command/error.hpp"

namespace petal {

namespace {

/// Throws ConfigError for what a device cannot be.
const PeDeviceConfig& checked(const PeDeviceConfig& config) {
  if (config.pe.dma.interface != DmaInterface::bursts)
    throw ConfigError(
        "device: attrs.pe_dma.interface is closed_form, which only PETAL's own memory understands; use "
        "bursts");
  if (config.prefetch == 0) throw ConfigError("device: prefetch is 0; it must be at least 1");
  if (!(config.register_latency_ns >= 0.0) || !(config.register_latency_ns <= 1e9))
    throw ConfigError(fmt::format("device: register_latency_ns is {}; it must be from 0 to 1e9",
                                  config.register_latency_ns));
  return config;
}

RegisterTargetConfig target_config(const PeDeviceConfig& config) {
  const Picoseconds latency(std::llround(config.register_latency_ns * 1000.0));
  const bool has_tcm = config.data == DataMode::on;
  return {latency, latency, has_tcm ? config.pe.tcm.arena : Bytes(0)};
}

}  // namespace

PeDevice::PeDevice(const sc_core::sc_module_name& name, const PeDeviceConfig& config)
    : sc_module(name),
      registers("registers"),
      memory("memory"),
      interrupt("interrupt"),
      reset("reset"),
      config_(checked(config)),
      calendar_driver_("calendar", Pacing::lockstep),
      pe_(
          "pe", 0, config.pe, calendar_driver_, [](const CriticalPath&) {},
          PeOptions{default_build_order(), config.data, OnFailure::fail_command}),
      control_(pe_, config.prefetch,
               {[this] { interrupt_changed_.notify(sc_core::SC_ZERO_TIME); },
                [this](const sc_core::sc_time& after) { doorbell_.notify(after); }}),
      register_target_("register_target", target_config(config), control_, pe_.tcm()) {
  registers.bind(register_target_.socket);
  pe_.memory_socket()->bind(memory);
  PETAL_HAS_PROCESS(PeDevice);
  SC_METHOD(update_interrupt);
  sensitive << interrupt_changed_;
  SC_METHOD(ring_doorbells);
  sensitive << doorbell_;
  dont_initialize();
  SC_METHOD(follow_reset_pin);
  sensitive << reset;
}

PeDevice::PeDevice(const sc_core::sc_module_name& name, const YAML::Node& config)
    : PeDevice(name, device_config_from_yaml(config)) {}

PeDevice::~PeDevice() = default;

void PeDevice::before_end_of_elaboration() {
  if (interrupt.bind_count() == 0) {
    open_interrupt_ = std::make_unique<sc_core::sc_signal<bool>>("open_interrupt");
    interrupt.bind(*open_interrupt_);
  }
  if (reset.bind_count() == 0) {
    open_reset_ = std::make_unique<sc_core::sc_signal<bool>>("open_reset");
    reset.bind(*open_reset_);
  }
}

void PeDevice::start_of_simulation() {
  control_.start();
}

// One process writes the line, whoever accesses the registers.
void PeDevice::update_interrupt() {
  const bool level = control_.interrupt();
  if (level == interrupt.read()) return;
  interrupt.write(level);
  if (!pe_.events().empty())
    pe_.events().report(&Observer::on_interrupt, InterruptEvent{0, level, pe_.present()});
}

void PeDevice::ring_doorbells() {
  control_.doorbells_due();
}

void PeDevice::follow_reset_pin() {
  if (reset.read()) control_.soft_reset();
  control_.hold_in_reset(reset.read());
}

std::vector<std::string> PeDevice::describe_outstanding() const {
  if (!control_.is_busy() && !control_.is_stopped()) return {};
  std::vector<std::string> lines;
  lines.push_back(fmt::format("device '{}': {} of {} entries fetched have completed{}", name(),
                              control_.entries_completed(), control_.entries_fetched(),
                              control_.is_stopped() ? "; the ring is stopped by an error" : ""));
  for (const std::string& line : pe_.describe_outstanding())
    lines.push_back(fmt::format("device '{}': {}", name(), line));
  return lines;
}

}  // namespace petal
