// SPDX-License-Identifier: Apache-2.0
//
// The parts of RISC-V's privileged architecture that the CPU model adds to the emulator: trap entry in
// machine mode, and the counters, which the emulator would read from the host's clock. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace petal::vp {

/// Values of mcause.
inline constexpr std::uint64_t kIllegalInstruction = 2;
inline constexpr std::uint64_t kBreakpoint = 3;
inline constexpr std::uint64_t kMachineExternalInterrupt = (std::uint64_t{1} << 63) | 11;

/// Bits of mstatus, mie and mip.
inline constexpr std::uint64_t kMstatusMie = std::uint64_t{1} << 3;
inline constexpr std::uint64_t kMachineExternalBit = std::uint64_t{1} << 11;

/// mstatus after a trap is taken in machine mode: MPIE takes MIE, MIE is clear, MPP is machine mode.
std::uint64_t mstatus_in_trap(std::uint64_t mstatus);

/// Where a trap with this cause starts: the base of mtvec, for interrupts in its vectored mode 4 bytes on a
/// cause.
std::uint64_t trap_handler(std::uint64_t mtvec, std::uint64_t mcause);

/// "illegal instruction", ...: for messages.
std::string trap_name(std::uint64_t mcause);

/// What a counter counts.
enum class Counter : std::uint8_t { cycles, instructions, pending_interrupts };

/// An instruction that reads a counter, and writes none.
struct CounterRead {
  Counter counter;
  unsigned int destination;  ///< number of the register that takes the value
};

/// Whether `instruction` reads cycle, mcycle, instret, minstret or mip by csrr (csrrs or csrrc with x0).
std::optional<CounterRead> decode_counter_read(std::uint32_t instruction);

/// Whether `instruction` is wfi.
bool is_wait_for_interrupt(std::uint32_t instruction);

}  // namespace petal::vp
