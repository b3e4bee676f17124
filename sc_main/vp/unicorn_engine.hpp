// SPDX-License-Identifier: Apache-2.0
//
// UnicornEngine: an instance of the Unicorn emulator for RISC-V, 64 bits, owned; with names for what the CPU
// model asks of it. It knows nothing of SystemC.
#pragma once

#include <unicorn/unicorn.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "petal/vp/address_range.hpp"

namespace petal::vp {

/// What may be done with a mapped page.
enum class PageUse : std::uint32_t { data = UC_PROT_READ | UC_PROT_WRITE, code_and_data = UC_PROT_ALL };

/// Every function throws SimulationError if the emulator refuses.
class UnicornEngine {
 public:
  /// A hart in machine mode, with nothing mapped.
  UnicornEngine();

  /// Maps `range`, which starts and ends on a page (kPageBytes), onto `memory`, which is kept alive until
  /// unmapped.
  void map(const AddressRange& range, PageUse use, void* memory);
  /// Unmaps what was mapped as this very range, and forgets what was translated from it.
  void unmap(const AddressRange& range);

  std::uint64_t read_register(uc_riscv_reg reg) const;
  void write_register(uc_riscv_reg reg, std::uint64_t value);

  /// Calls `callback(user)` with the signature that `kinds` (of UC_HOOK_*) asks for.
  void add_hook(int kinds, void* callback, void* user);

  /// Executes from `pc` until stop() is called, an instruction fails, or wfi was executed. Throws nothing: a
  /// hook has said more.
  uc_err run(std::uint64_t pc);
  /// From a hook: ends run(). From an instruction hook the instruction is not executed.
  void stop();

  /// What an error of run() means.
  static std::string describe(uc_err error) { return uc_strerror(error); }

  static constexpr std::uint64_t kPageBytes = 4096;

 private:
  struct Close {
    void operator()(uc_engine* engine) const { uc_close(engine); }
  };

  static void check(uc_err error, const std::string& what);

  std::unique_ptr<uc_engine, Close> engine_;
};

}  // namespace petal::vp
