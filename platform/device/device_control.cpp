// SPDX-License-Identifier: Apache-2.0
#include "petal/device/device_control.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace petal {
namespace {

constexpr std::uint32_t low_half(std::uint64_t value) {
  return static_cast<std::uint32_t>(value & 0xFFFFFFFFU);
}
constexpr std::uint32_t high_half(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32U);
}

/// What a slot of the largest stride has room for.
constexpr std::uint64_t kMostEntryBytes = 65536 - kRingHeaderBytes;

/// Of the upper half of a number, the lower.
constexpr RegisterId before(RegisterId id) {
  return static_cast<RegisterId>(static_cast<std::uint8_t>(id) - 1U);
}

std::uint32_t bits_of(const EngineSet& engines) {
  return (engines.dma ? 1U : 0U) | (engines.fetch_store ? 2U : 0U) | (engines.gemm ? 4U : 0U) |
         (engines.math ? 8U : 0U);
}

CommandLimits limits_of(const PeConfig& pe) {
  CommandLimits limits;
  limits.arena = pe.tcm.arena;
  limits.has_dma = pe.engines.dma;
  limits.has_fetch_store = pe.engines.fetch_store;
  limits.has_gemm = pe.engines.gemm;
  limits.has_math = pe.engines.math;
  limits.math_head_streaming = pe.scheduler.math_head_streaming;
  limits.gemm_tile = pe.scheduler.gemm_tile;
  return limits;
}

CommandRingConfig ring_config(const PeConfig& pe, std::uint32_t prefetch) {
  CommandRingConfig config;
  config.cap = Bytes(pe.cost.max_composite_logical_bytes);
  config.prefetch = prefetch;
  config.limits = limits_of(pe);
  return config;
}

}  // namespace

DeviceControl::DeviceControl(Pe& pe, std::uint32_t prefetch, Surroundings surroundings)
    : pe_(pe),
      surroundings_(std::move(surroundings)),
      ring_(*pe.bus(), ring_config(pe.config(), prefetch), *this),
      completions_(
          *pe.bus(), [this](const CompletionRecord& record) { record_posted(record); },
          [this](const CompletionRecord& record, std::uint64_t address) { record_failed(record, address); }) {
  set_capabilities();
  pe_.cpu().set_completion_listener([this](const Completion& completion) { command_completed(completion); });
  pe_.cpu().set_overhead_listener([this] { overhead_completed(); });
  pe_.cpu().set_step_listener([this] { ring_.continue_fetching(); });
}

void DeviceControl::set_capabilities() {
  const PeConfig& pe = pe_.config();
  registers_.set(RegisterId::cap_command_bytes,
                 low_half(std::min(pe.cost.max_composite_logical_bytes, kMostEntryBytes)));
  registers_.set(RegisterId::cap_queue_bytes, low_half(pe.cpu.queue_bytes.count()));
  registers_.set(RegisterId::cap_dtypes, (1U << std::size(kAllDTypes)) - 1U);
  registers_.set(RegisterId::cap_engines, bits_of(pe.engines));
  registers_.set_pair(RegisterId::cap_tcm_lo, RegisterId::cap_tcm_hi, pe.tcm.arena.count());
  registers_.set(RegisterId::cap_clock_khz,
                 static_cast<std::uint32_t>(std::llround(pe.clock.gigahertz() * 1e6)));
  registers_.set(RegisterId::cap_in_flight, pe.scheduler.max_in_flight);
}

// --- Registers ---

std::uint32_t DeviceControl::read(RegisterId id) const {
  if (InterruptController::holds(id)) return interrupts_.read(id);
  switch (id) {
    case RegisterId::status:
      return status();
    case RegisterId::ring_head:
      return ring_.head();
    case RegisterId::ring_tail:
      return announced_tail_;
    case RegisterId::cq_head:
      return completions_.head();
    case RegisterId::cq_tail:
      return completions_.tail();
    case RegisterId::count_fetched_lo:
    case RegisterId::count_completed_lo:
    case RegisterId::count_failed_lo:
    case RegisterId::count_logical_bytes_lo:
    case RegisterId::count_dispatch_cycles_lo:
    case RegisterId::count_cycles_lo:
      return low_half(counter_at(id));
    case RegisterId::count_fetched_hi:
    case RegisterId::count_completed_hi:
    case RegisterId::count_failed_hi:
    case RegisterId::count_logical_bytes_hi:
    case RegisterId::count_dispatch_cycles_hi:
    case RegisterId::count_cycles_hi:
      return high_half(counter_at(before(id)));
    default:
      return registers_.read(id);
  }
}

