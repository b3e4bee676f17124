// SPDX-License-Identifier: Apache-2.0
//
// CommandTemplates: commands that a driver would write, as the bytes of slots and of a tensor table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "petal/command/tensor_table.hpp"
#include "petal/device/pe_device_config.hpp"

namespace petal::fuzz {

/// The command bytes of a slot.
struct SlotTemplate {
  std::vector<std::byte> command;
  bool first = true;
  bool last = true;
  std::uint32_t completion = 0;
};

/// A command in as many slots as the cap makes it.
using CommandTemplate = std::vector<SlotTemplate>;

/// Tensors of the templates in memory lie below this address.
inline constexpr std::uint64_t kTensorsEnd = 0x20000;
/// The last three templates copy this many bytes from here to there, through TCM.
inline constexpr std::uint64_t kCopySource = 0x18000;
inline constexpr std::uint64_t kCopyTarget = 0x19000;
inline constexpr std::uint64_t kCopyBytes = 1000;
inline constexpr std::uint32_t kCopyCommands = 3;

class CommandTemplates {
 public:
  /// Commands that fit the PE.
  explicit CommandTemplates(const PeConfig& pe);

  const std::vector<CommandTemplate>& commands() const { return commands_; }
  /// Bytes of the table entries that they name.
  const std::vector<std::vector<std::byte>>& table() const { return table_; }

 private:
  std::vector<CommandTemplate> commands_;
  std::vector<std::vector<std::byte>> table_;
};

}  // namespace petal::fuzz
