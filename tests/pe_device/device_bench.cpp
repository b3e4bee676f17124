// SPDX-License-Identifier: Apache-2.0
#include "pe_device/device_bench.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "petal/command/completion_record.hpp"
#include "petal/command/ring_entry.hpp"
#include "petal/command/tensor_entry.hpp"
#include "petal/command/wire_codec.hpp"
#include "petal/memory/dense_memory.hpp"
#include "petal/numerics/tensor_tile.hpp"

namespace petal::test {
namespace {

BusMemoryConfig memory_config(const DeviceBenchConfig& config) {
  BusMemoryConfig memory;
  memory.bytes = kMemoryBytes;
  memory.service = config.service;
  memory.latency = config.latency;
  return memory;
}

PeDeviceConfig device_config(const DeviceBenchConfig& config) {
  PeDeviceConfig device = config.device;
  device.pe.dma.bus.protocol = config.memory == MemoryKind::at ? BusProtocol::at : BusProtocol::lt;
  return device;
}

}  // namespace

std::vector<RecordedStep> steps_of(const std::function<void(TlContext&)>& kernel, const TlOptions& options) {
  PeRecording recording;
  RecordingSink sink(recording);
  TlContext tl(sink, options);
  kernel(tl);
  return recording.steps;
}

std::vector<SlotImage> slots_of(const std::vector<RecordedStep>& steps, TensorTable& table) {
  std::vector<SlotImage> slots;
  std::vector<std::byte> bytes;
  std::size_t used = 0;
  for (const RecordedStep& step : steps) {
    if (const auto* const overhead = std::get_if<OverheadCmd>(&step))
      slots.push_back({encode(*overhead, table), true, true, 0});
    const auto* const request = std::get_if<IssueRequest>(&step);
    if (request == nullptr) continue;
    const CommandSlice& slice = request->slice;
    if (slice.segment == 0) {
      bytes = encode(*slice.command, table);
      used = 0;
    }
    const std::size_t length = slice.logical_bytes.count();
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(used);
    slots.push_back({{begin, begin + static_cast<std::ptrdiff_t>(length)},
                     slice.segment == 0,
                     slice.segment + 1 == slice.segments,
                     static_cast<std::uint32_t>(slice.completion % kWireCompletionModulus)});
    used += length;
  }
  return slots;
}

DeviceBench::DeviceBench(const sc_core::sc_module_name& name, const DeviceBenchConfig& bench, Script script)
    : sc_module(name),
      host("host"),
      config(bench),
      device("device", device_config(bench)),
      irq("irq"),
      reset_pin("reset_pin"),
      script_(std::move(script)),
      tail_(bench.ring_start) {
  host.bind(device.registers);
  device.interrupt.bind(irq);
  device.reset.bind(reset_pin);
  device.events().attach(log);
  const BusMemoryConfig memory = memory_config(bench);
  switch (bench.memory) {
    case MemoryKind::lt_waits:
    case MemoryKind::lt_annotates:
      lt_ = std::make_unique<LtMemory>(
          "memory", memory, bench.memory == MemoryKind::lt_waits ? LtStyle::waits : LtStyle::annotates);
      device.memory.bind(lt_->socket);
      break;
    case MemoryKind::lt_dmi:
      dmi_ = std::make_unique<DmiMemory>("memory", memory);
      device.memory.bind(dmi_->socket);
      break;
    case MemoryKind::at:
      at_ = std::make_unique<AtMemory>("memory", memory, AtStyle::two_calls);
      device.memory.bind(at_->socket);
      break;
  }
  SC_THREAD(run_script);
}

BusMemory& DeviceBench::memory() {
  if (lt_) return lt_->memory;
  if (dmi_) return dmi_->memory;
  return at_->memory;
}

void DeviceBench::run_script() {
  script_(*this);
  script_ended = true;
}

tlm::tlm_response_status DeviceBench::access(tlm::tlm_command command, std::uint64_t address,
                                             unsigned char* data, unsigned int bytes,
                                             const sc_core::sc_time& delay) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  sc_core::sc_time annotated = delay;
  host->b_transport(payload, annotated);
  return payload.get_response_status();
}

std::uint32_t DeviceBench::read(RegisterId id, const sc_core::sc_time& delay) {
  unsigned char data[4] = {};
  BOOST_TEST(access(tlm::TLM_READ_COMMAND, info_of(id).offset, data, 4, delay) == tlm::TLM_OK_RESPONSE);
  return static_cast<std::uint32_t>(data[0]) | static_cast<std::uint32_t>(data[1]) << 8U |
         static_cast<std::uint32_t>(data[2]) << 16U | static_cast<std::uint32_t>(data[3]) << 24U;
}

