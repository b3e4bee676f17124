// SPDX-License-Identifier: Apache-2.0
#include "device_program.hpp"

#include <algorithm>
#include <cstring>

#include "petal/command/ring_entry.hpp"

namespace petal::fuzz {
namespace {

constexpr std::uint32_t kMostOps = 200;
constexpr std::uint32_t kRingSizes[] = {1, 2, 3, 4, 7, 8, 16, 20};
constexpr std::uint32_t kStrides[] = {1040, 1040, 512, 144, 64, 32};
constexpr std::uint32_t kStarts[] = {0, 0xFFFFFFFD, 0xFFFFFFFF, 0x7FFFFFFF, 1};
constexpr std::uint32_t kRecordCounts[] = {0, 1, 2, 5, 64};

template <typename T, std::size_t Count>
T pick(const T (&choices)[Count], std::uint8_t byte) {
  return choices[byte % Count];
}

/// 0, or from 1 ns to some microseconds.
sc_core::sc_time time_of(std::uint8_t byte) {
  if (byte == 0) return sc_core::SC_ZERO_TIME;
  const double ps = static_cast<double>(1 + byte % 16) * static_cast<double>(1U << (byte / 16U)) * 125.0;
  return {ps, sc_core::SC_PS};
}

}  // namespace

// --- The input ---

std::uint64_t InputReader::number(std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t byte = 0; byte < bytes && left_ != 0; ++byte, ++next_, --left_)
    value |= std::uint64_t{*next_} << (8 * byte);
  return value;
}

std::vector<unsigned char> InputReader::bytes(std::size_t count) {
  const std::size_t taken = std::min(count, left_);
  std::vector<unsigned char> bytes(next_, next_ + taken);
  bytes.resize(count, 0);
  next_ += taken;
  left_ -= taken;
  return bytes;
}

// --- The program ---

void DeviceProgram::run() {
  for (std::uint32_t op = 0; op < kMostOps && !input_.done() && platform_.has_steps_left(); ++op) {
    execute(static_cast<DeviceOp>(input_.u8() % kDeviceOps));
    platform_.check_registers();
  }
}

void DeviceProgram::execute(DeviceOp op) {
  switch (op) {
    case DeviceOp::write_register: {
      const auto id = static_cast<RegisterId>(input_.u8() % kRegisterCount);
      const std::uint32_t value = input_.u32();
      return platform_.write(id, value, time_of(input_.u8()));
    }
    case DeviceOp::write_bytes:
      return write_bytes();
    case DeviceOp::read_bytes: {
      HostAccess access = read_access(0, 0x1FFF);
      access.data.resize(input_.u8());
      return platform_.transport(access);
    }
    case DeviceOp::debug_bytes: {
      HostAccess access = read_access(0, 0x1FFF);
      access.data.resize(input_.u8());
      platform_.debug(access);
      return platform_.ask_for_direct_access(access.address);
    }
    case DeviceOp::access_tcm:
      return access_tcm();
    case DeviceOp::enable:
      return enable();
    case DeviceOp::write_table:
      return write_table();
    case DeviceOp::change_table:
      return change_table();
    case DeviceOp::write_slots:
      return write_slots();
    case DeviceOp::change_slot:
      return change_slot();
    case DeviceOp::ring_doorbell: {
      const auto distance = static_cast<std::int8_t>(input_.u8());
      return platform_.write(
          RegisterId::doorbell,
          start_ + written_ + static_cast<std::uint32_t>(static_cast<std::int32_t>(distance)),
          time_of(input_.u8()));
    }
    case DeviceOp::run:
      return platform_.run(time_of(input_.u8()));
    case DeviceOp::soft_reset:
      return soft_reset();
    case DeviceOp::set_reset_pin:
      return platform_.set_reset_pin((input_.u8() & 1U) != 0);
    case DeviceOp::fail_memory:
      return fail_memory();
    case DeviceOp::read_records:
      return platform_.write(RegisterId::cq_head, platform_.read(RegisterId::cq_tail), time_of(input_.u8()));
    case DeviceOp::control:
      return platform_.write(RegisterId::control, input_.u8());
    case DeviceOp::write_memory:
      return write_memory();
    case DeviceOp::wait_until_idle:
      return wait_until_idle();
    case DeviceOp::clear_interrupts:
      platform_.write(RegisterId::int_status, input_.u8());
      return platform_.write(RegisterId::int_enable, input_.u8());
    case DeviceOp::move_memory:
      return platform_.memory().move_memory();
  }
}

/// What a shape byte says: bits 0-1 the command, 2 a short streaming width, 3 byte enables, 4 no data
/// pointer.
HostAccess DeviceProgram::read_access(std::uint64_t base, std::uint64_t mask) {
  HostAccess access;
  access.address = base + (mask > 0xFFFF ? input_.u32() : input_.u16()) % (mask + 1);
  const std::uint8_t shape = input_.u8();
  constexpr tlm::tlm_command commands[] = {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND,
                                           tlm::TLM_READ_COMMAND, tlm::TLM_IGNORE_COMMAND};
  access.command = commands[shape & 3U];
  access.streaming_width = (shape & 4U) != 0 ? 1 : 4096;
  if ((shape & 8U) != 0) access.byte_enables = {0xFF, 0xFF, static_cast<unsigned char>(shape >> 5U), 0};
  access.has_data_pointer = (shape & 16U) == 0;
  return access;
}

