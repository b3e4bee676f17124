// SPDX-License-Identifier: Apache-2.0
//
// A platform of somebody else's with two PETAL devices. It knows of PETAL's registers, ring and wire format
// and of nothing behind them: the memory is one of the base protocol, the kernel counts in units of 10 ps,
// and the software runs ahead of it by up to a quantum.
#include <systemc>
// Above, and without SC_INCLUDE_DYNAMIC_PROCESSES, as in many a platform.
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>
#include <yaml-cpp/yaml.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "petal/command/ring_entry.hpp"
#include "petal/command/tensor_entry.hpp"
#include "petal/command/wire_codec.hpp"
#include "petal/device/pe_device.hpp"
#include "petal/device/register_map.hpp"

using petal::RegisterId;

namespace {

using Numbers = std::vector<float>;

// Where things are in the memory that a device and its software share.
constexpr std::uint64_t kShare = 0x8000;  // bytes each
constexpr std::uint64_t kTensors = 0x0000;
constexpr std::uint64_t kRing = 0x4000;
constexpr std::uint64_t kTable = 0x6000;
constexpr std::uint32_t kStride = 128;

sc_core::sc_time ns(double count) {
  return {count, sc_core::SC_NS};
}

/// 64 KiB, 30 ns a burst. It takes no extension and no byte enables.
struct Memory : sc_core::sc_module {
  tlm_utils::multi_passthrough_target_socket<Memory, 64> socket{"socket"};
  std::vector<unsigned char> bytes = std::vector<unsigned char>(2 * kShare);

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Memory::b_transport);
  }
  void b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t length = payload.get_data_length();
    if (length > bytes.size() || payload.get_address() > bytes.size() - length)
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (payload.get_byte_enable_ptr() != nullptr)
      return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    unsigned char* const at = bytes.data() + payload.get_address();
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), at, length);
    if (payload.is_write()) std::memcpy(at, payload.get_data_ptr(), length);
    delay += ns(30);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  template <typename Bytes>
  void store(std::uint64_t address, const Bytes& data) {
    std::memcpy(bytes.data() + address, data.data(), data.size() * sizeof(data[0]));
  }
  Numbers numbers(std::uint64_t address, std::size_t count) const {
    Numbers numbers(count);
    std::memcpy(numbers.data(), bytes.data() + address, count * sizeof(float));
    return numbers;
  }
};

/// out = a b, the tensors in memory and out written there.
petal::PeCommand product(const petal::TensorHandle& a, const petal::TensorHandle& b,
                         const petal::TensorHandle& out, petal::CompletionId id) {
  petal::OpSpec gemm;
  gemm.kind = petal::Opcode::gemm;
  gemm.operands = {a, b};
  for (const std::uint64_t size : {a.shape[0], a.shape[1], b.shape[1]})  // m, k, n
    gemm.extras.emplace_back(static_cast<std::int32_t>(size));
  gemm.out = out;
  petal::CompositeCmd command;
  command.completion = id;
  command.ops = {gemm};
  command.rw_handles = {out};
  return command;
}

