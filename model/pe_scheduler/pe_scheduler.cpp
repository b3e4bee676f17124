// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/pe_scheduler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "petal/command/error.hpp"

namespace petal {
namespace {

constexpr const char* kMessageType = "/petal/pe_scheduler";

// Tokens of the calendar: a stage has ended, by its index in the pool; a command is planned; a port is free.
constexpr std::uint64_t kPlanned = std::uint64_t{1} << 32U;
constexpr std::uint64_t kFirstPort = kPlanned + 1;

}  // namespace

PeScheduler::PeScheduler(const sc_core::sc_module_name& name, const PeSchedulerSetup& setup,
                         Calendar& calendar, CalendarDriver& driver, const EventStream& events)
    : sc_module(name),
      queue("queue"),
      completion("completion"),
      dma("dma"),
      fetch_store("fetch_store"),
      gemm("gemm"),
      math("math"),
      setup_(setup),
      calendar_(calendar),
      driver_(driver),
      events_(events),
      staging_(setup.scheduler, setup.tcm),
      pool_(*this),
      planned_(*this, kPlanned) {
  for (std::size_t port = 0; port < kEnginePorts; ++port) wakes_.emplace_back(*this, kFirstPort + port);
  for (EngineSocket* const socket : {&dma, &fetch_store, &gemm, &math}) socket->bind(*this);
  for (const EnginePort port : {EnginePort::dma_read, EnginePort::dma_write})
    arbiters_[static_cast<std::size_t>(port)] = PortArbiter(setup.dma_outstanding);
  for (std::uint32_t run = 0; run < setup.scheduler.max_in_flight; ++run)
    runs_.push_back(std::make_unique<CommandRun>(run, setup_.scheduler, staging_, *this));
  calendar_.set_reactor(Calendar::Step::take, *this);
  calendar_.set_reactor(Calendar::Step::arbitrate, *this);
}

void PeScheduler::before_end_of_elaboration() {
  queue_ = dynamic_cast<CommandQueueIn*>(queue.get_interface());
}

void PeScheduler::end_of_elaboration() {
  for (const StageKind kind : {StageKind::dma_read, StageKind::fetch, StageKind::gemm, StageKind::math,
                               StageKind::store, StageKind::dma_write}) {
    EngineSocket& socket = socket_of(kind);
    engines_[static_cast<std::size_t>(port_of(kind))] = socket.size() == 0 ? nullptr : socket[0];
  }
}

void PeScheduler::react(Calendar::Step step) {
  if (step == Calendar::Step::arbitrate) return serve_ports();
  take_commands();
  if (!events_.empty()) report_state();
}

// --- Taking commands ---

void PeScheduler::take_commands() {
  while (const QueueEntry* const entry = queue_->front()) {
    if (planner_free_ > calendar_.now()) return;
    if (!head_.has_ranges) collect_hazard_ranges(entry->slice, hazards_.candidate());
    head_.has_ranges = true;
    if (!may_take(entry->slice)) return;
    take();
  }
}

bool PeScheduler::may_take(const CommandSlice& slice) {
  if (head_.drains && hazards_.in_flight() != 0) return false;
  if (slice.segment > 0 && hazards_.is_in_flight(slice.completion - 1)) {
    if (!head_.held) hold(HeadWait::segment, {slice.completion - 1});
    return false;
  }
  if (hazards_.has_conflict(hazards_.candidate())) {
    head_.drains = std::holds_alternative<CompositeCmd>(*slice.command);
    if (!head_.held)
      hold(HeadWait::hazard, head_.drains ? hazards_.all() : hazards_.conflicts(hazards_.candidate()));
    return false;
  }
  if (hazards_.in_flight() >= setup_.scheduler.max_in_flight) {
    if (!head_.held) hold(HeadWait::window, hazards_.all());
    return false;
  }
  return true;
}

void PeScheduler::hold(HeadWait reason, std::vector<CompletionId> waits_on) {
  head_.held = true;
  head_.reason = reason;
  head_.waits_on = std::move(waits_on);
}

void PeScheduler::take() {
  const Picoseconds now = calendar_.now();
  const QueueEntry& front = *queue_->front();
  CriticalPath path = front.pushed == now ? front.path : latest_path_;
  const Picoseconds arrived = std::max(front.pushed, latest_take_);
  QueueEntry entry = queue_->take(path);
  if (!events_.empty()) report_take(entry, arrived, path);
  const CompletionId id = entry.slice.completion;
  const CompletionStatus refusal = refusal_of(entry.slice);
  if (refusal == CompletionStatus::ok && !failed_data_.empty()) failed_data_.begin(hazards_.candidate());
  hazards_.add_candidate(id);
  head_.has_ranges = head_.held = head_.drains = false;
  head_.waits_on.clear();
  latest_take_ = now;
  CommandRun& run = idle_run();
  run.load(std::move(entry.slice), now);
  if (refusal != CompletionStatus::ok) {
    run.fail(refusal, 0);
    return finish_run(run, path);
  }
  const Cycles plan(setup_.scheduler.plan_cycles_per_op * static_cast<double>(run.op_count()));
  const Picoseconds planned = setup_.clock.duration_of(plan);
  path.add(PathCause::plan, planned);
  if (planned == Picoseconds(0)) return begin_run(run, path);
  planner_free_ = now + planned;
  planned_run_ = &run;
  planned_path_ = path;
  calendar_.schedule(planned_, planner_free_, {id, 0});
}

/// Segments of a composite run one after another: the one before has ended, and nothing later has failed
/// since.
CompletionStatus PeScheduler::refusal_of(const CommandSlice& slice) {
  if (slice.refusal != CompletionStatus::ok) return slice.refusal;
  const bool depends_on_failure = (slice.segment > 0 && failed_segment_ == slice.completion - 1) ||
                                  (!failed_data_.empty() && failed_data_.is_read_by(hazards_.candidate()));
  return depends_on_failure ? CompletionStatus::dependency_failed : CompletionStatus::ok;
}

void PeScheduler::report_take(const QueueEntry& entry, Picoseconds arrived,
                              const CriticalPath& path) {
  const Picoseconds now = calendar_.now();
  if (head_.held)
    events_.report(&Observer::on_hazard_wait,
                   HazardWaitEvent{setup_.pe, entry.slice, head_.reason, head_.waits_on, arrived, now});
  events_.report(&Observer::on_take, TakeEvent{setup_.pe, entry.slice, entry.pushed, now, path});
}

// Takes follow everything that changes it, so it is told once an instant has come to them.
void PeScheduler::report_state() {
  SchedulerStateEvent event;
  event.pe = setup_.pe;
  event.at = calendar_.now();
  event.in_flight = static_cast<std::uint32_t>(hazards_.in_flight());
  event.state = event.in_flight == 0 ? SchedulerState::idle : SchedulerState::running;
  if (planner_free_ > event.at) {
    event.state = SchedulerState::planning;
  } else if (head_.held) {
    event.state = state_for(head_.reason);
    event.held = queue_->front()->slice.completion;
  }
  if (event.state == reported_state_.state && event.in_flight == reported_state_.in_flight &&
      event.held == reported_state_.held)
    return;
  reported_state_ = event;
  events_.report(&Observer::on_scheduler_state, event);
}

CommandRun& PeScheduler::idle_run() {
  return **std::find_if(runs_.begin(), runs_.end(), [](const auto& run) { return run->idle(); });
}

void PeScheduler::begin_run(CommandRun& run, const CriticalPath& path) {
  run.begin(path);
  if (run.done()) finish_run(run, path);
}

void PeScheduler::finish_run(CommandRun& run, const CriticalPath& path) {
  const Completion outcome = run.outcome();
  hazards_.remove(outcome.id);
  if (run.failed()) failed_data_.add(hazard_ranges(run.slice()));
  if (run.failed() && run.slice().segment + 1 < run.slice().segments) failed_segment_ = outcome.id;
  if (!events_.empty())
    events_.report(&Observer::on_complete,
                   CompleteEvent{setup_.pe, run.slice(), run.taken(), calendar_.now(), path, outcome.status});
  run.retire();
  latest_path_ = path;
  completion->completed(outcome, path);
  calendar_.request(Calendar::Step::take);
}

// --- Serving stages ---

Stage& PeScheduler::prepare() {
  prepared_ = &pool_.acquire();
  prepared_->stage().reset();
  return prepared_->stage();
}

void PeScheduler::submit(const CriticalPath& path) {
  prepared_->ready = calendar_.now();
  prepared_->path = path;
  runs_[prepared_->stage().run]->stage_submitted();
  const std::size_t port = arbiter_index(prepared_->stage().kind);
  arbiters_[port].add(*prepared_);
  request_service(port);
}

std::size_t PeScheduler::arbiter_index(StageKind kind) const {
  const EnginePort port = port_of(kind);
  const bool shares = setup_.compute_slot == ComputeSlot::shared && port == EnginePort::math;
  return static_cast<std::size_t>(shares ? EnginePort::gemm : port);
}

void PeScheduler::request_service(std::size_t index) {
  to_serve_ |= 1U << index;
  calendar_.request(Calendar::Step::arbitrate);
}

PeScheduler::EngineSocket& PeScheduler::socket_of(StageKind kind) {
  switch (kind) {
    case StageKind::dma_read:
    case StageKind::dma_write:
      return dma;
    case StageKind::fetch:
    case StageKind::store:
      return fetch_store;
    case StageKind::gemm:
      return gemm;
    case StageKind::math:
      break;
  }
  return math;
}

void PeScheduler::serve_ports() {
  std::uint32_t ports = to_serve_;
  to_serve_ = 0;
  for (; ports != 0; ports &= ports - 1) serve(static_cast<std::size_t>(__builtin_ctz(ports)));
}

void PeScheduler::serve(std::size_t index) {
  PortArbiter& port = arbiters_[index];
  const Picoseconds now = calendar_.now();
  while (StageTransaction* const transaction = port.next(now)) start(*transaction, port);
  if (port.has_ready()) wake_when_free(index);
}

void PeScheduler::wake_when_free(std::size_t index) {
  const Picoseconds wake = arbiters_[index].wake_time(calendar_.now());
  if (wake != kNever && !wakes_[index].is_scheduled())
    calendar_.schedule(wakes_[index], wake, Calendar::kAfterCompletions);
}

void PeScheduler::start(StageTransaction& transaction, PortArbiter& port) {
  const EnginePort engine_port = port_of(transaction.stage().kind);
  tlm::tlm_fw_transport_if<>* const engine = engines_[static_cast<std::size_t>(engine_port)];
  transaction.extension.start = calendar_.now();
  transaction.in_phases = false;
  if (transaction.stage().waited_for_slot) charge_slot(transaction, port);
  if (engine == nullptr) {
    if (setup_.on_failure == OnFailure::stop_simulation)
      fail(transaction, "the PE has no such engine; add it to the PE's `engines`");
    return refuse(transaction, port);
  }
  if (send(transaction, *engine) == tlm::TLM_COMPLETED) return answered_at_once(transaction, port);
  transaction.in_phases = true;
  port.started_open();
  if (!events_.empty()) report_begin(transaction);
}

tlm::tlm_sync_enum PeScheduler::send(StageTransaction& transaction, tlm::tlm_fw_transport_if<>& engine) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  CommandRun& run = *runs_[transaction.stage().run];
  const bool carries_data =
      setup_.data_mode && setup_.dma_in_phases && transaction.stage().kind == StageKind::dma_write;
  if (!carries_data || !run.computes()) return engine.nb_transport_fw(transaction, phase, delay);
  const StageData data = run.data_of(transaction.stage());
  transaction.extension.data = &data;
  const tlm::tlm_sync_enum answer = engine.nb_transport_fw(transaction, phase, delay);
  transaction.extension.data = nullptr;
  return answer;
}

