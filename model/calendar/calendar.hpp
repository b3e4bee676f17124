// SPDX-License-Identifier: Apache-2.0
//
// Calendar: the timed agenda of one PE, in its own picosecond ledger (SPEC 11.16).
//
// An instant is processed in a fixed order, so that no outcome depends on the order in which SystemC runs
// processes (SPEC 12.6): first all that is due, by (command, stage); then PE_CPU's pushes; then
// PE_SCHEDULER's takes; then arbitration of the engine ports; and again from the start until nothing is left
// to do at that instant. No SystemC here: CalendarDriver decides how far a calendar may run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "petal/command/units.hpp"

namespace petal {

class Calendar {
 public:
  Calendar() = default;
  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

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

  /// What `receiver` can be told of: `due(token)`. It is a part of whatever it happens to, so that making an
  /// appointment allocates nothing. It must stay where it is while it stands in a calendar.
  class Appointment {
   public:
    Appointment(Receiver& receiver, std::uint64_t token) : receiver_(&receiver), token_(token) {}
    Appointment(const Appointment&) = delete;
    Appointment& operator=(const Appointment&) = delete;

    /// From `schedule` until it is due.
    bool is_scheduled() const { return next_ != nullptr; }

   private:
    friend class Calendar;
    Appointment() = default;

    Picoseconds at_ = kNever;
    Appointment* next_ = nullptr;
    Order order_;
    Receiver* receiver_ = nullptr;
    std::uint64_t token_ = 0;
  };

  /// `reactor` must outlive the calendar's runs.
  void set_reactor(Step step, Reactor& reactor) { reactors_[static_cast<std::size_t>(step)] = &reactor; }

  /// Precondition: `at` is not before now(), and `appointment` is not scheduled.
  void schedule(Appointment& appointment, Picoseconds at, Order order);
  /// Forgets every appointment and every request: what they were for is no more. Whoever runs the calendar
  /// has to look at next_time() again (CalendarDriver::wake).
  void clear();
  /// The present is `to`, unless it is later already. Precondition: nothing is scheduled or requested before
  /// that.
  void advance(Picoseconds to) { now_ = std::max(now_, to); }
  /// Asks for `step` at the instant being processed (or, between instants, at now()).
  void request(Step step) { requested_ |= 1U << static_cast<unsigned>(step); }
  /// Stops processing until `unblock`: the CPU needs its program's next step before this instant can go on.
  void block() { blocked_ = true; }
  void unblock() { blocked_ = false; }
  bool blocked() const { return blocked_; }

  Picoseconds now() const { return now_; }
  /// The time of the next thing to do; kNever if there is none.
  Picoseconds next_time() const { return requested_ != 0 ? now_ : first_->at_; }
  /// Advances to next_time() and processes that instant, to its end or until blocked.
  void run_instant();

 private:
  static bool goes_first(const Order& order, const Order& other);
  void run_due();
  void run_requested();

  // The agenda: a sorted list, earliest first. A PE has about a dozen entries, and most new ones belong near
  // the front. `end_` is due never, so the list is never empty.
  Appointment end_;
  Appointment* first_ = &end_;
  Reactor* reactors_[3] = {nullptr, nullptr, nullptr};
  std::uint32_t requested_ = 0;
  bool blocked_ = false;
  Picoseconds now_{0};
};

}  // namespace petal
