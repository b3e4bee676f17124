// SPDX-License-Identifier: Apache-2.0
#include "petal/device/completion_ring.hpp"

#include <fmt/format.h>

#include <utility>

namespace petal {
namespace {

constexpr std::uint64_t kAlignment = 16;
constexpr std::uint32_t kMostRecords = 65536;

}  // namespace

std::optional<std::string> find_layout_error(const CompletionRingLayout& layout) {
  if (layout.size > kMostRecords)
    return fmt::format("CQ_SIZE is {}; it must be 0 to {}", layout.size, kMostRecords);
  if (layout.base % kAlignment != 0)
    return fmt::format("CQ_BASE {:#x} must be a multiple of {}", layout.base, kAlignment);
  if (layout.size * std::uint64_t{kCompletionRecordBytes} > UINT64_MAX - layout.base)
    return "the completion ring reaches past the end of the address space";
  return std::nullopt;
}

CompletionRing::CompletionRing(BusInitiator& bus, Posted posted, Failed failed)
    : bus_(bus), posted_(std::move(posted)), failed_(std::move(failed)) {}

void CompletionRing::enable(const CompletionRingLayout& layout) {
  layout_ = layout;
  head_ = tail_ = slot_ = 0;
}

void CompletionRing::post(std::uint32_t tag, CompletionStatus status, std::uint64_t fault_address) {
  const CompletionRecord record{0, tag, status, fault_address};
  if (layout_.size == 0) return posted_(record);
  waiting_.push_back(record);
  write_next();
}

void CompletionRing::write_next() {
  if (is_writing_ || waiting_.empty() || is_full()) return;
  is_writing_ = true;
  waiting_.front().number = tail_;
  request_.write(bus_, layout_.base + std::uint64_t{slot_} * kCompletionRecordBytes,
                 encode_completion_record(waiting_.front()),
                 [this](const MemoryRequest& request) { written(request); });
}

void CompletionRing::written(const MemoryRequest& request) {
  const CompletionRecord record = waiting_.front();
  waiting_.pop_front();
  is_writing_ = false;
  if (request.succeeded()) {
    ++tail_;
    slot_ = slot_ + 1 == layout_.size ? 0 : slot_ + 1;
    posted_(record);
  } else {
    failed_(record, request.fault_address);
  }
  write_next();
}

void CompletionRing::set_head(std::uint32_t head) {
  if (head - head_ > tail_ - head_) return;
  head_ = head;
  write_next();
}

void CompletionRing::reset() {
  layout_ = CompletionRingLayout();
  head_ = tail_ = slot_ = 0;
  waiting_.clear();
  is_writing_ = false;
}

}  // namespace petal
