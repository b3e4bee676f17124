// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_cpu/command_queue.hpp"

#include <algorithm>
#include <limits>
#include <ostream>

namespace petal {

std::ostream& operator<<(std::ostream& out, const QueueEntry& entry) {
  return out << kind_name(*entry.slice.command) << " #" << entry.slice.completion;
}

CommandQueue::CommandQueue(const char* name, Bytes capacity, Calendar& calendar)
    : sc_prim_channel(name), capacity_(capacity), calendar_(calendar) {}

bool CommandQueue::nb_write(const QueueEntry& entry) {
  if (used_ + entry.slice.logical_bytes > capacity_) return false;
  used_ += entry.slice.logical_bytes;
  entries_.push_back(entry);
  report_level();
  calendar_.request(Calendar::Step::take);
  written_event_.notify();
  return true;
}

void CommandQueue::write(const QueueEntry& entry) {
  while (!nb_write(entry)) wait(read_event_);
}

int CommandQueue::num_free() const {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  return static_cast<int>(std::min(kMost, (capacity_ - used_).count()));
}

QueueEntry CommandQueue::take(const CriticalPath& path) {
  QueueEntry entry = std::move(entries_.front());
  entries_.pop_front();
  used_ -= entry.slice.logical_bytes;
  latest_take_ = path;
  report_level();
  calendar_.request(Calendar::Step::cpu);
  read_event_.notify();
  return entry;
}

void CommandQueue::clear() {
  entries_.clear();
  used_ = Bytes(0);
  latest_take_ = CriticalPath();
  report_level();
}

bool CommandQueue::nb_read(QueueEntry& entry) {
  if (entries_.empty()) return false;
  entry = take(CriticalPath(entries_.front().path));
  return true;
}

void CommandQueue::read(QueueEntry& entry) {
  while (!nb_read(entry)) wait(written_event_);
}

QueueEntry CommandQueue::read() {
  QueueEntry entry;
  read(entry);
  return entry;
}

void CommandQueue::report_level() const {
  if (level_listener_) level_listener_(used_.count(), static_cast<std::uint32_t>(entries_.size()));
}

}  // namespace petal