void PeScheduler::answered_at_once(StageTransaction& transaction, PortArbiter& port) {
  if (!transaction.is_response_ok()) {
    if (setup_.on_failure == OnFailure::stop_simulation) fail_refused(transaction);
    return refuse(transaction, port);
  }
  const StageTiming timing = transaction.extension.timing;
  charge(transaction);
  port.started(timing.busy_end);
  if (!events_.empty()) report(transaction);
  const Stage& stage = transaction.stage();
  calendar_.schedule(transaction.end, timing.end, {stage.command, stage.number});
}

// The stage ends as soon as it has started, and its command fails with it.
void PeScheduler::refuse(StageTransaction& transaction, PortArbiter& port) {
  const Picoseconds now = calendar_.now();
  if (transaction.is_response_ok() || transaction.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  port.started(now);
  calendar_.schedule(transaction.end, now, {transaction.stage().command, transaction.stage().number});
}

/// The stage's part of the critical path: the wait for its port, its work, and the memory's latency.
void PeScheduler::charge(StageTransaction& transaction) {
  const StageTiming& timing = transaction.extension.timing;
  transaction.path.add(cause_of(port_of(transaction.stage().kind)), timing.busy_end - transaction.ready);
  transaction.path.add(PathCause::dma_latency, timing.end - timing.busy_end);
}

/// The DMA channel stood idle until a staging slot became free: with one more, the latency before would have
/// been hidden for as long.
void PeScheduler::charge_slot(StageTransaction& transaction, const PortArbiter& port) {
  const Picoseconds idle = calendar_.now() - port.free_at();
  if (idle > Picoseconds(0)) transaction.path.relabel(PathCause::dma_latency, PathCause::staging_slot, idle);
}

// --- An engine that answers by phases ---

tlm::tlm_sync_enum PeScheduler::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time&) {
  auto& transaction = static_cast<StageTransaction&>(payload);
  const Picoseconds at = driver_.present(calendar_);
  if (phase == tlm::END_REQ) {
    port_freed(transaction, at);
  } else if (phase == tlm::BEGIN_RESP) {
    transaction.extension.timing.end = at;
    calendar_.schedule(transaction.end, at, {transaction.stage().command, transaction.stage().number});
  }
  driver_.wake();
  return tlm::TLM_ACCEPTED;
}

