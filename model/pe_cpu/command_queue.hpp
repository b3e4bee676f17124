// SPDX-License-Identifier: Apache-2.0
//
// CommandQueue: the channel from PE_CPU to PE_SCHEDULER. It has the sc_fifo interfaces, but its capacity is
// counted in logical bytes, so that a full queue depends on how large the commands are (SPEC 4).
//
// A write or a read takes effect at once; PE_CPU and PE_SCHEDULER see each other's through the calendar's
// fixed order within an instant. The sc_events serve processes of a host that uses the channel on its own.
#pragma once

#include <deque>
#include <functional>
#include <systemc>

#include "petal/calendar/calendar.hpp"
#include "petal/command/command_sink.hpp"
#include "petal/observe/event.hpp"

namespace petal {

/// What stands in the queue: a slice, and the sideband that is not part of its logical bytes.
struct QueueEntry {
  CommandSlice slice;
  Picoseconds pushed{0};
  CriticalPath path;  ///< that leads to the push
};
std::ostream& operator<<(std::ostream& out, const QueueEntry& entry);

/// The writing side. `num_free` counts bytes.
class CommandQueueOut : public virtual sc_core::sc_fifo_out_if<QueueEntry> {
 public:
  /// The path that led to the latest take: what released a CPU that stood before a full queue.
  virtual const CriticalPath& latest_take() const = 0;
};

/// The reading side. `num_available` counts entries.
class CommandQueueIn : public virtual sc_core::sc_fifo_in_if<QueueEntry> {
 public:
  /// The entry at the head, which keeps its bytes until it is taken; null when the queue is empty.
  virtual const QueueEntry* front() const = 0;
  /// Takes the head at the instant that `path` leads to. Precondition: the queue is not empty.
  virtual QueueEntry take(const CriticalPath& path) = 0;
};

class CommandQueue : public sc_core::sc_prim_channel, public CommandQueueOut, public CommandQueueIn {
 public:
  /// Observes fill levels. Unset by default.
  using LevelListener = std::function<void(std::uint64_t bytes, std::uint32_t entries)>;

  /// `calendar` is told to reconsider the CPU after a read and the scheduler after a write.
  CommandQueue(const char* name, Bytes capacity, Calendar& calendar);

  void set_level_listener(LevelListener listener) { level_listener_ = std::move(listener); }
  Bytes capacity() const { return capacity_; }
  /// Drops all entries.
  void clear();
  Bytes used() const { return used_; }

  // sc_fifo_out_if
  bool nb_write(const QueueEntry& entry) override;
  void write(const QueueEntry& entry) override;
  const sc_core::sc_event& data_read_event() const override { return read_event_; }
  int num_free() const override;

  // sc_fifo_in_if
  bool nb_read(QueueEntry& entry) override;
  void read(QueueEntry& entry) override;
  QueueEntry read() override;
  const sc_core::sc_event& data_written_event() const override { return written_event_; }
  int num_available() const override { return static_cast<int>(entries_.size()); }

  const QueueEntry* front() const override { return entries_.empty() ? nullptr : &entries_.front(); }
  QueueEntry take(const CriticalPath& path) override;
  const CriticalPath& latest_take() const override { return latest_take_; }

 private:
  void report_level() const;

  const Bytes capacity_;
  Calendar& calendar_;
  Bytes used_{0};
  std::deque<QueueEntry> entries_;
  CriticalPath latest_take_;
  LevelListener level_listener_;
  sc_core::sc_event read_event_;
  sc_core::sc_event written_event_;
};

}  // namespace petal
