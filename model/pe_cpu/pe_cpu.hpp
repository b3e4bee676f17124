// SPDX-License-Identifier: Apache-2.0
//
// PeCpu: the control processor of a PE. Its program is C++ code that must be suspended in the middle, so it
// runs in an SC_THREAD; the thread only produces steps, a bounded number ahead, and the IssueUnit gives them
// their times. A program learns nothing from the simulation, so running it ahead changes nothing.
#pragma once

#include <exception>
#include <systemc>

#include "petal/calendar/calendar_driver.hpp"
#include "petal/pe_cpu/completion_if.hpp"
#include "petal/pe_cpu/issue_unit.hpp"

namespace petal {

class PeCpu : public sc_core::sc_module, public CompletionIf {
 public:
  sc_core::sc_port<CommandQueueOut> queue;      ///< the command queue's writing side
  sc_core::sc_export<CompletionIf> completion;  ///< bound to PE_SCHEDULER's port

  /// `finished` is called when a launched program is over and all it issued has completed.
  PeCpu(const sc_core::sc_module_name& name, const IssueUnitConfig& config, Calendar& calendar,
        CalendarDriver& driver, const EventStream& events, IssueUnit::Finished finished);

  /// Runs `program` from calendar time `at`, which `path` leads to. Precondition: finished().
  void launch(PeProgram program, Picoseconds at, const CriticalPath& path);
  /// Takes steps by `feed` instead of from a program, from calendar time `at` on (IssueUnit::begin_open).
  void open(Picoseconds at) { issue_unit_.begin_open(at); }
  /// A step that is there from `at` on, no earlier than the calendar's present.
  void feed(ProgramStep step, Picoseconds at);
  /// Forgets what it was doing (IssueUnit::reset). Precondition: it does not run a program.
  void reset(CompletionId latest) { issue_unit_.reset(latest); }
  void set_step_listener(std::function<void()> listener) {
    issue_unit_.set_step_listener(std::move(listener));
  }
  void set_overhead_listener(std::function<void()> listener) {
    issue_unit_.set_overhead_listener(std::move(listener));
  }
  /// Called at each completion of a command of an open CPU.
  using CompletionListener = std::function<void(const Completion&)>;
  void set_completion_listener(CompletionListener listener) { listener_ = std::move(listener); }
  const IssueUnit& issue_unit() const { return issue_unit_; }
  bool finished() const { return issue_unit_.finished(); }
  /// Rethrows what the program threw, if it did.
  void rethrow_failure() const;
  /// What an unfinished CPU is waiting for.
  std::string describe() const { return issue_unit_.describe(); }

  void completed(const Completion& outcome, const CriticalPath& path) override;

 private:
  class StepWriter;

  void before_end_of_elaboration() override;
  void run_programs();
  void run_program();
  void add_step(ProgramStep step);
  void supply();

  Calendar& calendar_;
  CalendarDriver& driver_;
  PeProgram program_;
  CompletionListener listener_;
  std::exception_ptr failure_;
  sc_core::sc_event launched_;
  sc_core::sc_event demanded_;
  IssueUnit issue_unit_;
};

}  // namespace petal
