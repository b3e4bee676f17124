// SPDX-License-Identifier: Apache-2.0
//
// DriverBench: the driver with memory in place of a device. The test plays the device: it reads the ring with
// the device's own code and writes completion records.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "petal/command/command_assembler.hpp"
#include "petal/command/completion_record.hpp"
#include "petal/command/tensor_table.hpp"
#include "petal_driver.h"

namespace petal::test {

struct BenchSizes {
  std::uint32_t ring_slots = 8;
  std::uint32_t slot_bytes = 1040;
  std::uint32_t table_entries = 4096;
  std::uint32_t completion_records = 8;
  std::uint32_t cap = 1024;
  std::uint32_t first_entry = 0;
};

class DriverBench {
 public:
  /// Registers hold what a device says after reset; nothing has been initialised.
  explicit DriverBench(const BenchSizes& sizes = {});
  DriverBench(const DriverBench&) = delete;
  DriverBench& operator=(const DriverBench&) = delete;

  /// petal_device_init, which has to succeed.
  void init();

  petal_device device{};
  petal_config config{};

  // --- Software's side ---

  /// Has the driver build `command`. Its tensors are entered into the driver's table as `encode` enters them
  /// into `table`, so that both give them the same references.
  petal_result build(const PeCommand& command, std::uint32_t* id = nullptr);
  TensorTable table;

  // --- The device's side ---

  std::uint32_t get(std::uint32_t offset) const { return registers_.at(offset / 4); }
  void set(std::uint32_t offset, std::uint32_t value) { registers_.at(offset / 4) = value; }
  /// The header of the slot where entry `number` lies.
  ReadRingEntry entry(std::uint32_t number) const;
  std::vector<std::byte> command_bytes(std::uint32_t number) const;
  /// Fetches the entry that RING_HEAD names, which has to be valid, and moves RING_HEAD on.
  void fetch();
  CommandAssembler& assembler() { return assembler_; }
  /// The command whose last entry has been fetched, with the tensors of the table in memory.
  AssembledCommand assemble();
  TensorHandle table_entry(std::uint32_t index) const;
  /// Writes a completion record in the place of the next one.
  void complete(std::uint32_t id, CompletionStatus status = CompletionStatus::ok, std::uint64_t address = 0);

 private:
  using Words = std::vector<std::uint64_t>;  // aligned as the rings have to be

  const std::byte* slot(std::uint32_t number) const;

  BenchSizes sizes_;
  std::array<std::uint32_t, PETAL_REG_BLOCK_BYTES / 4> registers_{};
  Words ring_;
  Words table_memory_;
  Words completions_;
  std::uint32_t records_ = 0;
  CompletionId fetched_ = 0;
  CommandAssembler assembler_;
};

}  // namespace petal::test
