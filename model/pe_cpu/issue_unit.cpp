// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_cpu/issue_unit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace petal {

IssueUnit::IssueUnit(const IssueUnitConfig& config, Calendar& calendar, const EventStream& events,
                     Demand demand, Finished finished)
    : config_(config),
      calendar_(calendar),
      events_(events),
      demand_(std::move(demand)),
      finished_(std::move(finished)),
      activity_ends_(*this, 0) {
  calendar_.set_reactor(Calendar::Step::cpu, *this);
}

void IssueUnit::begin(Picoseconds at, const CriticalPath& path) {
  program_ended_ = false;
  path_ = path;
  activity_ = Activity::starting;
  calendar_.schedule(activity_ends_, at, Calendar::kAfterCompletions);
}

void IssueUnit::begin_open(Picoseconds at) {
  is_open_ = true;
  path_ = CriticalPath();
  path_.add(PathCause::host, at);
  enter(Activity::open);
}

void IssueUnit::feed(ProgramStep step, Picoseconds at) {
  steps_.push_back(std::move(step));
  if (activity_ == Activity::open && !activity_ends_.is_scheduled())
    calendar_.schedule(activity_ends_, at, Calendar::kAfterCompletions);
}

// What the CPU was without until now was a command from the host.
void IssueUnit::resume_from_open() {
  path_.add(PathCause::host, calendar_.now() - path_.total());
  activity_ = Activity::ready;
}

void IssueUnit::reset(CompletionId latest) {
  steps_.clear();
  awaited_.clear();
  completions_.restart_after(latest);
  in_hand_ = QueueEntry();
  program_ended_ = is_open_ = stood_before_full_queue_ = false;
  dispatched_bytes_ = Bytes(0);
  dispatched_cycles_ = Cycles(0.0);
  enter(Activity::idle);
}

void IssueUnit::due(std::uint64_t) {
  if (activity_ == Activity::open) {
    resume_from_open();
  } else if (activity_ == Activity::dispatching) {
    since_ = calendar_.now();
    stood_before_full_queue_ = false;
    activity_ = Activity::queue_full;
  } else {
    if (activity_ == Activity::overhead && overhead_ended_) overhead_ended_();
    activity_ = Activity::ready;
  }
  run();
}

void IssueUnit::react(Calendar::Step) {
  run();
}

void IssueUnit::completed(const Completion& completion, const CriticalPath& path) {
  completions_.completed(completion.id);
  if (activity_ != Activity::waiting) return;
  release_path_ = path;
  calendar_.request(Calendar::Step::cpu);
}

// One activity after another until one of them takes time or waits for somebody else.
void IssueUnit::run() {
  for (;;) {
    switch (activity_) {
      case Activity::ready:
        if (!take_next_step()) return;
        break;
      case Activity::queue_full:
        if (!push()) return;
        break;
      case Activity::waiting:
        if (still_waiting()) return;
        path_ = release_path_;
        activity_ = Activity::ready;
        break;
      default:
        return;
    }
  }
}

bool IssueUnit::take_next_step() {
  if (steps_.empty()) {
    if (is_open_) {
      enter(Activity::open);
      return false;
    }
    if (program_ended_) return drain();
    calendar_.block();
    calendar_.request(Calendar::Step::cpu);
    demand_();
    return false;
  }
  return std::visit([this](auto& step) { return start(step); }, steps_.front());
}

bool IssueUnit::awaits(const IssueRequest& request) const {
  switch (config_.cpu.auto_await) {
    case AutoAwait::primitive:
      return request.is_primitive;
    case AutoAwait::all:
      return true;
    case AutoAwait::none:
      return false;
  }
  return false;
}

void IssueUnit::step_begun() {
  steps_.pop_front();
  if (step_begun_) step_begun_();
}

bool IssueUnit::start(IssueRequest& request) {
  if (awaits(request) && wait_for(request.pending_inputs)) return false;
  in_hand_.slice = std::move(request.slice);
  step_begun();
  dispatch(in_hand_.slice);
  return false;
}

bool IssueUnit::start(const WaitStep& step) {
  if (wait_for(step.completions)) return false;
  step_begun();
  return true;
}

