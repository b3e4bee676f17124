// SPDX-License-Identifier: Apache-2.0
//
// CalendarDriver: the one SC_METHOD that runs the calendars of PEs that can influence each other.
//
// PEs with memories of their own each have a driver; PEs that share an HBM share one, which always runs the
// earliest instant, ties by PE: requests to the shared memory therefore arrive in an order that does not
// depend on the kernel. With Pacing::run_ahead the driver does not return to the kernel between instants,
// because nothing outside can interfere; with Pacing::lockstep each instant happens at its own simulated
// time. Results are identical (docs/decisions/0001).
#pragma once

#include <algorithm>
#include <systemc>
#include <vector>

#include "petal/calendar/calendar.hpp"
#include "petal/calendar/cpp_standard.hpp"
#include "petal/calendar/host_time.hpp"

namespace petal {

enum class Pacing : std::uint8_t { run_ahead, lockstep };

class CalendarDriver : public sc_core::sc_module {
 public:
  CalendarDriver(const sc_core::sc_module_name& name, Pacing pacing);

  /// `calendar` must outlive the simulation. Before the simulation starts.
  void drive(Calendar& calendar) { queue_.push_back({kNever, queue_.size(), &calendar}); }
  Pacing pacing() const { return pacing_; }
  /// The kernel's present in ledger time, for what reaches `calendar` from outside: never before its now(),
  /// though the host's clock may be coarser than the ledger. With Pacing::lockstep.
  Picoseconds present(const Calendar& calendar) const {
    return std::max(calendar.now(), host_time_.to_ledger(sc_core::sc_time_stamp()));
  }
  /// Something outside gave a calendar work: look again, within this simulated instant.
  void wake() {
    stale_ = true;
    wake_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  /// A calendar and the time of its next instant; ties go to the one that was added first.
  struct Entry {
    Picoseconds next;
    std::size_t index;
    Calendar* calendar;
  };

  static bool is_later(const Entry& a, const Entry& b);
  void run();
  void run_first();
  Picoseconds next_of_others() const;
  void rebuild();
  void sink_first();
  void sleep_until(Picoseconds time);

  const Pacing pacing_;
  const HostTime host_time_;
  std::vector<Entry> queue_;  // a binary heap, earliest first
  bool stale_ = true;         // times may have changed behind the heap's back
  Picoseconds reached_{0};
  sc_core::sc_event wake_;
};

}  // namespace petal