void PeScheduler::port_freed(StageTransaction& transaction, Picoseconds at) {
  const std::size_t index = arbiter_index(transaction.stage().kind);
  transaction.extension.timing.busy_end = at;
  arbiters_[index].freed(at);
  if (!events_.empty()) {
    const Stage& stage = transaction.stage();
    events_.report(&Observer::on_port_free,
                   PortFreeEvent{setup_.pe, port_of(stage.kind), stage.command, stage.number, at});
  }
  if (!arbiters_[index].has_ready()) return;
  if (at > calendar_.now())
    wake_when_free(index);
  else
    request_service(index);
}

void PeScheduler::due(std::uint64_t token) {
  if (token < kPlanned) return stage_ended(pool_.at(token));
  if (token >= kFirstPort) return request_service(static_cast<std::size_t>(token - kFirstPort));
  planning_ended();
}

void PeScheduler::planning_ended() {
  latest_path_ = planned_path_;
  calendar_.request(Calendar::Step::take);
  begin_run(*planned_run_, planned_path_);
}

void PeScheduler::stage_ended(StageTransaction& transaction) {
  const Stage& stage = transaction.stage();
  const std::size_t port = arbiter_index(stage.kind);
  arbiters_[port].ended();
  if (arbiters_[port].has_ready()) request_service(port);
  CommandRun& run = *runs_[stage.run];
  run.stage_left();
  if (transaction.in_phases) charge(transaction);
  if (!events_.empty()) {
    if (transaction.in_phases)
      report(transaction);
    else if (transaction.is_response_ok())
      report_end(stage);
  }
  carry_on(run, transaction);
  if (transaction.in_phases) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    engines_[static_cast<std::size_t>(port_of(stage.kind))]->nb_transport_fw(transaction, phase, delay);
  }
  transaction.release();
}

