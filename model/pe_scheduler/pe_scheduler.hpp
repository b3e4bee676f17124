// SPDX-License-Identifier: Apache-2.0
//
// PeScheduler: takes commands off the queue strictly in order, holds those that conflict with what is in
// flight, turns each into stages and serves the stages to the engines. It knows ops, positions and scopes; it
// has never heard of recipes (ADR-0065 D6.5).
//
// An engine answers the BEGIN_REQ of a stage at once (TLM_COMPLETED), with the stage's times in the
// extension; or it accepts it, and tells by END_REQ when its port is free again and by BEGIN_RESP when the
// stage is over. The scheduler sends END_RESP when it has no more use for the engine's part of the stage.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <tlm>
#include <vector>

#include "petal/calendar/calendar_driver.hpp"
#include "petal/engines/engine_config.hpp"
#include "petal/observe/observer.hpp"
#include "petal/pe_cpu/command_queue.hpp"
#include "petal/pe_cpu/completion_if.hpp"
#include "petal/pe_scheduler/command_run.hpp"
#include "petal/pe_scheduler/failed_data.hpp"
#include "petal/pe_scheduler/hazard_tracker.hpp"
#include "petal/pe_scheduler/port_arbiter.hpp"

namespace petal {

/// What becomes of a command that an engine or a memory cannot execute.
enum class OnFailure : std::uint8_t {
  stop_simulation,  ///< an error report: commands come from a compiler, so something is wrong with the setup
  fail_command,     ///< it completes with an error status, and so do those that depend on it
};

/// A PE_SCHEDULER's constant surroundings.
struct PeSchedulerSetup {
  PeIndex pe = 0;
  ClockFrequency clock{1.0};
  PeSchedulerConfig scheduler;
  TcmConfig tcm;
  ComputeSlot compute_slot = ComputeSlot::separate;
  std::uint32_t dma_outstanding = 8;
  bool data_mode = false;      ///< engines are told to compute when a stage ends
  bool dma_in_phases = false;  ///< PE_DMA answers by phases, and takes a DMA_WRITE's data when it starts
  OnFailure on_failure = OnFailure::stop_simulation;
};

class PeScheduler final : public sc_core::sc_module,
                          public tlm::tlm_bw_transport_if<>,
                          public Calendar::Receiver,
                          public Calendar::Reactor,
                          public StageOutlet {
 public:
  /// Optional to bind: a PE may lack an engine. A command that needs it is then an error.
  using EngineSocket =
      tlm::tlm_initiator_socket<64, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

  sc_core::sc_port<CommandQueueIn> queue;     ///< the command queue's reading side
  sc_core::sc_port<CompletionIf> completion;  ///< PE_CPU's export
  EngineSocket dma;                           ///< PE_DMA
  EngineSocket fetch_store;                   ///< PE_FETCH_STORE
  EngineSocket gemm;                          ///< PE_GEMM
  EngineSocket math;                          ///< PE_MATH

  /// `driver` runs `calendar`.
  PeScheduler(const sc_core::sc_module_name& name, const PeSchedulerSetup& setup, Calendar& calendar,
              CalendarDriver& driver, const EventStream& events);

  /// What the window's staging needs beyond the kernel's arena.
  Bytes staging_bytes() const { return staging_.total(); }
  /// Which commands are outstanding and what they wait for, one line each; empty if there are none.
  std::vector<std::string> describe_outstanding() const;

  /// Forgets every command and every stage, and which data failed commands should have written. What engines
  /// have accepted must not be answered any more. The calendar is cleared by its owner.
  void reset();
  /// Data that failed commands should have written counts as good.
  void forget_failures() { failed_data_.clear(); }

  Stage& prepare() override;
  void submit(const CriticalPath& path) override;
  void due(std::uint64_t token) override;
  void react(Calendar::Step step) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override;

 private:
  /// What holds the command at the queue's head.
  struct Head {
    bool has_ranges = false;  ///< the hazard tracker's candidate has its ranges
    bool held = false;
    bool drains = false;  ///< it waits until nothing is in flight
    HeadWait reason = HeadWait::hazard;
    std::vector<CompletionId> waits_on;  ///< while it is held
  };

  void before_end_of_elaboration() override;
  void end_of_elaboration() override;
  void take_commands();
  bool may_take(const CommandSlice& slice);
  void hold(HeadWait reason, std::vector<CompletionId> waits_on);
  void take();
  CompletionStatus refusal_of(const CommandSlice& slice);
  void report_take(const QueueEntry& entry, Picoseconds arrived, const CriticalPath& path);
  void report_state();
  void planning_ended();
  void begin_run(CommandRun& run, const CriticalPath& path);
  void finish_run(CommandRun& run, const CriticalPath& path);
  CommandRun& idle_run();

  void serve_ports();
  void serve(std::size_t index);
  void wake_when_free(std::size_t index);
  void start(StageTransaction& transaction, PortArbiter& port);
  tlm::tlm_sync_enum send(StageTransaction& transaction, tlm::tlm_fw_transport_if<>& engine);
  void answered_at_once(StageTransaction& transaction, PortArbiter& port);
  void refuse(StageTransaction& transaction, PortArbiter& port);
  void port_freed(StageTransaction& transaction, Picoseconds at);
  void charge(StageTransaction& transaction);
  void charge_slot(StageTransaction& transaction, const PortArbiter& port);
  void request_service(std::size_t index);
  void stage_ended(StageTransaction& transaction);
  void carry_on(CommandRun& run, StageTransaction& transaction);
  void fail_run(CommandRun& run, CompletionStatus status, std::uint64_t address);
  bool compute(CommandRun& run, StageTransaction& transaction);
  StageEvent event_of(const StageTransaction& transaction) const;
  void report_begin(const StageTransaction& transaction);
  void report(const StageTransaction& transaction);
  void report_end(const Stage& stage);
  [[noreturn]] void fail(const StageTransaction& transaction, std::string_view problem) const;
  [[noreturn]] void fail_refused(const StageTransaction& transaction) const;
  std::size_t arbiter_index(StageKind kind) const;
  EngineSocket& socket_of(StageKind kind);

  const PeSchedulerSetup setup_;
  Calendar& calendar_;
  CalendarDriver& driver_;
  const EventStream& events_;
  const StagingLayout staging_;
  CommandQueueIn* queue_ = nullptr;

  HazardTracker hazards_;
  FailedData failed_data_;
  CompletionId failed_segment_ =
      kNoCompletion;  // the latest segment that failed and is not its composite's last
  Head head_;
  SchedulerStateEvent reported_state_;
  Picoseconds latest_take_{0};
  Picoseconds planner_free_{0};
  CommandRun* planned_run_ = nullptr;
  CriticalPath planned_path_;
  CriticalPath latest_path_;  // of the latest completion, or of the planner's end
  std::vector<std::unique_ptr<CommandRun>> runs_;

  StagePool pool_;
  StageTransaction* prepared_ = nullptr;
  std::array<PortArbiter, kEnginePorts> arbiters_;
  // The other ends of the sockets, by port, looked up once; null where there is no engine.
  std::array<tlm::tlm_fw_transport_if<>*, kEnginePorts> engines_{};
  std::deque<Calendar::Appointment> wakes_;  // by port
  Calendar::Appointment planned_;
  std::uint32_t to_serve_ = 0;  // a bit for each port to reconsider in this instant
};

}  // namespace petal
