// SPDX-License-Identifier: Apache-2.0
//
// CompletionStatus: how an entry of the command ring ended, as completion records and the register
// ERROR_CAUSE carry it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace petal {

/// The values are part of the interface with software and never change.
enum class CompletionStatus : std::uint8_t {
  ok = 0,
  descriptor_not_valid = 1,     ///< the slot does not hold the entry it should; stops the ring
  descriptor_malformed = 2,     ///< the slot, the tensor table entries it names or its bytes are no command
  command_refused = 3,          ///< a command that this device cannot execute
  fetch_error = 4,              ///< reading a slot or a table entry failed; stops the ring if it was a slot
  transfer_error = 5,           ///< a DMA burst was answered with an error
  dependency_failed = 6,        ///< it depends on an entry that failed, so it was not executed
  ring_overrun = 7,             ///< a doorbell beyond what the ring can hold; belongs to no entry
  ring_config = 8,              ///< the ring registers make no ring; belongs to no entry
  locked_register = 9,          ///< a ring register was written while enabled; belongs to no entry
  completion_write_error = 10,  ///< writing a completion record failed; stops the ring
  execution_error = 11,         ///< the device could not carry the command out
};

inline constexpr CompletionStatus kLastCompletionStatus = CompletionStatus::execution_error;

/// "descriptor_malformed": the spelling of headers, documents and logs.
std::string_view name_of(CompletionStatus status);

/// What the status means, as one line without a full stop.
std::string_view text_of(CompletionStatus status);

/// The inverse of the cast to a number; nothing for a number that is no status.
std::optional<CompletionStatus> completion_status_of(std::uint32_t value);

}  // namespace petal
