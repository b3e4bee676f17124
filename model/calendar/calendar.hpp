// SPDX-License-Identifier: Apache-2.0
//
// Calendar: the timed agenda of one PE, in its own picosecond ledger (SPEC 11.16).
//
// An instant is processed in a fixed order, so that no outcome depends on the order in which SystemC runs
// processes (SPEC 12.6): first all that is due, by (command, stage); then PE_CPU's pushes; then
// PE_SCHEDULER's takes; then arbitration of the engine ports; and again from the start until nothing is left
// to do at that instant. No SystemC here: CalendarDriver decides how far a calendar may run.
#pragma once

#include <cstdint>
#include <vector>

#include "petal/command/units.hpp"

namespace petal {

class Calendar {
 public:
  /// Something that happens at a time.
  class Receiver {
   public:
    virtual ~Receiver() = default;
    /// The appointment made with `token` is due: calendar.now() is its time.
    virtual void due(std::uint64_t token) = 0;
  };

  /// Something to reconsider within an instant; their order is the order of the enumerators.
  enum class Step : std::uint8_t { cpu, take, arbitrate };

  class Reactor {
   public:
    virtual ~Reactor() = default;
    virtual void react(Step step) = 0;
  };

  /// Where an appointment stands among those of the same time.
  struct Order {
    std::uint64_t command = 0;
    std::uint64_t stage = 0;
  };
  /// Behind every completion of the same instant.
  static constexpr Order kAfterCompletions{UINT64_MAX, UINT64_MAX};

  /// `reactor` must outlive the calendar's runs.
  void set_reactor(Step step, Reactor& reactor) { reactors_[static_cast<std::size_t>(step)] = &reactor; }

  /// Precondition: `at` is not before now().
  void schedule(Picoseconds at, Order order, Receiver& receiver, std::uint64_t token);
  /// Asks for `step` at the instant being processed (or, between instants, at now()).
  void request(Step step) { requested_ |= 1U << static_cast<unsigned>(step); }
  /// Stops processing until `unblock`: the CPU needs its program's next step before this instant can go on.
  void block() { blocked_ = true; }
  void unblock() { blocked_ = false; }
  bool blocked() const { return blocked_; }

  Picoseconds now() const { return now_; }
  /// The time of the next thing to do; kNever if there is none.
  Picoseconds next_time() const {
    if (requested_ != 0) return now_;
    return times_.empty() ? kNever : times_.back();
  }
  /// Advances to next_time() and processes that instant, to its end or until blocked.
  void run_instant();

 private:
  struct Appointment {
    Order order;
    Receiver* receiver;
    std::uint64_t token;
  };

  static bool goes_first(const Order& order, const Order& other);
  std::uint32_t free_slot();
  bool run_due();
  void run_requested();

  // The agenda, sorted, earliest last; a PE has about a dozen entries. Insertion moves times and slot
  // numbers, each in an array of its own: a pair, written in halves and moved as a whole, would stall the
  // processor.
  std::vector<Picoseconds> times_;
  std::vector<std::uint32_t> slots_;
  std::vector<Appointment> appointments_;  // by slot
  std::vector<std::uint32_t> free_slots_;
  Reactor* reactors_[3] = {nullptr, nullptr, nullptr};
  std::uint32_t requested_ = 0;
  bool blocked_ = false;
  Picoseconds now_{0};
};

}  // namespace petal
