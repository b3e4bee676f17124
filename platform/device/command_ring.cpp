// SPDX-License-Identifier: Apache-2.0
#include "petal/device/command_ring.hpp"

#include <fmt/format.h>

#include <utility>

#include "petal/command/error.hpp"
#include "petal/command/tensor_entry.hpp"

namespace petal {
namespace {

constexpr std::uint64_t kAlignment = 16;
constexpr std::uint32_t kMostSlots = 65536;
constexpr std::uint32_t kLeastStride = 32;
constexpr std::uint32_t kMostStride = 65536;

bool fits(std::uint64_t base, std::uint64_t bytes) {
  return bytes <= UINT64_MAX - base;
}

}  // namespace

std::optional<std::string> find_layout_error(const CommandRingLayout& layout) {
  if (layout.base % kAlignment != 0 || layout.table_base % kAlignment != 0)
    return fmt::format("RING_BASE {:#x} and TABLE_BASE {:#x} must be multiples of {}", layout.base,
                       layout.table_base, kAlignment);
  if (layout.size < 1 || layout.size > kMostSlots)
    return fmt::format("RING_SIZE is {}; it must be 1 to {}", layout.size, kMostSlots);
  if (layout.stride < kLeastStride || layout.stride > kMostStride || layout.stride % kAlignment != 0)
    return fmt::format("RING_STRIDE is {}; it must be {} to {} and a multiple of {}", layout.stride,
                       kLeastStride, kMostStride, kAlignment);
  if (!fits(layout.base, std::uint64_t{layout.size} * layout.stride) ||
      !fits(layout.table_base, std::uint64_t{layout.table_size} * kTensorEntryBytes))
    return "the ring or the tensor table reaches past the end of the address space";
  return std::nullopt;
}

CommandRing::CommandRing(BusInitiator& bus, const CommandRingConfig& config, Client& client)
    : bus_(bus), config_(config), client_(client) {}

void CommandRing::enable(const CommandRingLayout& layout) {
  layout_ = layout;
  enabled_ = true;
  stopped_ = false;
  head_ = tail_ = layout.start;
  slot_ = 0;
}

void CommandRing::disable() {
  enabled_ = false;
  if (activity_ == Activity::none) give_up_unfinished();
}

// Entries that will never become a command would keep the device busy for ever.
void CommandRing::give_up_unfinished() {
  if (!assembler_.holds_entries()) return;
  fail(assembler_.drop(CompletionStatus::descriptor_malformed,
                       "the ring was disabled before the command's last entry was read"),
       0);
}

bool CommandRing::may_advance_to(std::uint32_t announced_tail, std::uint32_t tail) const {
  const std::uint32_t announced = announced_tail - head_;
  const std::uint32_t wanted = tail - head_;
  return wanted >= announced && wanted <= layout_.size;
}

// Annotated times may come in another order than the doorbells: what is announced stays announced, and the entries
// that a late one announces may have been read already.
void CommandRing::advance_to(std::uint32_t tail) {
  if (tail - tail_ <= layout_.size) tail_ = tail;
  fetch_next();
}

void CommandRing::resume() {
  if (!stopped_) return;
  stopped_ = false;
  fetch_next();
}

void CommandRing::set_held(bool held) {
  held_ = held;
  if (!held) fetch_next();
}

void CommandRing::reset() {
  enabled_ = stopped_ = held_ = false;
  head_ = tail_ = slot_ = 0;
  activity_ = Activity::none;
  assembler_.clear();
  tensors_.clear();
}

// --- One entry after the other ---

void CommandRing::fetch_next() {
  if (activity_ != Activity::none || !enabled_ || stopped_ || held_ || head_ == tail_) return;
  if (client_.steps_ahead() >= config_.prefetch) return;
  activity_ = Activity::header;
  const std::uint64_t address = layout_.base + std::uint64_t{slot_} * layout_.stride;
  slot_request_.read(bus_, address, kRingHeaderBytes,
                     [this](const MemoryRequest& request) { header_read(request); });
}

void CommandRing::header_read(const MemoryRequest& request) {
  if (!request.succeeded()) return stop(CompletionStatus::fetch_error, request.fault_address);
  const ReadRingEntry read = read_ring_entry(request.bytes(), {head_, Bytes(layout_.stride), config_.cap});
  if (read.status == CompletionStatus::descriptor_not_valid) return stop(read.status, 0);
  entry_ = read.entry;
  if (read.status != CompletionStatus::ok) {
    consume_entry();
    fail(assembler_.reject(entries_, entry_, read.status, read.problem), 0);
    return activity_ended();
  }
  activity_ = Activity::bytes;
  const std::uint64_t address = layout_.base + std::uint64_t{slot_} * layout_.stride + kRingHeaderBytes;
  slot_request_.read(bus_, address, entry_.length,
                     [this](const MemoryRequest& answer) { bytes_read(answer); });
}

void CommandRing::bytes_read(const MemoryRequest& request) {
  if (!request.succeeded()) return stop(CompletionStatus::fetch_error, request.fault_address);
  consume_entry();
  for (const CommandFault& fault : assembler_.take(entries_, entry_, request.bytes())) fail(fault, 0);
  if (!assembler_.complete()) return activity_ended();
  fetch_tensors();
}

/// The slot has been read: it may be written again.
void CommandRing::consume_entry() {
  ++entries_;
  ++head_;
  slot_ = slot_ + 1 == layout_.size ? 0 : slot_ + 1;
  client_.entry_fetched();
}

void CommandRing::fetch_tensors() {
  const std::vector<std::uint32_t>& indices = assembler_.tensors();
  for (const std::uint32_t index : indices)
    if (index >= layout_.table_size) {
      fail(assembler_.drop(CompletionStatus::descriptor_malformed,
                           fmt::format("tensor index {} is outside the table, which has {} entries", index,
                                       layout_.table_size)),
           0);
      return activity_ended();
    }
  activity_ = Activity::tensors;
  tensors_.clear();
  tensor_failure_ = EntryFailure{0, CompletionStatus::ok, 0};
  tensors_to_come_ = indices.size();
  if (indices.empty()) return tensors_read();
  while (tensor_requests_.size() < indices.size()) tensor_requests_.emplace_back();
  for (std::size_t index = 0; index < indices.size(); ++index) {
    const std::uint64_t address = layout_.table_base + std::uint64_t{indices[index]} * kTensorEntryBytes;
    tensor_requests_[index].read(
        bus_, address, kTensorEntryBytes,
        [this, index](const MemoryRequest& request) { tensor_read(index, request); });
  }
}

void CommandRing::tensor_read(std::size_t index, const MemoryRequest& request) {
  if (!request.succeeded()) {
    if (tensor_failure_.status == CompletionStatus::ok)
      tensor_failure_ = {0, CompletionStatus::fetch_error, request.fault_address};
  } else {
    try {
      tensors_.set(assembler_.tensors()[index], decode_tensor_entry(request.bytes()));
    } catch (const DecodeError&) {
      if (tensor_failure_.status == CompletionStatus::ok)
        tensor_failure_.status = CompletionStatus::descriptor_malformed;
    }
  }
  if (--tensors_to_come_ == 0) tensors_read();
}

void CommandRing::tensors_read() {
  if (tensor_failure_.status != CompletionStatus::ok) {
    fail(assembler_.drop(tensor_failure_.status, "a tensor table entry cannot be used"),
         tensor_failure_.address);
    return activity_ended();
  }
  auto result = assembler_.assemble(tensors_);
  if (auto* const fault = std::get_if<CommandFault>(&result))
    fail(*fault, 0);
  else
    issue(std::get<AssembledCommand>(std::move(result)));
  activity_ended();
}

// A command that the device cannot execute is issued all the same, and completes in its turn: commands before
// it may write what it would have written.
void CommandRing::issue(AssembledCommand command) {
  const PeCommand& whole = *command.slices.front().command;
  if (const auto* const overhead = std::get_if<OverheadCmd>(&whole))
    return client_.issue(*overhead, command.entries.front().tag);
  const bool is_refused = find_limit_error(whole, config_.limits).has_value();
  const CompletionId first = latest_ + 1;
  for (std::size_t index = 0; index < command.slices.size(); ++index) {
    IssueRequest request;
    request.slice = std::move(command.slices[index]);
    request.slice.completion = first + index;
    if (is_refused) request.slice.refusal = CompletionStatus::command_refused;
    request.is_primitive = !std::holds_alternative<CompositeCmd>(whole);
    latest_ = request.slice.completion;
    client_.issue(std::move(request), command.entries[index].tag);
  }
}

void CommandRing::fail(const CommandFault& fault, std::uint64_t address) {
  for (const EntryName& entry : fault.entries) client_.entry_failed({entry.tag, fault.status, address});
}

void CommandRing::stop(CompletionStatus status, std::uint64_t address) {
  activity_ = Activity::none;
  stopped_ = true;
  if (!enabled_) give_up_unfinished();
  client_.ring_stopped({0, status, address});
}

void CommandRing::activity_ended() {
  activity_ = Activity::none;
  if (!enabled_) give_up_unfinished();
  fetch_next();
  if (activity_ == Activity::none) client_.ring_idle();
}

}  // namespace petal
