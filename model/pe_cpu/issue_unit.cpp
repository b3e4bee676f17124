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

void IssueUnit::due(std::uint64_t) {
  if (activity_ == Activity::dispatching) {
    since_ = calendar_.now();
    stood_before_full_queue_ = false;
    activity_ = Activity::queue_full;
  } else {
    activity_ = Activity::ready;
  }
  run();
}

void IssueUnit::react(Calendar::Step) {
  run();
}

void IssueUnit::completed(CompletionId completion, const CriticalPath& path) {
  completions_.completed(completion);
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

bool IssueUnit::start(IssueRequest& request) {
  if (awaits(request) && wait_for(request.pending_inputs)) return false;
  in_hand_.slice = std::move(request.slice);
  steps_.pop_front();
  dispatch(in_hand_.slice);
  return false;
}

bool IssueUnit::start(const WaitStep& step) {
  if (wait_for(step.completions)) return false;
  steps_.pop_front();
  return true;
}

bool IssueUnit::start(const OverheadCmd& command) {
  in_hand_.slice = CommandSlice{};
  in_hand_.slice.command = std::make_shared<const PeCommand>(command);
  const Cycles cycles(static_cast<double>(command.cycles));
  steps_.pop_front();
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
  spend(dispatch_cycles(config_.cost, slice.logical_bytes), PathCause::dispatch, slice,
        Activity::dispatching);
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
      return "PE_CPU is idle";
    default:
      return "PE_CPU is at work";
  }
}

}  // namespace petal
