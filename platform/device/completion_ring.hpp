// SPDX-License-Identifier: Apache-2.0
//
// CompletionRing: tells software which entries have ended, as records in a ring in memory. Without one (size
// 0) an entry counts as completed at once; with one, when its record has been written.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "petal/command/completion_record.hpp"
#include "petal/device/memory_request.hpp"

namespace petal {

/// Where it lies: the registers, as they were when the ring was enabled.
struct CompletionRingLayout {
  std::uint64_t base = 0;  ///< byte address of slot 0
  std::uint32_t size = 0;  ///< records; 0: no ring
};

/// What makes such a layout unusable, as one line, or nothing.
std::optional<std::string> find_layout_error(const CompletionRingLayout& layout);

class CompletionRing {
 public:
  /// An entry has completed: software can see its record, if there is a ring.
  using Posted = std::function<void(const CompletionRecord&)>;
  /// A record could not be written, at a byte address. It is lost.
  using Failed = std::function<void(const CompletionRecord&, std::uint64_t address)>;

  CompletionRing(BusInitiator& bus, Posted posted, Failed failed);

  /// Precondition: find_layout_error finds nothing.
  void enable(const CompletionRingLayout& layout);
  /// The entry with this tag has ended. Records are written one after the other, in the order of this.
  void post(std::uint32_t tag, CompletionStatus status, std::uint64_t fault_address);
  /// Software has read the records before `head`. Ignored unless that lies between what was said before and
  /// tail().
  void set_head(std::uint32_t head);
  /// Forgets all. The bus has been reset.
  void reset();

  std::uint32_t head() const { return head_; }
  std::uint32_t tail() const { return tail_; }
  /// Entries wait for room in the ring: software reads too slowly.
  bool is_blocked() const { return !waiting_.empty() && is_full(); }

 private:
  bool is_full() const { return tail_ - head_ == layout_.size; }
  void write_next();
  void written(const MemoryRequest& request);

  BusInitiator& bus_;
  const Posted posted_;
  const Failed failed_;
  CompletionRingLayout layout_;
  std::uint32_t head_ = 0;
  std::uint32_t tail_ = 0;
  std::uint32_t slot_ = 0;
  std::deque<CompletionRecord> waiting_;  // the first one is being written, if is_writing_
  bool is_writing_ = false;
  MemoryRequest request_;
};

}  // namespace petal