std::uint64_t DeviceBench::read_pair(RegisterId low) {
  const auto high = static_cast<RegisterId>(static_cast<std::uint8_t>(low) + 1U);
  return read(low) | std::uint64_t{read(high)} << 32U;
}

void DeviceBench::write(RegisterId id, std::uint32_t value, const sc_core::sc_time& delay) {
  unsigned char data[4] = {static_cast<unsigned char>(value), static_cast<unsigned char>(value >> 8U),
                           static_cast<unsigned char>(value >> 16U),
                           static_cast<unsigned char>(value >> 24U)};
  BOOST_TEST(access(tlm::TLM_WRITE_COMMAND, info_of(id).offset, data, 4, delay) == tlm::TLM_OK_RESPONSE);
}

void DeviceBench::enable_ring() {
  write(RegisterId::ring_base_lo, kRingBase);
  write(RegisterId::ring_size, config.ring_size);
  write(RegisterId::ring_stride, config.ring_stride);
  write(RegisterId::ring_start, config.ring_start);
  write(RegisterId::table_base_lo, kTableBase);
  write(RegisterId::table_size, config.table_size);
  write(RegisterId::cq_base_lo, kCompletionBase);
  write(RegisterId::cq_size, config.completion_records);
  write(RegisterId::int_enable, interrupt_bit::kIdle | interrupt_bit::kError);
  write(RegisterId::control, control_bit::kEnable);
  next_slot_ = 0;
  tail_ = config.ring_start;
}

void DeviceBench::store(std::uint64_t address, const std::vector<std::byte>& data) {
  std::transform(data.begin(), data.end(), bytes().begin() + static_cast<std::ptrdiff_t>(address),
                 [](std::byte byte) { return static_cast<unsigned char>(byte); });
}

void DeviceBench::write_table(const TensorTable& table) {
  for (std::size_t index = 0; index < table.size(); ++index)
    store(kTableBase + index * kTensorEntryBytes, encode_tensor_entry(table.entries()[index]));
}

void DeviceBench::write_slot(std::uint32_t slot, std::uint32_t number, const SlotImage& image) {
  RingEntry entry;
  entry.number = number;
  entry.length = static_cast<std::uint16_t>(image.command.size());
  entry.first = image.first;
  entry.last = image.last;
  entry.completion = image.completion;
  const std::uint64_t address = kRingBase + std::uint64_t{slot} * config.ring_stride;
  store(address + kRingHeaderBytes, image.command);
  store(address, encode_ring_entry(entry));
}

std::uint32_t DeviceBench::push(const std::vector<SlotImage>& slots, const sc_core::sc_time& delay) {
  for (const SlotImage& image : slots) {
    while (tail_ - read(RegisterId::ring_head) >= config.ring_size) sc_core::wait(ns(50));
    write_slot(next_slot_, tail_, image);
    next_slot_ = (next_slot_ + 1) % config.ring_size;
    write(RegisterId::doorbell, ++tail_, delay);
    if (config.completion_records != 0) write(RegisterId::cq_head, read(RegisterId::cq_tail));
  }
  return tail_;
}

void DeviceBench::wait_until_idle() {
  while (is_busy()) {
    sc_core::wait(ns(100));
    if (config.completion_records != 0) write(RegisterId::cq_head, read(RegisterId::cq_tail));
  }
}

void DeviceBench::run(const std::vector<SlotImage>& slots) {
  push(slots);
  wait_until_idle();
}

void DeviceBench::load(const HbmImage& image, std::uint64_t count) {
  image.memory()->read(0, reinterpret_cast<std::byte*>(bytes().data()), count);
}

Values DeviceBench::values(const TensorHandle& tensor) {
  DenseMemory copy("memory", kMemoryBytes);
  copy.write(0, reinterpret_cast<const std::byte*>(bytes().data()), kMemoryBytes);
  Tile tile;
  load_tensor(copy, tensor, TileElement::f32, tile);
  return {tile.f32(), tile.f32() + tile.size()};
}

std::vector<CompletionRecord> DeviceBench::records() {
  std::vector<CompletionRecord> found;
  const std::uint32_t count = std::min(read(RegisterId::cq_tail), config.completion_records);
  for (std::uint32_t index = 0; index < count; ++index) {
    const auto* const at =
        reinterpret_cast<const std::byte*>(bytes().data()) + kCompletionBase + index * kCompletionRecordBytes;
    found.push_back(decode_completion_record({at, kCompletionRecordBytes}));
  }
  return found;
}

void simulate_devices() {
  sc_core::sc_start();
}

}  // namespace petal::test