void DeviceProgram::write_bytes() {
  HostAccess access = read_access(0, 0x1FFF);
  access.command = tlm::TLM_WRITE_COMMAND;
  access.delay = time_of(input_.u8());
  access.data = input_.bytes(input_.u8() % 17U);
  platform_.transport(access);
}

void DeviceProgram::access_tcm() {
  HostAccess access = read_access(kTcmWindowOffset - 16, 0x1001F);
  access.data.assign(input_.u8(), 0x5A);
  platform_.transport(access);
  platform_.debug(access);
  platform_.ask_for_direct_access(access.address);
}

void DeviceProgram::enable() {
  ring_size_ = pick(kRingSizes, input_.u8());
  stride_ = pick(kStrides, input_.u8());
  start_ = pick(kStarts, input_.u8());
  const std::uint32_t records = pick(kRecordCounts, input_.u8());
  const std::uint32_t entries = input_.u8() % 130U;
  place_ = std::uint64_t{input_.u8()} * 16;
  written_ = 0;
  platform_.write(RegisterId::control, 0);
  platform_.write(RegisterId::ring_base_lo, static_cast<std::uint32_t>(kRingBase + place_));
  platform_.write(RegisterId::ring_base_hi, 0);
  platform_.write(RegisterId::ring_size, ring_size_);
  platform_.write(RegisterId::ring_stride, stride_);
  platform_.write(RegisterId::ring_start, start_);
  platform_.write(RegisterId::table_base_lo, static_cast<std::uint32_t>(kTableBase + place_));
  platform_.write(RegisterId::table_base_hi, 0);
  platform_.write(RegisterId::table_size, entries);
  platform_.write(RegisterId::cq_base_lo, static_cast<std::uint32_t>(kCompletionBase + place_));
  platform_.write(RegisterId::cq_base_hi, 0);
  platform_.write(RegisterId::cq_size, records);
  platform_.write(RegisterId::control, control_bit::kEnable);
}

void DeviceProgram::write_table() {
  std::uint64_t address = kTableBase + place_;
  for (const std::vector<std::byte>& entry : platform_.templates().table()) {
    std::memcpy(platform_.memory().bytes().data() + address, entry.data(), entry.size());
    address += entry.size();
  }
}

void DeviceProgram::change(std::uint64_t address, std::uint64_t pattern) {
  std::vector<unsigned char>& memory = platform_.memory().bytes();
  for (; pattern != 0; pattern >>= 8U)
    memory[address++ % kMemoryBytes] ^= static_cast<unsigned char>(pattern);
}

void DeviceProgram::change_table() {
  const std::uint64_t entry = kTableBase + place_ + input_.u8() % 130U * std::uint64_t{80};
  const std::uint64_t byte = input_.u8() % 80U;
  change(entry + byte, input_.u64());
}

std::uint64_t DeviceProgram::slot_address(std::uint32_t number) const {
  return kRingBase + place_ + std::uint64_t{number % ring_size_} * stride_;
}

void DeviceProgram::write_slots() {
  const auto& commands = platform_.templates().commands();
  const CommandTemplate& command = commands[input_.u8() % commands.size()];
  std::vector<unsigned char>& memory = platform_.memory().bytes();
  for (const SlotTemplate& slot : command) {
    RingEntry entry;
    entry.number = start_ + written_;
    entry.length = static_cast<std::uint16_t>(slot.command.size());
    entry.first = slot.first;
    entry.last = slot.last;
    entry.completion = slot.completion;
    const std::uint64_t address = slot_address(written_++);
    const std::vector<std::byte> header = encode_ring_entry(entry);
    std::memcpy(memory.data() + address, header.data(), header.size());
    std::memcpy(memory.data() + address + header.size(), slot.command.data(), slot.command.size());
  }
  for (unsigned changes = input_.u8() % 4U; changes != 0; --changes) {
    const std::uint64_t byte = input_.u16() % 256U;
    change(slot_address(written_ - 1) + kRingHeaderBytes + byte, input_.u8());
  }
}

void DeviceProgram::change_slot() {
  const std::uint64_t slot = slot_address(written_ - 1 - input_.u8() % 4U);
  const std::uint64_t byte = input_.u8();
  change(slot + byte, input_.u8());
}

void DeviceProgram::fail_memory() {
  constexpr tlm::tlm_response_status statuses[] = {
      tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_INCOMPLETE_RESPONSE,
      tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_COMMAND_ERROR_RESPONSE};
  const std::uint32_t good = input_.u8();
  const std::uint32_t failing = input_.u8();
  platform_.memory().fail_after(good, failing, pick(statuses, input_.u8()));
}

void DeviceProgram::write_memory() {
  const std::uint64_t address = input_.u32() % (kMemoryBytes - 256);
  const std::vector<unsigned char> bytes = input_.bytes(input_.u8());
  std::copy(bytes.begin(), bytes.end(),
            platform_.memory().bytes().begin() + static_cast<std::ptrdiff_t>(address));
}

void DeviceProgram::wait_until_idle() {
  for (int tries = 0; tries < 40 && (platform_.read(RegisterId::status) & status_bit::kBusy) != 0; ++tries) {
    platform_.run(sc_core::sc_time(200, sc_core::SC_NS));
    platform_.check_registers();
  }
}

// F12: nothing of what was before is written to memory any more.
void DeviceProgram::soft_reset() {
  platform_.write(RegisterId::control, control_bit::kSoftReset);
}

}  // namespace petal::fuzz
