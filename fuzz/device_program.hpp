// SPDX-License-Identifier: Apache-2.0
//
// DeviceProgram: an input of the device fuzzer: a byte that picks the platform, then operations of the host,
// one after another, until the bytes end. An operation is a byte, modulo their number, and its operands;
// operands that are missing are 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_platform.hpp"

namespace petal::fuzz {

/// Operands follow in brackets: u8, u16, u32, u64 little endian.
enum class DeviceOp : std::uint8_t {
  write_register,  ///< [u8 register's index, u32 value, u8 delay]
  write_bytes,     ///< [u16 address, u8 shape, u8 delay, u8 bytes, the bytes]
  read_bytes,      ///< [u16 address, u8 shape, u8 bytes]
  debug_bytes,     ///< [u16 address, u8 shape, u8 bytes]
  access_tcm,      ///< [u32 address, u8 shape, u8 bytes]
  enable,         ///< [u8 ring size, u8 stride, u8 start, u8 completion ring's size, u8 table size, u8 place]
  write_table,    ///< [] the templates' tensors
  change_table,   ///< [u8 index, u8 byte, u64 pattern to exclusive-or]
  write_slots,    ///< [u8 template, u8 changes, for each: u16 byte, u8 pattern] the next entry or entries
  change_slot,    ///< [u8 entries back, u8 byte, u8 pattern]
  ring_doorbell,  ///< [u8 distance from what was written, u8 delay]
  run,            ///< [u8 duration]
  soft_reset,     ///< []
  set_reset_pin,  ///< [u8 level]
  fail_memory,    ///< [u8 accesses that succeed before, u8 that fail, u8 how]
  read_records,   ///< [u8 delay] software has read all completion records
  control,        ///< [u8 bits]
  write_memory,   ///< [u32 address, u8 bytes, the bytes]
  wait_until_idle,   ///< [] or some time has passed
  clear_interrupts,  ///< [u8 of the status, u8 enabled]
  move_memory,       ///< [] to another place in host memory
};
inline constexpr unsigned kDeviceOps = static_cast<unsigned>(DeviceOp::move_memory) + 1;

/// Where operations put what they write; `place` of `enable` moves it.
inline constexpr std::uint64_t kRingBase = 0x20000;
inline constexpr std::uint64_t kTableBase = 0x30000;
inline constexpr std::uint64_t kCompletionBase = 0x38000;

/// Reads operands.
class InputReader {
 public:
  InputReader(const std::uint8_t* data, std::size_t bytes) : next_(data), left_(bytes) {}

  bool done() const { return left_ == 0; }
  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  std::vector<unsigned char> bytes(std::size_t count);

 private:
  std::uint64_t number(std::size_t bytes);

  const std::uint8_t* next_;
  std::size_t left_;
};

class DeviceProgram {
 public:
  /// The device is as after reset.
  DeviceProgram(DevicePlatform& platform, InputReader input) : platform_(platform), input_(input) {}

  /// Executes it, as far as steps and time allow.
  void run();

 private:
  void execute(DeviceOp op);
  HostAccess read_access(std::uint64_t base, std::uint64_t mask);
  void write_bytes();
  void access_tcm();
  void enable();
  void write_table();
  void change_table();
  void write_slots();
  void change_slot();
  void fail_memory();
  void write_memory();
  void wait_until_idle();
  void soft_reset();
  void change(std::uint64_t address, std::uint64_t pattern);
  std::uint64_t slot_address(std::uint32_t number) const;

  DevicePlatform& platform_;
  InputReader input_;
  std::uint32_t ring_size_ = 1;
  std::uint32_t stride_ = 32;
  std::uint64_t place_ = 0;
  std::uint32_t start_ = 0;
  std::uint32_t written_ = 0;  // entries since the ring was enabled
};

}  // namespace petal::fuzz