/// Software of one device: C = A B, then D = C C.
struct Software : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Software, 64> registers{"registers"};
  sc_core::sc_in<bool> interrupt{"interrupt"};
  Memory* memory = nullptr;
  std::uint64_t base = 0;  // of its share of the memory
  Numbers a, b;            // 2 x 3, 3 x 2
  bool is_right = true;

  SC_CTOR(Software) { SC_THREAD(run); }

  void run() {
    lead_.reset();
    lead_.inc(ns(100));
    write_commands();
    enable();
    write(RegisterId::doorbell, 2);
    rung_at_ = sc_core::sc_time_stamp() + lead_.get_local_time();
    lead_.sync();
    if (!interrupt) wait(interrupt.posedge_event());
    report();
  }

  void write_commands() {
    const petal::TensorHandle left = tensor(0x000, {2, 3});
    const petal::TensorHandle right = tensor(0x100, {3, 2});
    const petal::TensorHandle c = tensor(0x200, {2, 2});
    const petal::TensorHandle d = tensor(0x300, {2, 2});
    memory->store(left.address, a);
    memory->store(right.address, b);
    petal::TensorTable table;
    write_slot(0, encode(product(left, right, c, 7), table), 7);
    write_slot(1, encode(product(c, c, d, 8), table), 8);
    for (std::size_t index = 0; index < table.size(); ++index)
      memory->store(base + kTable + index * petal::kTensorEntryBytes,
                    encode_tensor_entry(table.entries()[index]));
  }
  petal::TensorHandle tensor(std::uint64_t offset, const petal::Dims& shape) const {
    return dense_tensor(petal::Space::hbm, base + kTensors + offset, shape, petal::DType::f32);
  }
  void write_slot(std::uint32_t number, const std::vector<std::byte>& command, std::uint32_t id) {
    petal::RingEntry entry;
    entry.number = number;
    entry.length = static_cast<std::uint16_t>(command.size());
    entry.first = entry.last = true;
    entry.completion = id;
    const std::uint64_t slot = base + kRing + std::uint64_t{number} * kStride;
    memory->store(slot + petal::kRingHeaderBytes, command);
    memory->store(slot, encode_ring_entry(entry));
  }

  void enable() {
    write(RegisterId::ring_base_lo, static_cast<std::uint32_t>(base + kRing));
    write(RegisterId::ring_size, 3);
    write(RegisterId::ring_stride, kStride);
    write(RegisterId::table_base_lo, static_cast<std::uint32_t>(base + kTable));
    write(RegisterId::table_size, 8);
    write(RegisterId::int_threshold, 2);
    write(RegisterId::int_enable, petal::interrupt_bit::kThreshold | petal::interrupt_bit::kError);
    write(RegisterId::control, petal::control_bit::kEnable);
  }

  void report() {
    const sc_core::sc_time finished = sc_core::sc_time_stamp();
    const std::uint32_t pending = read(RegisterId::int_pending);
    const std::uint32_t cycles = read(RegisterId::count_dispatch_cycles_lo);
    write(RegisterId::int_status, petal::interrupt_bit::kAll);
    wait(ns(20));
    std::printf("%s: C", name());
    for (const float number : memory->numbers(base + kTensors + 0x200, 4)) std::printf(" %g", number);
    std::printf(", D");
    for (const float number : memory->numbers(base + kTensors + 0x300, 4)) std::printf(" %g", number);
    std::printf(", %u commands, %u failed, %u bytes, %u cycles, interrupt %s, then %s\n",
                read(RegisterId::count_completed_lo), read(RegisterId::count_failed_lo),
                read(RegisterId::count_logical_bytes_lo), cycles,
                pending == petal::interrupt_bit::kThreshold ? "threshold" : "of another cause",
                interrupt ? "high" : "low");
    // Each cycle takes 1 ns; both commands are issued after the doorbell, which rang ahead of the kernel.
    is_right = finished >= rung_at_ + ns(cycles);
    if (!is_right) std::printf("%s: finished before it can have\n", name());
  }

  std::uint32_t read(RegisterId id) {
    std::uint32_t value = 0;
    access(tlm::TLM_READ_COMMAND, id, value);
    return value;
  }
  void write(RegisterId id, std::uint32_t value) { access(tlm::TLM_WRITE_COMMAND, id, value); }
  void access(tlm::tlm_command command, RegisterId id, std::uint32_t& value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(petal::info_of(id).offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof value);
    payload.set_streaming_width(sizeof value);
    sc_core::sc_time delay = lead_.get_local_time();
    registers->b_transport(payload, delay);
    if (payload.is_response_error()) SC_REPORT_FATAL("software", payload.get_response_string().c_str());
    lead_.set(delay);
  }

 private:
  tlm_utils::tlm_quantumkeeper lead_;
  sc_core::sc_time rung_at_;
};

void connect(petal::PeDevice& device, Software& software, Memory& memory, sc_core::sc_signal<bool>& line) {
  software.registers.bind(device.registers);
  device.memory.bind(memory.socket);
  device.interrupt.bind(line);
  software.interrupt.bind(line);
  software.memory = &memory;
}

}  // namespace

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(10, sc_core::SC_PS);
  const sc_core::sc_time quantum(1, sc_core::SC_US);
  tlm::tlm_global_quantum::instance().set(quantum);

  Memory memory("memory");
  petal::PeDeviceConfig typed;
  typed.register_latency_ns = 5.0;
  petal::PeDevice first("first", typed);
  petal::PeDevice second(
      "second", YAML::Load("{attrs: {pe_cost_model: {fixed_per_cmd_cycles: 10}}, device: {prefetch: 1}}"));
  Software first_software("first_software");
  Software second_software("second_software");
  sc_core::sc_signal<bool> first_line("first_line");
  sc_core::sc_signal<bool> second_line("second_line");
  connect(first, first_software, memory, first_line);
  connect(second, second_software, memory, second_line);
  first_software.a = {1, 2, 3, 4, 5, 6};
  first_software.b = {1, 0, 0, 1, 1, 1};
  second_software.base = kShare;
  second_software.a = {2, 0, 0, 0, 0, 1};
  second_software.b = {1, 0, 0, 1, 1, 1};
  sc_core::sc_start();

  for (petal::PeDevice* const device : {&first, &second})
    for (const std::string& line : device->describe_outstanding()) std::printf("%s\n", line.c_str());
  const bool settings_kept = sc_core::sc_get_time_resolution() == sc_core::sc_time(10, sc_core::SC_PS) &&
                             tlm::tlm_global_quantum::instance().get() == quantum;
  std::printf("the platform's settings are %s\n", settings_kept ? "kept" : "changed");
  return settings_kept && first_software.is_right && second_software.is_right ? 0 : 1;
}
