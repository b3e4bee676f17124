// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/riscv_trap.hpp"

#include <fmt/format.h>

namespace petal::vp {
namespace {

constexpr std::uint64_t kMstatusMpie = std::uint64_t{1} << 7;
constexpr std::uint64_t kMstatusMppMachine = std::uint64_t{3} << 11;
constexpr std::uint64_t kInterruptBit = std::uint64_t{1} << 63;

constexpr std::uint32_t kWaitForInterrupt = 0x10500073;
constexpr std::uint32_t kSystem = 0x73;
constexpr std::uint32_t kReadAndSet = 2;    // csrrs
constexpr std::uint32_t kReadAndClear = 3;  // csrrc

std::optional<Counter> counter_of(std::uint32_t csr) {
  switch (csr) {
    case 0xC00:  // cycle
    case 0xB00:  // mcycle
      return Counter::cycles;
    case 0xC02:  // instret
    case 0xB02:  // minstret
      return Counter::instructions;
    case 0x344:  // mip
      return Counter::pending_interrupts;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::uint64_t mstatus_in_trap(std::uint64_t mstatus) {
  const std::uint64_t mpie = (mstatus & kMstatusMie) != 0 ? kMstatusMpie : 0;
  return (mstatus & ~(kMstatusMie | kMstatusMpie)) | mpie | kMstatusMppMachine;
}

std::uint64_t trap_handler(std::uint64_t mtvec, std::uint64_t mcause) {
  const std::uint64_t base = mtvec & ~std::uint64_t{3};
  const bool vectored = (mtvec & 3) == 1 && (mcause & kInterruptBit) != 0;
  return vectored ? base + 4 * (mcause & ~kInterruptBit) : base;
}

std::string trap_name(std::uint64_t mcause) {
  switch (mcause) {
    case 0:
      return "misaligned instruction address";
    case kIllegalInstruction:
      return "illegal instruction";
    case kBreakpoint:
      return "breakpoint";
    case 4:
      return "misaligned load";
    case 6:
      return "misaligned store";
    case 11:
      return "environment call";
    case kMachineExternalInterrupt:
      return "machine external interrupt";
    default:
      return fmt::format("trap with cause {:#x}", mcause);
  }
}

std::optional<CounterRead> decode_counter_read(std::uint32_t instruction) {
  const std::uint32_t function = (instruction >> 12) & 7;
  const std::uint32_t source = (instruction >> 15) & 31;
  if ((instruction & 0x7F) != kSystem || source != 0) return std::nullopt;
  if (function != kReadAndSet && function != kReadAndClear) return std::nullopt;
  const auto counter = counter_of(instruction >> 20);
  if (!counter) return std::nullopt;
  return CounterRead{*counter, (instruction >> 7) & 31};
}

bool is_wait_for_interrupt(std::uint32_t instruction) {
  return instruction == kWaitForInterrupt;
}

}  // namespace petal::vp
