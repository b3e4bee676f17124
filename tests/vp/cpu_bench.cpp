// SPDX-License-Identifier: Apache-2.0
#include "vp/cpu_bench.hpp"

#include <cstring>

namespace petal::vp::test {

RecordingDevice::RecordingDevice(const sc_core::sc_module_name& name) : sc_module(name) {
  socket.register_b_transport(this, &RecordingDevice::b_transport);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&raise_);
  options.set_sensitivity(&lower_);
  sc_core::sc_spawn([this] { drive(); }, "drive", &options);
}

void RecordingDevice::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t offset = payload.get_address();
  std::uint64_t value = offset;
  if (payload.is_write()) {
    value = 0;
    std::memcpy(&value, payload.get_data_ptr(), payload.get_data_length());
    if (offset == 0x40) lower_.notify(sc_core::SC_ZERO_TIME);
  } else {
    std::memcpy(payload.get_data_ptr(), &value, payload.get_data_length());
  }
  seen.push_back(
      {sc_core::sc_time_stamp() + delay, payload.is_write(), offset, payload.get_data_length(), value});
  delay += access_time;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void RecordingDevice::drive() {
  level_ = !level_;
  line.write(level_);
}

std::vector<std::uint64_t> RecordingDevice::written(std::uint64_t offset) const {
  std::vector<std::uint64_t> values;
  for (const SeenAccess& access : seen)
    if (access.write && access.offset == offset) values.push_back(access.value);
  return values;
}

AddressMap bench_map() {
  return AddressMap(
      {{"ram", {kRamBase, kRamBytes}}, {"device", {0x10000000, 0x1000}}, {"finisher", {0x100000, 0x1000}}});
}

std::string program_path(const std::string& program) {
  return std::string(PETAL_VP_PROGRAMS) + "/" + program + ".elf";
}

RiscvCpuConfig CpuBench::cached_config() {
  RiscvCpuConfig config;
  config.cached = {{kRamBase, kRamBytes}};
  return config;
}

RiscvCpuConfig CpuBench::uncached_config() {
  return {};
}

namespace {

RamConfig ram_config(DirectMemory direct_memory) {
  RamConfig config;
  config.size = Bytes(kRamBytes);
  config.latency = Picoseconds(20000);
  config.direct_memory = direct_memory;
  return config;
}

}  // namespace

CpuBench::CpuBench(const std::string& program, RiscvCpuConfig config, DirectMemory direct_memory,
                   const sc_core::sc_time& quantum)
    : cpu("cpu", config), bus("bus", 1, bench_map()), ram("ram", ram_config(direct_memory)) {
  tlm::tlm_global_quantum::instance().set(quantum);
  cpu.bus.bind(bus.from_initiator(0));
  bus.to_target("ram").bind(ram.socket);
  bus.to_target("device").bind(device.socket);
  bus.to_target("finisher").bind(finisher.socket);
  cpu.interrupt(line);
  device.line(line);
  cpu.set_program(ElfImage::read(program_path(program)));
}

}  // namespace petal::vp::test
