// SPDX-License-Identifier: Apache-2.0
#include "petal/command/completion_status.hpp"

#include <iterator>

namespace petal {
namespace {

struct StatusText {
  CompletionStatus status;
  std::string_view name;
  std::string_view text;
};

constexpr StatusText kTexts[] = {
    {CompletionStatus::ok, "ok", "the entry has completed"},
    {CompletionStatus::descriptor_not_valid, "descriptor_not_valid",
     "the slot is not marked valid or holds another entry's number; the ring has stopped"},
    {CompletionStatus::descriptor_malformed, "descriptor_malformed",
     "the slot, a tensor table entry it names or its bytes are no command"},
    {CompletionStatus::command_refused, "command_refused", "this device cannot execute the command"},
    {CompletionStatus::fetch_error, "fetch_error",
     "reading the slot or a tensor table entry from memory failed"},
    {CompletionStatus::transfer_error, "transfer_error", "a data transfer was answered with an error"},
    {CompletionStatus::dependency_failed, "dependency_failed",
     "an entry that this one depends on has failed, so it was not executed"},
    {CompletionStatus::ring_overrun, "ring_overrun",
     "the doorbell names more entries than the ring can hold"},
    {CompletionStatus::ring_config, "ring_config", "the ring registers do not describe a ring"},
    {CompletionStatus::locked_register, "locked_register",
     "a ring register was written while the device was enabled"},
    {CompletionStatus::completion_write_error, "completion_write_error",
     "writing a completion record to memory failed; the ring has stopped"},
    {CompletionStatus::execution_error, "execution_error", "the device could not carry the command out"},
};

constexpr bool is_dense_table() {
  for (std::size_t index = 0; index < std::size(kTexts); ++index)
    if (static_cast<std::size_t>(kTexts[index].status) != index) return false;
  return std::size(kTexts) == static_cast<std::size_t>(kLastCompletionStatus) + 1;
}
static_assert(is_dense_table(), "kTexts must list every status in order");

}  // namespace

std::string_view name_of(CompletionStatus status) {
  return kTexts[static_cast<std::size_t>(status)].name;
}

std::string_view text_of(CompletionStatus status) {
  return kTexts[static_cast<std::size_t>(status)].text;
}

std::optional<CompletionStatus> completion_status_of(std::uint32_t value) {
  if (value > static_cast<std::uint32_t>(kLastCompletionStatus)) return std::nullopt;
  return static_cast<CompletionStatus>(value);
}

}  // namespace petal
