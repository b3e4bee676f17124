// SPDX-License-Identifier: Apache-2.0
//
// A PeDevice in a platform that is not PETAL's: a memory of one's own, and software that feeds the PE through
// a command ring and sleeps until its interrupt. docs/virtual-platform.md quotes it.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <yaml-cpp/yaml.h>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "petal/calendar/has_process.hpp"
#include "petal/command/completion_record.hpp"
#include "petal/command/ring_entry.hpp"
#include "petal/command/tensor_entry.hpp"
#include "petal/command/wire_codec.hpp"
#include "petal/device/pe_device.hpp"

using namespace petal;

namespace {

/// An ordinary memory: a burst keeps it busy for 4 ns, and the answer comes 80 ns later.
struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory, 64> socket{"socket"};
  std::vector<unsigned char> bytes = std::vector<unsigned char>(0x10000);
  sc_core::sc_time free_at;

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Memory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const std::uint64_t length = payload.get_data_length();
    if (address > bytes.size() || length > bytes.size() - address)
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (payload.get_byte_enable_ptr() != nullptr)
      return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &bytes[address], length);
    if (payload.is_write()) std::memcpy(&bytes[address], payload.get_data_ptr(), length);
    const sc_core::sc_time arrival = sc_core::sc_time_stamp() + delay;
    free_at = std::max(free_at, arrival) + sc_core::sc_time(4, sc_core::SC_NS);
    delay = free_at + sc_core::sc_time(80, sc_core::SC_NS) - sc_core::sc_time_stamp();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

constexpr std::uint32_t kRing = 0x1000;
constexpr std::uint32_t kSlots = 4;
constexpr std::uint32_t kSlotBytes = 64;
constexpr std::uint32_t kTable = 0x2000;
constexpr std::uint32_t kCompletions = 0x3000;
constexpr std::uint64_t kX = 0x4000;
constexpr std::uint64_t kY = 0x5000;
constexpr std::uint64_t kElements = 256;

/// The host's software, in C++ in place of a CPU: y = relu(x).
struct Software : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Software, 64> registers{"registers"};
  sc_core::sc_in<bool> interrupt{"interrupt"};
  Memory& memory;
  TensorTable table;  // what the commands name
  std::uint32_t entries = 0;
  sc_core::sc_time interrupted_at;
  bool succeeded = false;

  PETAL_HAS_PROCESS(Software);
  Software(const sc_core::sc_module_name& name, Memory& shared) : sc_module(name), memory(shared) {
    SC_THREAD(run);
  }

  void write(RegisterId id, std::uint32_t value) {
    tlm::tlm_generic_payload payload;
    unsigned char data[4];
    for (unsigned byte = 0; byte < 4; ++byte) data[byte] = static_cast<unsigned char>(value >> (8 * byte));
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(info_of(id).offset);
    payload.set_data_ptr(data);
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_core::sc_time delay;
    registers->b_transport(payload, delay);
    wait(delay);
  }

  void store(std::uint64_t address, const std::vector<std::byte>& data) {
    std::memcpy(&memory.bytes[address], data.data(), data.size());
  }

  /// Writes a command into its slot, the slot's header last.
  void push(PeCommand command) {
    const std::uint32_t number = entries++;
    framing_of(command).completion = number + 1;
    const std::vector<std::byte> bytes = encode(command, table);
    const std::uint64_t slot = kRing + number % kSlots * kSlotBytes;
    store(slot + kRingHeaderBytes, bytes);
    store(slot,
          encode_ring_entry({number, static_cast<std::uint16_t>(bytes.size()), true, true, number + 1}));
  }

  void push_commands() {
    const TensorHandle x = dense_tensor(Space::hbm, kX, {kElements}, DType::f32);
    const TensorHandle y = dense_tensor(Space::hbm, kY, {kElements}, DType::f32);
    const TensorHandle a = dense_tensor(Space::tcm, 0x000, {kElements}, DType::f32);
    const TensorHandle b = dense_tensor(Space::tcm, 0x400, {kElements}, DType::f32);
    push(DmaReadCmd{{}, x, a, kElements * 4});
    push(MathCmd{{}, Opcode::relu, {a}, {}, b});
    push(DmaWriteCmd{{}, b, y, kElements * 4});
    for (std::size_t index = 0; index < table.size(); ++index)
      store(kTable + index * kTensorEntryBytes, encode_tensor_entry(table.entries()[index]));
  }

  void start_device() {
    write(RegisterId::ring_base_lo, kRing);
    write(RegisterId::ring_size, kSlots);
    write(RegisterId::ring_stride, kSlotBytes);
    write(RegisterId::table_base_lo, kTable);
    write(RegisterId::table_size, static_cast<std::uint32_t>(table.size()));
    write(RegisterId::cq_base_lo, kCompletions);
    write(RegisterId::cq_size, kSlots);
    write(RegisterId::int_enable, interrupt_bit::kIdle | interrupt_bit::kError);
    write(RegisterId::control, control_bit::kEnable);
  }

  void run() {
    for (std::uint64_t index = 0; index < kElements; ++index) {
      const float value = static_cast<float>(index) - 128.0F;
      std::memcpy(&memory.bytes[kX + 4 * index], &value, 4);
    }
    push_commands();
    start_device();
    write(RegisterId::doorbell, entries);
    wait(interrupt.posedge_event());
    interrupted_at = sc_core::sc_time_stamp();
    write(RegisterId::int_status, interrupt_bit::kAll);
    check();
  }

  void check() {
    succeeded = true;
    for (std::uint32_t index = 0; index < entries; ++index) {
      const auto* const at = reinterpret_cast<const std::byte*>(&memory.bytes[kCompletions]);
      const CompletionRecord record =
          decode_completion_record({at + index * kCompletionRecordBytes, kCompletionRecordBytes});
      std::printf("entry %u: %s\n", record.completion, std::string(name_of(record.status)).c_str());
      succeeded = succeeded && record.status == CompletionStatus::ok;
    }
    for (std::uint64_t index = 0; index < kElements; ++index) {
      float value = 0.0F;
      std::memcpy(&value, &memory.bytes[kY + 4 * index], 4);
      succeeded = succeeded && value == std::max(0.0F, static_cast<float>(index) - 128.0F);
    }
  }
};

}  // namespace

int sc_main(int, char*[]) {
  const YAML::Node config = YAML::Load(
      "{attrs: {clock_freq_ghz: 1.0, pe_dma: {protocol: lt, burst_bytes: 256}}, device: {prefetch: 2}}");
  Memory memory("memory");
  Software software("software", memory);
  PeDevice npu("npu", config);
  sc_core::sc_signal<bool> irq("irq");
  software.registers.bind(npu.registers);
  npu.memory.bind(memory.socket);
  npu.interrupt.bind(irq);
  software.interrupt.bind(irq);
  sc_core::sc_start();
  for (const std::string& line : npu.describe_outstanding()) std::fprintf(stderr, "%s\n", line.c_str());
  std::printf("%s; interrupt at %s\n", software.succeeded ? "right" : "wrong",
              software.interrupted_at.to_string().c_str());
  return software.succeeded ? 0 : 1;
}
