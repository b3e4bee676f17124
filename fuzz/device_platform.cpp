// SPDX-License-Identifier: Apache-2.0
#include "device_platform.hpp"

#include <algorithm>

namespace petal::fuzz {
namespace {

sc_core::sc_time ns(double count) {
  return {count, sc_core::SC_NS};
}

DevicePlatformConfig usual() {
  DevicePlatformConfig config;
  config.device.pe.tcm.arena = Bytes(0x10000);
  config.memory.latency = ns(20);
  return config;
}

/// Small tiles: more stages, and less to compute in each.
DevicePlatformConfig with_small_tiles() {
  DevicePlatformConfig config = usual();
  config.device.pe.scheduler.gemm_tile = {8, 16, 8};
  config.device.pe.scheduler.tile_buffers = 2;
  return config;
}

DevicePlatformConfig by_phases() {
  DevicePlatformConfig config = with_small_tiles();
  PeConfig& pe = config.device.pe;
  pe.compute_slot = ComputeSlot::shared;
  pe.dma.outstanding = 2;
  pe.dma.bus.protocol = BusProtocol::at;
  pe.dma.bus.burst_bytes = config.memory.burst_bytes = 64;
  pe.dma.bus.outstanding = 3;
  pe.dma.bus.ragged = RaggedBursts::power_of_two;
  return config;
}

DevicePlatformConfig with_little_room() {
  DevicePlatformConfig config = with_small_tiles();
  PeConfig& pe = config.device.pe;
  pe.cost.max_composite_logical_bytes = 128;
  pe.cpu.queue_bytes = Bytes(128);
  pe.scheduler.max_in_flight = 2;
  pe.scheduler.tile_buffers = 1;
  pe.scheduler.plan_cycles_per_op = 1.5;
  pe.scheduler.math_head_streaming = true;
  config.device.prefetch = 1;
  config.memory.waits = true;
  return config;
}

DevicePlatformConfig with_direct_access() {
  DevicePlatformConfig config = with_small_tiles();
  config.device.pe.scheduler.math_head_streaming = true;
  config.device.pe.dma.setup_cycles = 3;
  config.device.prefetch = 8;
  config.memory.grants_direct_access = true;
  return config;
}

/// Timing alone, at a clock whose period is no whole number, on a memory that takes no time.
DevicePlatformConfig without_gemm() {
  DevicePlatformConfig config = with_small_tiles();
  config.device.pe.clock = ClockFrequency(1.3);
  config.device.pe.engines.gemm = false;
  config.device.data = DataMode::off;
  config.memory.latency = sc_core::SC_ZERO_TIME;
  return config;
}

std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
  return low | std::uint64_t{high} << 32U;
}

constexpr std::uint64_t kTableEntryBytes = 80;
constexpr std::uint64_t kRecordBytes = 16;

}  // namespace

std::vector<DevicePlatformConfig> platform_configs() {
  return {usual(), by_phases(), with_little_room(), with_direct_access(), without_gemm()};
}

DevicePlatform::DevicePlatform(const sc_core::sc_module_name& name, const DevicePlatformConfig& platform)
    : sc_module(name),
      host("host"),
      config(platform),
      device("device", platform.device),
      irq("irq"),
      reset_pin("reset_pin"),
      templates_(platform.device.pe),
      memory_("memory", platform.memory, [this](tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        serve_by_loopback(payload, delay);
      }) {
  host.bind(device.registers);
  device.memory.bind(memory_.socket);
  device.interrupt.bind(irq);
  device.reset.bind(reset_pin);
}

// --- The host ---

namespace {

void fill(tlm::tlm_generic_payload& payload, HostAccess& access) {
  payload.set_command(access.command);
  payload.set_address(access.address);
  payload.set_data_ptr(access.has_data_pointer ? access.data.data() : nullptr);
  payload.set_data_length(static_cast<unsigned int>(access.data.size()));
  payload.set_streaming_width(access.streaming_width);
  payload.set_byte_enable_ptr(access.byte_enables.empty() ? nullptr : access.byte_enables.data());
  payload.set_byte_enable_length(static_cast<unsigned int>(access.byte_enables.size()));
}

}  // namespace

void DevicePlatform::transport(HostAccess& access) {
  tlm::tlm_generic_payload payload;
  fill(payload, access);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  sc_core::sc_time delay = access.delay;
  host->b_transport(payload, delay);
  require(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "an access is answered");
  require(sc_core::sc_time_stamp() == now && delay >= access.delay, "an access does not wait");
  if (payload.is_write()) note_layout();
}

unsigned int DevicePlatform::debug(HostAccess& access) {
  tlm::tlm_generic_payload payload;
  fill(payload, access);
  const unsigned int moved = host->transport_dbg(payload);
  require(moved == 0 || moved == access.data.size(), "a debug access moves all or nothing");
  return moved;
}