void PeScheduler::carry_on(CommandRun& run, StageTransaction& transaction) {
  const Stage& stage = transaction.stage();
  if (!run.failed() && !transaction.is_response_ok()) {
    if (setup_.on_failure == OnFailure::stop_simulation) fail_refused(transaction);
    const bool is_transfer = stage.kind == StageKind::dma_read || stage.kind == StageKind::dma_write;
    fail_run(run, is_transfer ? CompletionStatus::transfer_error : CompletionStatus::execution_error,
             transaction.extension.fault_address);
  }
  if (!run.failed() && setup_.data_mode && run.computes() && !compute(run, transaction))
    fail_run(run, CompletionStatus::execution_error, 0);
  if (!run.failed()) run.stage_ended(stage, transaction.path);
  if (run.failed() ? !run.has_stages_under_way() : run.done()) finish_run(run, transaction.path);
}

// Stages that are ready do not begin; those under way come to their end.
void PeScheduler::fail_run(CommandRun& run, CompletionStatus status, std::uint64_t address) {
  run.fail(status, address);
  const auto index = static_cast<std::uint32_t>(
      std::find_if(runs_.begin(), runs_.end(), [&](const auto& other) { return other.get() == &run; }) -
      runs_.begin());
  for (PortArbiter& port : arbiters_)
    port.remove_ready(index, [&run](StageTransaction& transaction) {
      run.stage_left();
      transaction.release();
    });
}

