// SPDX-License-Identifier: Apache-2.0
//
// DeviceControl: what stands behind a PeDevice's registers: it joins the command ring, the PE and the
// completion ring, and keeps status, counters and interrupts.
//
// A register write takes effect at its call, whatever delay is annotated to it; but a doorbell is heard when
// its delay has passed (docs/virtual-platform.md).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <systemc>

#include "petal/device/command_ring.hpp"
#include "petal/device/completion_ring.hpp"
#include "petal/device/interrupt_controller.hpp"
#include "petal/device/register_backend.hpp"
#include "petal/device/register_block.hpp"
#include "petal/platform/pe.hpp"

namespace petal {

class DeviceControl final : public RegisterBackend, private CommandRing::Client {
 public:
  /// How it reaches the module around it.
  struct Surroundings {
    std::function<void()> interrupt_changed;  ///< interrupt() may have another level
    /// Calls doorbells_due() after a time, or earlier.
    std::function<void(const sc_core::sc_time&)> wake_after;
  };

  /// `pe` has a bus, data mode as it likes, and fails commands; it outlives this.
  DeviceControl(Pe& pe, std::uint32_t prefetch, Surroundings surroundings);

  std::uint32_t read(RegisterId id) const override;
  void write(RegisterId id, std::uint32_t value, const sc_core::sc_time& delay) override;

  /// The simulation begins: the PE takes commands from now on.
  void start() { pe_.open(); }
  void soft_reset();
  /// While true, register writes do nothing.
  void hold_in_reset(bool held) { held_in_reset_ = held; }
  /// Acts on the doorbells whose time has come.
  void doorbells_due();
  bool interrupt() const { return interrupts_.line(); }
  bool is_busy() const;
  bool is_stopped() const { return ring_.is_stopped(); }
  std::uint64_t entries_fetched() const { return fetched_; }
  std::uint64_t entries_completed() const { return completed_; }
  std::uint64_t entries_failed() const { return failed_; }

 private:
  // CommandRing::Client
  std::size_t steps_ahead() const override { return pe_.issue_unit().steps_ahead(); }
  void entry_fetched() override { ++fetched_; }
  void issue(ProgramStep step, std::uint32_t tag) override;
  void entry_failed(const EntryFailure& failure) override;
  void ring_stopped(const EntryFailure& failure) override;
  void ring_idle() override { settle(); }

  std::uint32_t status() const;
  std::uint64_t cycles() const;
  std::uint64_t counter_at(RegisterId low) const;
  void set_capabilities();
  void act_on(RegisterId id, const RegisterWrite& done, const sc_core::sc_time& delay);
  void act_on_control(const RegisterWrite& done);
  void enable();
  void ring_doorbell(std::uint32_t tail, const sc_core::sc_time& delay);
  void command_completed(const Completion& completion);
  void overhead_completed();
  void record_posted(const CompletionRecord& record);
  void record_failed(const CompletionRecord& record, std::uint64_t address);
  void count(const CompletionRecord& record);
  void raise_error(CompletionStatus cause, std::uint32_t tag, std::uint64_t address);
  void drained();
  void hold_ring_if_blocked();
  void settle();

  struct Doorbell {
    sc_core::sc_time at;
    std::uint32_t tail;
  };

  Pe& pe_;
  const Surroundings surroundings_;
  CommandRing ring_;
  CompletionRing completions_;
  InterruptController interrupts_;
  RegisterBlock registers_;
  std::uint32_t announced_tail_ = 0;            // of the latest accepted doorbell
  std::deque<Doorbell> doorbells_;              // accepted, whose time has not come
  std::map<CompletionId, std::uint32_t> tags_;  // of commands given to the PE
  std::deque<std::uint32_t> overhead_tags_;
  std::uint64_t fetched_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t completed_before_enable_ = 0;
  sc_core::sc_time counting_since_;
  bool resetting_ = false;
  bool held_in_reset_ = false;
  bool was_busy_ = false;
};

}  // namespace petal
