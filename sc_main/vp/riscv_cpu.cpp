// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/riscv_cpu.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "petal/command/error.hpp"
#include "petal/vp/debug_transport.hpp"

namespace petal::vp {
namespace {

/// The emulator's generated code and helpers run on the thread's stack.
constexpr std::size_t kStackBytes = 4 << 20;

}  // namespace

RiscvCpu::RiscvCpu(const sc_core::sc_module_name& name, const RiscvCpuConfig& config)
    : sc_module(name),
      config_(config),
      instruction_time_(config.clock_period * config.cycles_per_instruction) {
  if (config.clock_period == sc_core::SC_ZERO_TIME)
    throw ConfigError(
        fmt::format("{}: the clock's period is 0; give it at least the time resolution", this->name()));
  bus.register_invalidate_direct_mem_ptr(this, &RiscvCpu::invalidate_direct_mem_ptr);
  add_hooks();
  sc_core::sc_spawn_options options;
  options.set_stack_size(kStackBytes);
  sc_core::sc_spawn([this] { execute(); }, "execute", &options);
}

/// No exception may cross the emulator's frames: it waits until they are gone.
template <typename Work>
void RiscvCpu::guard(const Work& work) {
  try {
    work();
  } catch (...) {
    exception_ = std::current_exception();
    stop(Stop::failure);
  }
}

/// What the emulator calls, with the CPU as its last argument.
struct RiscvCpu::Hooks {
  static RiscvCpu& cpu(void* user) { return *static_cast<RiscvCpu*>(user); }