/// True if the engine has computed what the stage stands for.
bool PeScheduler::compute(CommandRun& run, StageTransaction& transaction) {
  const StageData data = run.data_of(transaction.stage());
  transaction.extension.data = &data;
  try {
    socket_of(transaction.stage().kind)->transport_dbg(transaction);
  } catch (const std::exception& problem) {
    if (setup_.on_failure == OnFailure::stop_simulation) fail(transaction, problem.what());
    return false;
  }
  transaction.extension.data = nullptr;
  return true;
}

void PeScheduler::reset() {
  hazards_.clear();
  failed_data_.clear();
  failed_segment_ = kNoCompletion;
  head_ = Head();
  reported_state_ = SchedulerStateEvent();
  latest_take_ = planner_free_ = Picoseconds(0);
  planned_run_ = nullptr;
  prepared_ = nullptr;
  for (PortArbiter& port : arbiters_) port.clear();
  for (const auto& run : runs_)
    if (!run->idle()) run->retire();
  pool_.reclaim();
  to_serve_ = 0;
}

StageEvent PeScheduler::event_of(const StageTransaction& transaction) const {
  const Stage& stage = transaction.extension.stage;
  const CommandRun& run = *runs_[stage.run];
  const StageRanges ranges = ranges_of(run.views_of(stage));
  StageEvent event;
  event.pe = setup_.pe;
  event.command = stage.command;
  event.segment = run.slice().segment;
  event.segments = run.slice().segments;
  event.stage = stage.number;
  event.kind = stage.kind;
  event.op = run.op_name_of(stage);
  event.opcode = run.opcode_of(stage);
  event.in_phases = transaction.in_phases;
  event.op_index = stage.op_index;
  event.has_tile = stage.has_tile;
  if (stage.has_tile) event.tile = stage.tile;
  event.bytes = stage.bytes;
  event.elements = stage.elements;
  if (stage.kind == StageKind::gemm) event.macs = stage.extent.m * stage.extent.k * stage.extent.n;
  event.reads = ranges.reads;
  event.read_count = ranges.read_count;
  event.writes = ranges.writes;
  event.write_count = ranges.write_count;
  event.start = transaction.extension.start;
  event.busy_end = transaction.extension.timing.busy_end;
  event.end = transaction.extension.timing.end;
  return event;
}

void PeScheduler::report(const StageTransaction& transaction) {
  events_.report(&Observer::on_stage, event_of(transaction));
}

void PeScheduler::report_end(const Stage& stage) {
  events_.report(&Observer::on_stage_end, StageEndEvent{setup_.pe, stage.kind, stage.command, stage.number,
                                                        stage.bytes, calendar_.now()});
}

void PeScheduler::report_begin(const StageTransaction& transaction) {
  StageEvent event = event_of(transaction);
  event.busy_end = event.end = kNever;
  events_.report(&Observer::on_stage_begin, event);
}

void PeScheduler::fail_refused(const StageTransaction& transaction) const {
  const AccessPattern& access = transaction.extension.stage.access;
  fail(transaction,
       fmt::format("HBM address {:#x} + {} bytes: {}; check hbm.capacity and the tensor's address",
                   access.address, access.extent(), transaction.get_response_string()));
}

void PeScheduler::fail(const StageTransaction& transaction, std::string_view problem) const {
  const Stage& stage = transaction.extension.stage;
  const std::string message =
      fmt::format("{}: command {} ({}) needs {}: {}", name(), stage.command,
                  kind_name(*runs_[stage.run]->slice().command), name_of(stage.kind), problem);
  SC_REPORT_ERROR(kMessageType, message.c_str());
  throw SimulationError(message);
}

std::vector<std::string> PeScheduler::describe_outstanding() const {
  std::vector<std::string> lines;
  for (const CompletionId id : hazards_.all()) lines.push_back(fmt::format("command {} is in flight", id));
  if (const QueueEntry* const entry = queue_ == nullptr ? nullptr : queue_->front())
    lines.push_back(fmt::format("command {} stands at the queue's head and waits for {}",
                                entry->slice.completion, fmt::join(head_.waits_on, ", ")));
  return lines;
}

void PeScheduler::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {}

}  // namespace petal