void DevicePlatform::ask_for_direct_access(std::uint64_t address) {
  tlm::tlm_generic_payload payload;
  payload.set_address(address);
  payload.set_read();
  tlm::tlm_dmi grant;
  const bool granted = host->get_direct_mem_ptr(payload, grant);
  require(!granted || address >= kTcmWindowOffset, "registers cannot be accessed directly");
  if (granted) grant.get_dmi_ptr()[address - grant.get_start_address()] ^= 1U;
}

std::uint32_t DevicePlatform::read(RegisterId id) const {
  return device.control().read(id);
}

std::uint64_t DevicePlatform::read_pair(RegisterId low) const {
  return joined(read(low), read(static_cast<RegisterId>(static_cast<std::uint8_t>(low) + 1U)));
}

void DevicePlatform::write(RegisterId id, std::uint32_t value, const sc_core::sc_time& delay) {
  HostAccess access;
  access.command = tlm::TLM_WRITE_COMMAND;
  access.address = info_of(id).offset;
  for (unsigned byte = 0; byte < 4; ++byte)
    access.data.push_back(static_cast<unsigned char>(value >> (8 * byte)));
  access.streaming_width = 4;
  access.delay = delay;
  transport(access);
}

void DevicePlatform::serve_by_loopback(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  host->b_transport(payload, delay);
  if (payload.is_write()) note_layout();
}

void DevicePlatform::note_layout() {
  if ((read(RegisterId::status) & status_bit::kEnabled) == 0) return;
  NamedLayout layout;
  layout.ring_base = read_pair(RegisterId::ring_base_lo);
  const std::uint32_t announced = read(RegisterId::ring_tail) - read(RegisterId::ring_start);
  const std::uint64_t slots = std::min(announced, read(RegisterId::ring_size));
  layout.ring_bytes = slots * read(RegisterId::ring_stride);
  layout.table_base = read_pair(RegisterId::table_base_lo);
  layout.table_entries = read(RegisterId::table_size);
  layout.completion_base = read_pair(RegisterId::cq_base_lo);
  layout.completion_bytes = read(RegisterId::cq_size) * kRecordBytes;
  require(layout.ring_bytes <= UINT64_MAX - layout.ring_base &&
              layout.table_entries * kTableEntryBytes <= UINT64_MAX - layout.table_base &&
              layout.completion_bytes <= UINT64_MAX - layout.completion_base,
          "what is enabled lies within the address space");
  memory_.named().add(layout);
}

// --- Time ---

bool DevicePlatform::is_quiescent() const {
  return !sc_core::sc_pending_activity();
}

/// The next delta cycle in which something happens, if it is not after `end`.
bool DevicePlatform::step(const sc_core::sc_time& end) {
  if (steps_left_ == 0) return false;
  if (!sc_core::sc_pending_activity_at_current_time()) {
    if (!sc_core::sc_pending_activity_at_future_time()) return false;
    const sc_core::sc_time next = sc_core::sc_time_to_pending_activity();
    if (sc_core::sc_time_stamp() + next > end) return false;
    sc_core::sc_start(next);
  } else {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  --steps_left_;
  return true;
}

void DevicePlatform::run(const sc_core::sc_time& duration) {
  const sc_core::sc_time end = sc_core::sc_time_stamp() + duration;
  while (step(end)) {
  }
  if (steps_left_ != 0 && end > sc_core::sc_time_stamp()) sc_core::sc_start(end - sc_core::sc_time_stamp());
}

// --- What must always hold ---

void DevicePlatform::check_registers() {
  const std::uint32_t status = read(RegisterId::status);
  const std::uint64_t fetched = read_pair(RegisterId::count_fetched_lo);
  const std::uint64_t completed = read_pair(RegisterId::count_completed_lo);
  const std::uint64_t failed = read_pair(RegisterId::count_failed_lo);
  require(failed <= completed && completed <= fetched, "entries are fetched, then completed, perhaps failed");
  const bool is_busy = (status & status_bit::kBusy) != 0;
  require(is_busy || fetched == completed, "BUSY while entries are not completed");
  require(!is_busy || (status & status_bit::kDone) == 0, "DONE only when not BUSY");
  require((status & status_bit::kResetting) == 0 || is_busy, "BUSY while RESETTING");
  const std::uint32_t ahead = read(RegisterId::ring_tail) - read(RegisterId::ring_head);
  if ((status & status_bit::kEnabled) != 0)
    require(ahead <= read(RegisterId::ring_size), "HEAD is not beyond TAIL, nor TAIL beyond the ring");
  if (read(RegisterId::cq_size) != 0 && (status & status_bit::kEnabled) != 0)
    require(read(RegisterId::cq_tail) - read(RegisterId::cq_head) <= read(RegisterId::cq_size),
            "the completion ring is not overrun");
  const std::uint32_t pending = read(RegisterId::int_pending);
  require(pending == (read(RegisterId::int_status) & read(RegisterId::int_enable)),
          "INT_PENDING is what it says");
  if (!sc_core::sc_pending_activity_at_current_time())
    require(irq.read() == (pending != 0), "the interrupt line is INT_PENDING");
}

}  // namespace petal::fuzz
