// SPDX-License-Identifier: Apache-2.0
//
// Platform: N PEs and their HBM, running a list of launches with a barrier between them.
//
//     Platform platform("platform", config);
//     platform.attach(op_log);
//     platform.add_launch({program for each PE});
//     sc_core::sc_start();
//     platform.finish();   // throws if something failed or is outstanding
//
// Several platforms can be built in one simulation and run side by side; they do not see each other.
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "petal/memory/hbm.hpp"
#include "petal/platform/pe.hpp"

namespace petal {

/// In which order a platform's events come. Times and results are the same.
enum class EventOrder : std::uint8_t {
  by_pe,    ///< of each PE in order; PEs that do not influence each other run ahead of each other
  by_time,  ///< over all PEs in the order of time, ties by PE: for readers that write as they read
};

/// How a platform is put together, apart from what it models.
struct PlatformOptions {
  Pacing pacing = Pacing::run_ahead;  ///< lockstep where a PE's DMA makes bursts
  PeBuildOrder build_order = default_build_order();
  EventOrder event_order = EventOrder::by_pe;
  /// Data mode: what every HBM holds at the start, of the HBM's capacity. Null: timing alone.
  std::shared_ptr<const SparseMemory> hbm_image = nullptr;
};

class Platform : public sc_core::sc_module {
 public:
  Platform(const sc_core::sc_module_name& name, const PlatformConfig& config,
           const PlatformOptions& options = PlatformOptions());

  std::size_t size() const { return pes_.size(); }
  Pe& pe(std::size_t index) { return *pes_[index]; }
  const Pe& pe(std::size_t index) const { return *pes_[index]; }
  /// Attaches a reader to all PEs. It must outlive the simulation.
  void attach(Observer& observer);
  /// Queues a launch: one program for each PE. All start when the launch before is over on every PE.
  void add_launch(std::vector<PeProgram> programs);

  /// Data mode: bytes [address, address + bytes) of HBM as the run has left them. With an HBM for each PE:
  /// what any PE has written, the last PE's where several have, and the image elsewhere. Throws AddressError
  /// beyond the capacity. Precondition: options.hbm_image was given.
  void read_hbm(std::uint64_t address, std::byte* to, std::uint64_t bytes) const;

  /// After sc_start(): throws what a program threw, or SimulationError if commands are outstanding.
  void finish() const;
  /// When the last launch was over on every PE.
  Picoseconds end_time() const { return end_time_; }
  /// The critical path that leads to end_time().
  const CriticalPath& critical_path() const { return critical_path_; }
  /// The PE that finished last; ties go to the first.
  std::size_t last_pe() const { return last_pe_; }

 private:
  void start_of_simulation() override;
  void start_next_launch();
  void pe_finished(std::size_t index, const CriticalPath& path);

  std::vector<std::unique_ptr<CalendarDriver>> drivers_;
  std::vector<std::unique_ptr<Hbm>> memories_;
  std::vector<std::unique_ptr<Pe>> pes_;
  std::vector<std::vector<PeProgram>> launches_;
  std::size_t next_launch_ = 0;
  std::size_t running_ = 0;
  Picoseconds end_time_{0};
  CriticalPath critical_path_;
  std::size_t last_pe_ = 0;
};

}  // namespace petal
