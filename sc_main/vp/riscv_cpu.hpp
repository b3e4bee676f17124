// SPDX-License-Identifier: Apache-2.0
//
// RiscvCpu: a RISC-V core (RV64GC, machine mode) as a loosely timed TLM initiator. The Unicorn emulator
// executes the instructions; this module gives them time, a bus, an interrupt and sleep.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "petal/vp/address_range.hpp"
#include "petal/vp/elf_image.hpp"
#include "petal/vp/memory_windows.hpp"
#include "petal/vp/riscv_trap.hpp"
#include "petal/vp/unicorn_engine.hpp"

namespace petal::vp {

/// When an access to a device reaches it.
enum class DeviceAccess : std::uint8_t {
  synchronised,  ///< the CPU first waits until simulated time is its own: the access is exact, whatever the
                 ///< quantum
  annotated,  ///< at once, with the CPU's lead as the transaction's delay: fewer switches, devices look up to
              ///< a quantum younger than they are
};

struct RiscvCpuConfig {
  sc_core::sc_time clock_period{1, sc_core::SC_NS};
  unsigned int cycles_per_instruction = 1;
  DeviceAccess device_access = DeviceAccess::synchronised;
  /// Memory behind a cache that always hits: an access costs nothing beside its instruction, whether the
  /// memory grants DMI or not. Without DMI the bytes are then moved by transport_dbg. Ranges are whole pages
  /// of 4 KiB. Elsewhere an access costs the latency that a DMI grant states, or is a transaction. Code runs
  /// from cached ranges, or from memory that grants DMI.
  std::vector<AddressRange> cached;
};

/// Time. Every instruction takes the same number of cycles; an access to a device takes what the transaction
/// says on top. The CPU runs ahead of simulated time by at most the global quantum (tlm_global_quantum; with
/// none it waits at every instruction). Its local time is exact at each instruction, so that an access
/// carries the time of its own instruction and mcycle does not depend on the quantum.
///
/// Interrupt. A machine external interrupt, level sensitive. It is taken before the first instruction at
/// which the line is high and mstatus.MIE and mie.MEIE are set; the line is seen when the CPU synchronises.
/// wfi sleeps until the line is high and mie.MEIE is set, without events of its own; mstatus.MIE then decides
/// whether a trap follows.
///
/// Failure. A bus error, an instruction that traps while mtvec is 0, and whatever the emulator cannot do stop
/// the CPU and the simulation (sc_stop); failure() says what and where. Accesses that are not naturally
/// aligned work in memory and fail on devices.
class RiscvCpu : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<RiscvCpu, 64> bus{"bus"};
  sc_core::sc_in<bool> interrupt{"interrupt"};

  RiscvCpu(const sc_core::sc_module_name& name, const RiscvCpuConfig& config);

  /// What is written into memory, through the bus's debug interface, when the simulation starts; execution
  /// starts at its entry. The start throws ConfigError if there is no memory for a part of it.
  void set_program(ElfImage program) { program_ = std::move(program); }

  std::uint64_t instructions() const { return instructions_; }
  /// Simulated time spent in wfi.
  sc_core::sc_time time_asleep() const;
  bool asleep() const { return asleep_since_.has_value(); }
  /// Why the CPU has stopped; empty while nothing is wrong.
  const std::string& failure() const { return failure_; }
  /// Register x0 to x31, for tests and reports.
  std::uint64_t general_register(unsigned int index) const;

 private:
  void start_of_simulation() override;

  /// Why the emulator was told to stop.
  enum class Stop : std::uint8_t { none, interrupt, counter_read, invalidation, trap, failure };

  void execute();
  void run_until_stop();
  void after_emulator_stopped(uc_err error);
  void take_trap(std::uint64_t cause, std::uint64_t from);
  void read_counter();
  void sleep();
  void fail(const std::string& problem);
  void stop(Stop reason);

  // Called by the emulator, through guard().
  void on_instruction(std::uint64_t address);
  void on_access(uc_mem_type type, std::uint64_t address, unsigned int bytes, std::uint64_t value);
  bool on_unmapped(uc_mem_type type, std::uint64_t address, unsigned int bytes, std::uint64_t value);
  void on_trap(std::uint32_t cause);
  struct Hooks;
  template <typename Work>
  void guard(const Work& work);
  void add_hooks();

  bool interrupt_due() const;
  void retire();
  void synchronise();
  std::uint64_t cycles() const;
  std::uint32_t instruction_at(std::uint64_t address);
  std::uint16_t halfword_at(std::uint64_t address);

  MemoryWindow* open_window(std::uint64_t address);
  bool open_direct(std::uint64_t page, MemoryWindow& window);
  bool open_copy(MemoryWindow& window);
  const AddressRange* cached_range(std::uint64_t address) const;
  void access(MemoryWindow& window, bool write, std::uint64_t address, unsigned int bytes,
              std::uint64_t value);
  void store_across_pages(std::uint64_t address, unsigned int bytes, std::uint64_t value);
  void device_access(MemoryWindow& window, bool write, std::uint64_t address, unsigned int bytes);
  void copied_access(MemoryWindow& window, bool write, std::uint64_t address, unsigned int bytes,
                     std::uint64_t value);
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last);
  void drop_invalid_windows();

  const RiscvCpuConfig config_;
  ElfImage program_;
  const sc_core::sc_time instruction_time_;
  UnicornEngine engine_;
  MemoryWindows windows_;
  std::vector<AddressRange> invalidated_;  // grants called back, still mapped
  tlm_utils::tlm_quantumkeeper keeper_;

  std::uint64_t pc_ = 0;       // of the next run of the emulator
  std::uint64_t current_ = 0;  // address of the latest instruction that was started or stopped
  bool unretired_ = false;     // it was started, and its time is not counted yet
  Stop stop_ = Stop::none;
  std::uint64_t cause_ = 0;  // of Stop::trap
  std::optional<CounterRead> counter_read_;
  std::exception_ptr exception_;  // thrown in a hook
  std::string failure_;

  std::uint64_t instructions_ = 0;
  sc_core::sc_time slept_;
  std::optional<sc_core::sc_time> asleep_since_;
  sc_core::sc_event never_{"never"};
};

}  // namespace petal::vp
