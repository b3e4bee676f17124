// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_cpu/pe_cpu.hpp"

#include "petal/calendar/has_process.hpp"

namespace petal {
namespace {

/// Steps a program may be ahead of the issue unit: enough to make thread switches rare, few enough to bound
/// memory.
constexpr std::size_t kStepsAhead = 64;
constexpr std::size_t kProgramStackBytes = std::size_t{256} << 10U;

}  // namespace

/// The sink a program writes to.
class PeCpu::StepWriter : public CommandSink {
 public:
  explicit StepWriter(PeCpu& cpu) : cpu_(cpu) {}
  void issue(const IssueRequest& request) override { cpu_.add_step(request); }
  void wait(const std::vector<CompletionId>& completions) override { cpu_.add_step(WaitStep{completions}); }
  void overhead(const OverheadCmd& command) override { cpu_.add_step(command); }

 private:
  PeCpu& cpu_;
};

PeCpu::PeCpu(const sc_core::sc_module_name& name, const IssueUnitConfig& config, Calendar& calendar,
             CalendarDriver& driver, const EventStream& events, IssueUnit::Finished finished)
    : sc_module(name),
      queue("queue"),
      completion("completion"),
      calendar_(calendar),
      driver_(driver),
      issue_unit_(
          config, calendar, events, [this] { demanded_.notify(); }, std::move(finished)) {
  completion.bind(*this);
  PETAL_HAS_PROCESS(PeCpu);
  SC_THREAD(run_programs);
  set_stack_size(kProgramStackBytes);
}

void PeCpu::before_end_of_elaboration() {
  issue_unit_.bind(*dynamic_cast<CommandQueueOut*>(queue.get_interface()));
}

void PeCpu::launch(PeProgram program, Picoseconds at, const CriticalPath& path) {
  program_ = std::move(program);
  issue_unit_.begin(at, path);
  launched_.notify(sc_core::SC_ZERO_TIME);
  driver_.wake();
}

void PeCpu::feed(ProgramStep step, Picoseconds at) {
  issue_unit_.feed(std::move(step), at);
  driver_.wake();
}

void PeCpu::completed(const Completion& outcome, const CriticalPath& path) {
  issue_unit_.completed(outcome, path);
  if (listener_) listener_(outcome);
}

void PeCpu::rethrow_failure() const {
  if (failure_) std::rethrow_exception(failure_);
}

void PeCpu::run_programs() {
  for (;;) {
    if (!program_) wait(launched_);
    if (!program_) continue;
    run_program();
    program_ = nullptr;
  }
}

void PeCpu::run_program() {
  StepWriter writer(*this);
  try {
    program_(writer);
  } catch (const sc_core::sc_unwind_exception&) {
    throw;
  } catch (...) {
    failure_ = std::current_exception();
    sc_core::sc_stop();
    return;
  }
  issue_unit_.end_of_program();
  supply();
}

void PeCpu::add_step(ProgramStep step) {
  issue_unit_.add_step(std::move(step));
  if (issue_unit_.steps_ahead() < kStepsAhead) return;
  supply();
  wait(demanded_);
}

void PeCpu::supply() {
  calendar_.unblock();
  driver_.wake();
}

}  // namespace petal