std::uint32_t DeviceControl::status() const {
  std::uint32_t bits = 0;
  const bool busy = is_busy();
  if (ring_.is_enabled()) bits |= status_bit::kEnabled;
  if (busy) bits |= status_bit::kBusy;
  if (!busy && completed_ > completed_before_enable_) bits |= status_bit::kDone;
  if (ring_.is_stopped()) bits |= status_bit::kStopped;
  if (resetting_) bits |= status_bit::kResetting;
  return bits;
}

std::uint64_t DeviceControl::counter_at(RegisterId low) const {
  switch (low) {
    case RegisterId::count_fetched_lo:
      return fetched_;
    case RegisterId::count_completed_lo:
      return completed_;
    case RegisterId::count_failed_lo:
      return failed_;
    case RegisterId::count_logical_bytes_lo:
      return pe_.issue_unit().dispatched_bytes().count();
    case RegisterId::count_dispatch_cycles_lo:
      return static_cast<std::uint64_t>(pe_.issue_unit().dispatched_cycles().count());
    default:
      return cycles();
  }
}

std::uint64_t DeviceControl::cycles() const {
  const Picoseconds elapsed = HostTime().to_ledger(sc_core::sc_time_stamp() - counting_since_);
  return static_cast<std::uint64_t>(static_cast<double>(elapsed.count()) * pe_.config().clock.gigahertz() /
                                    1000.0);
}

void DeviceControl::write(RegisterId id, std::uint32_t value, const sc_core::sc_time& delay) {
  if (held_in_reset_) return;
  if (InterruptController::holds(id)) {
    interrupts_.write(id, value);
  } else {
    const RegisterWrite done = registers_.write(id, value);
    if (done.refused_by_lock) return raise_error(CompletionStatus::locked_register, 0, 0);
    act_on(id, done, delay);
  }
  surroundings_.interrupt_changed();
}

void DeviceControl::act_on(RegisterId id, const RegisterWrite& done, const sc_core::sc_time& delay) {
  switch (id) {
    case RegisterId::control:
      return act_on_control(done);
    case RegisterId::doorbell:
      return ring_doorbell(done.started, delay);
    case RegisterId::cq_head:
      completions_.set_head(done.after);
      return hold_ring_if_blocked();
    default:
      return;
  }
}

void DeviceControl::act_on_control(const RegisterWrite& done) {
  if ((done.started & control_bit::kSoftReset) != 0) return soft_reset();
  if ((done.started & control_bit::kForgetFailures) != 0) pe_.forget_failures();
  const bool enables = (done.after & control_bit::kEnable) != 0;
  if (enables && (done.before & control_bit::kEnable) == 0) enable();
  if (!enables) ring_.disable();
  if ((done.started & control_bit::kResume) != 0) ring_.resume();
  settle();
}

void DeviceControl::enable() {
  CommandRingLayout layout;
  layout.base = registers_.read_pair(RegisterId::ring_base_lo, RegisterId::ring_base_hi);
  layout.size = registers_.read(RegisterId::ring_size);
  layout.stride = registers_.read(RegisterId::ring_stride);
  layout.start = registers_.read(RegisterId::ring_start);
  layout.table_base = registers_.read_pair(RegisterId::table_base_lo, RegisterId::table_base_hi);
  layout.table_size = registers_.read(RegisterId::table_size);
  const CompletionRingLayout completions{registers_.read_pair(RegisterId::cq_base_lo, RegisterId::cq_base_hi),
                                         registers_.read(RegisterId::cq_size)};
  // What was fetched before the ring was disabled still completes into the completion ring as it was.
  if (is_busy() || find_layout_error(layout) || find_layout_error(completions)) {
    registers_.set(RegisterId::control, 0);
    return raise_error(CompletionStatus::ring_config, 0, 0);
  }
  ring_.enable(layout);
  completions_.enable(completions);
  announced_tail_ = layout.start;
  completed_before_enable_ = completed_;
}

// --- Doorbells ---