  static void instruction(uc_engine*, std::uint64_t address, std::uint32_t, void* user) {
    cpu(user).guard([&] { cpu(user).on_instruction(address); });
  }
  static void access(uc_engine*, uc_mem_type type, std::uint64_t address, int bytes, std::int64_t value,
                     void* user) {
    cpu(user).guard([&] {
      cpu(user).on_access(type, address, static_cast<unsigned int>(bytes), static_cast<std::uint64_t>(value));
    });
  }
  static bool unmapped(uc_engine*, uc_mem_type type, std::uint64_t address, int bytes, std::int64_t value,
                       void* user) {
    bool mapped = false;
    cpu(user).guard([&] {
      mapped = cpu(user).on_unmapped(type, address, static_cast<unsigned int>(bytes),
                                     static_cast<std::uint64_t>(value));
    });
    return mapped;
  }
  static void trap(uc_engine*, std::uint32_t cause, void* user) {
    cpu(user).guard([&] { cpu(user).on_trap(cause); });
  }
};

void RiscvCpu::add_hooks() {
  engine_.add_hook(UC_HOOK_CODE, reinterpret_cast<void*>(&Hooks::instruction), this);
  engine_.add_hook(UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, reinterpret_cast<void*>(&Hooks::access), this);
  engine_.add_hook(UC_HOOK_MEM_UNMAPPED, reinterpret_cast<void*>(&Hooks::unmapped), this);
  engine_.add_hook(UC_HOOK_INTR, reinterpret_cast<void*>(&Hooks::trap), this);
}

sc_core::sc_time RiscvCpu::time_asleep() const {
  return asleep_since_ ? slept_ + (sc_core::sc_time_stamp() - *asleep_since_) : slept_;
}

std::uint64_t RiscvCpu::general_register(unsigned int index) const {
  return engine_.read_register(static_cast<uc_riscv_reg>(UC_RISCV_REG_X0 + index));
}

void RiscvCpu::start_of_simulation() {
  load(program_, *bus.operator->());
  pc_ = program_.entry();
}

void RiscvCpu::execute() {
  keeper_.reset();
  while (failure_.empty()) {
    drop_invalid_windows();
    run_until_stop();
  }
  sc_core::sc_stop();
}

void RiscvCpu::run_until_stop() {
  stop_ = Stop::none;
  const uc_err error = engine_.run(pc_);
  retire();
  if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
  after_emulator_stopped(error);
}

void RiscvCpu::after_emulator_stopped(uc_err error) {
  switch (stop_) {
    case Stop::interrupt:
      return take_trap(kMachineExternalInterrupt, current_);
    case Stop::trap:
      return take_trap(cause_, current_);
    case Stop::counter_read:
      return read_counter();
    case Stop::invalidation:
      pc_ = current_;
      return;
    case Stop::failure:
      return;
    case Stop::none:
      break;
  }
  pc_ = engine_.read_register(UC_RISCV_REG_PC);
  if (error == UC_ERR_OK && is_wait_for_interrupt(instruction_at(current_))) return sleep();
  // The emulator has no trap for ebreak, it calls it invalid.
  if (error == UC_ERR_INSN_INVALID) return take_trap(kBreakpoint, current_);
  fail(fmt::format("the emulator stopped: {}", UnicornEngine::describe(error)));
}

void RiscvCpu::take_trap(std::uint64_t cause, std::uint64_t from) {
  const std::uint64_t mtvec = engine_.read_register(UC_RISCV_REG_MTVEC);
  if (mtvec == 0) return fail(fmt::format("{}, and no handler: mtvec is 0; set it first", trap_name(cause)));
  engine_.write_register(UC_RISCV_REG_MEPC, from);
  engine_.write_register(UC_RISCV_REG_MCAUSE, cause);
  engine_.write_register(UC_RISCV_REG_MTVAL, 0);
  engine_.write_register(UC_RISCV_REG_MSTATUS, mstatus_in_trap(engine_.read_register(UC_RISCV_REG_MSTATUS)));
  pc_ = trap_handler(mtvec, cause);
}

void RiscvCpu::read_counter() {
  std::uint64_t value = 0;
  switch (counter_read_->counter) {
    case Counter::cycles:
      value = cycles();
      break;
    case Counter::instructions:
      value = instructions_;
      break;
    case Counter::pending_interrupts:
      value = interrupt.read() ? kMachineExternalBit : 0;
      break;
  }
  if (counter_read_->destination != 0)
    engine_.write_register(static_cast<uc_riscv_reg>(UC_RISCV_REG_X0 + counter_read_->destination), value);
  unretired_ = true;
  retire();
  pc_ = current_ + 4;
}

std::uint64_t RiscvCpu::cycles() const {
  return (sc_core::sc_time_stamp() + keeper_.get_local_time()).value() / config_.clock_period.value();
}

void RiscvCpu::sleep() {
  keeper_.sync();
  asleep_since_ = sc_core::sc_time_stamp();
  if ((engine_.read_register(UC_RISCV_REG_MIE) & kMachineExternalBit) == 0) wait(never_);
  while (!interrupt.read()) wait(interrupt.posedge_event());
  slept_ += sc_core::sc_time_stamp() - *asleep_since_;
  asleep_since_.reset();
  keeper_.reset();
}

void RiscvCpu::fail(const std::string& problem) {
  if (failure_.empty()) failure_ = fmt::format("{}: at pc {:#x}: {}", name(), current_, problem);
  stop(Stop::failure);
}

void RiscvCpu::stop(Stop reason) {
  stop_ = reason;
  engine_.stop();
}

void RiscvCpu::retire() {
  if (!unretired_) return;
  unretired_ = false;
  ++instructions_;
  keeper_.inc(instruction_time_);
}

void RiscvCpu::synchronise() {
  if (keeper_.get_local_time() != sc_core::SC_ZERO_TIME) keeper_.sync();
}

bool RiscvCpu::interrupt_due() const {
  return interrupt.read() && (engine_.read_register(UC_RISCV_REG_MSTATUS) & kMstatusMie) != 0 &&
         (engine_.read_register(UC_RISCV_REG_MIE) & kMachineExternalBit) != 0;
}

void RiscvCpu::on_instruction(std::uint64_t address) {
  retire();
  current_ = address;
  if (keeper_.need_sync()) keeper_.sync();
  if (!invalidated_.empty()) return stop(Stop::invalidation);
  if (interrupt_due()) return stop(Stop::interrupt);
  counter_read_ = decode_counter_read(instruction_at(address));
  if (counter_read_) return stop(Stop::counter_read);
  unretired_ = true;
}

/// In two halves, because it may lie across two windows. A half that is in none is 0.
std::uint32_t RiscvCpu::instruction_at(std::uint64_t address) {
  return halfword_at(address) | static_cast<std::uint32_t>(halfword_at(address + 2)) << 16;
}

std::uint16_t RiscvCpu::halfword_at(std::uint64_t address) {
  const MemoryWindow* const window = windows_.find(address);
  std::uint16_t half = 0;
  if (window != nullptr) std::memcpy(&half, window->at(address), sizeof half);
  return half;
}

void RiscvCpu::on_trap(std::uint32_t cause) {
  constexpr std::uint32_t kUserEnvironmentCall = 8;
  constexpr std::uint64_t kMachineEnvironmentCall = 11;
  cause_ = cause == kUserEnvironmentCall ? kMachineEnvironmentCall : cause;  // there is machine mode only
  stop(Stop::trap);
}

}  // namespace petal::vp