bool IssueUnit::start(const OverheadCmd& command) {
  in_hand_.slice = CommandSlice{};
  in_hand_.slice.command = std::make_shared<const PeCommand>(command);
  const Cycles cycles(static_cast<double>(command.cycles));
  step_begun();
  spend(cycles, PathCause::overhead, in_hand_.slice, Activity::overhead);
  return false;
}

// True if the CPU has to wait; the step stays at the front and is started again afterwards.
bool IssueUnit::wait_for(const std::vector<CompletionId>& completions) {
  awaited_ = completions;
  if (!still_waiting()) return false;
  enter(Activity::waiting);
  return true;
}

bool IssueUnit::still_waiting() const {
  return std::any_of(awaited_.begin(), awaited_.end(),
                     [this](CompletionId completion) { return !completions_.is_complete(completion); });
}

void IssueUnit::dispatch(const CommandSlice& slice) {
  completions_.issued(slice.completion);
  const Cycles cycles = dispatch_cycles(config_.cost, slice.logical_bytes);
  dispatched_bytes_ += slice.logical_bytes;
  dispatched_cycles_ += cycles;
  spend(cycles, PathCause::dispatch, slice, Activity::dispatching);
}

void IssueUnit::spend(Cycles cycles, PathCause cause, const CommandSlice& slice, Activity activity) {
  const Picoseconds start = calendar_.now();
  const Picoseconds duration = config_.clock.duration_of(cycles);
  enter(activity);
  if (!events_.empty())
    events_.report(&Observer::on_dispatch, DispatchEvent{config_.pe, slice, cycles, start, start + duration});
  path_.add(cause, duration);
  calendar_.schedule(activity_ends_, start + duration, Calendar::kAfterCompletions);
}

bool IssueUnit::push() {
  const Picoseconds now = calendar_.now();
  if (stood_before_full_queue_) path_ = queue_->latest_take();
  in_hand_.pushed = now;
  in_hand_.path = path_;
  if (!queue_->nb_write(in_hand_)) {
    if (!stood_before_full_queue_) enter(Activity::queue_full);
    stood_before_full_queue_ = true;
    return false;
  }
  // At one instant pushes come before takes; a queue that has room again within it has kept nobody.
  if (stood_before_full_queue_ && since_ < now && !events_.empty())
    events_.report(&Observer::on_queue_wait, QueueWaitEvent{config_.pe, in_hand_.slice, since_, now});
  activity_ = Activity::ready;
  return true;
}

// The end of a program waits for everything it issued.
bool IssueUnit::drain() {
  if (!completions_.all_complete()) {
    awaited_ = {completions_.last_issued()};
    if (!still_waiting()) awaited_ = {completions_.first_outstanding()};
    enter(Activity::waiting);
    return false;
  }
  enter(Activity::idle);
  if (!events_.empty()) events_.report(&Observer::on_finish, FinishEvent{config_.pe, calendar_.now(), path_});
  finished_(path_);
  return false;
}

void IssueUnit::enter(Activity activity) {
  activity_ = activity;
  if (events_.empty()) return;
  const auto state = [activity] {
    switch (activity) {
      case Activity::dispatching:
        return CpuState::dispatching;
      case Activity::queue_full:
        return CpuState::queue_full;
      case Activity::waiting:
        return CpuState::waiting;
      case Activity::overhead:
        return CpuState::overhead;
      default:
        return CpuState::idle;
    }
  }();
  events_.report(&Observer::on_cpu_state, CpuStateEvent{config_.pe, state, calendar_.now()});
}

std::string IssueUnit::describe() const {
  switch (activity_) {
    case Activity::waiting:
      for (const CompletionId completion : awaited_)
        if (!completions_.is_complete(completion))
          return fmt::format("PE_CPU waits for the completion of command {}{}", completion,
                             completion > completions_.last_issued() ? ", which was never issued" : "");
      return "PE_CPU waits";
    case Activity::queue_full:
      return fmt::format("PE_CPU waits for room in the command queue for command {}",
                         in_hand_.slice.completion);
    case Activity::idle:
    case Activity::open:
      return "PE_CPU is idle";
    default:
      return "PE_CPU is at work";
  }
}

}  // namespace petal