void DeviceControl::ring_doorbell(std::uint32_t tail, const sc_core::sc_time& delay) {
  if (!ring_.is_enabled() || !ring_.may_advance_to(announced_tail_, tail))
    return raise_error(CompletionStatus::ring_overrun, 0, 0);
  if (tail == announced_tail_ && doorbells_.empty()) return;  // nothing new: no work
  announced_tail_ = tail;
  const Doorbell doorbell{sc_core::sc_time_stamp() + delay, tail};
  const auto later = std::find_if(doorbells_.begin(), doorbells_.end(),
                                  [&](const Doorbell& other) { return other.at > doorbell.at; });
  doorbells_.insert(later, doorbell);
  surroundings_.wake_after(delay);
}

void DeviceControl::doorbells_due() {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  while (!doorbells_.empty() && doorbells_.front().at <= now) {
    const std::uint32_t tail = doorbells_.front().tail;
    doorbells_.pop_front();
    if (ring_.is_enabled()) ring_.advance_to(tail);
  }
  if (!doorbells_.empty()) surroundings_.wake_after(doorbells_.front().at - now);
  settle();
}

// --- Commands ---

void DeviceControl::issue(ProgramStep step, std::uint32_t tag) {
  if (const auto* const request = std::get_if<IssueRequest>(&step))
    tags_.emplace(request->slice.completion, tag);
  else
    overhead_tags_.push_back(tag);
  pe_.feed(std::move(step));
}

void DeviceControl::command_completed(const Completion& completion) {
  const auto tag = tags_.find(completion.id);
  const std::uint32_t entry = tag->second;
  tags_.erase(tag);
  completions_.post(entry, completion.status, completion.fault_address);
  hold_ring_if_blocked();
}

void DeviceControl::overhead_completed() {
  const std::uint32_t entry = overhead_tags_.front();
  overhead_tags_.pop_front();
  completions_.post(entry, CompletionStatus::ok, 0);
  hold_ring_if_blocked();
}

void DeviceControl::entry_failed(const EntryFailure& failure) {
  completions_.post(failure.tag, failure.status, failure.address);
  hold_ring_if_blocked();
}

void DeviceControl::hold_ring_if_blocked() {
  if (!resetting_) ring_.set_held(completions_.is_blocked());
}

void DeviceControl::record_posted(const CompletionRecord& record) {
  count(record);
  hold_ring_if_blocked();
  interrupts_.report_completion();
  if (record.status != CompletionStatus::ok)
    raise_error(record.status, record.completion, record.fault_address);
  settle();
}

void DeviceControl::record_failed(const CompletionRecord& record, std::uint64_t address) {
  count(record);
  ring_.stop_here();
  raise_error(CompletionStatus::completion_write_error, record.completion, address);
  settle();
}

void DeviceControl::count(const CompletionRecord& record) {
  ++completed_;
  if (record.status != CompletionStatus::ok) ++failed_;
}

void DeviceControl::ring_stopped(const EntryFailure& failure) {
  raise_error(failure.status, failure.tag, failure.address);
  settle();
}

void DeviceControl::raise_error(CompletionStatus cause, std::uint32_t tag, std::uint64_t address) {
  interrupts_.report_error({static_cast<std::uint8_t>(cause), tag, address});
  surroundings_.interrupt_changed();
}

bool DeviceControl::is_busy() const {
  return resetting_ || ring_.is_busy() || fetched_ != completed_ || !doorbells_.empty();
}

/// After anything that may have ended the last piece of work, or begun the first.
void DeviceControl::settle() {
  const bool busy = is_busy();
  if (was_busy_ && !busy) interrupts_.report_idle();
  was_busy_ = busy;
  surroundings_.interrupt_changed();
}

// --- Reset ---

void DeviceControl::soft_reset() {
  ring_.reset();
  completions_.reset();
  interrupts_.reset();
  registers_.reset();
  doorbells_.clear();
  tags_.clear();
  overhead_tags_.clear();
  announced_tail_ = 0;
  fetched_ = completed_ = failed_ = completed_before_enable_ = 0;
  counting_since_ = sc_core::sc_time_stamp();
  was_busy_ = false;
  resetting_ = true;
  ring_.set_held(true);
  pe_.reset(ring_.latest_completion(), [this] { drained(); });
  surroundings_.interrupt_changed();
}

void DeviceControl::drained() {
  resetting_ = false;
  pe_.open();
  ring_.set_held(false);
}

}  // namespace petal
