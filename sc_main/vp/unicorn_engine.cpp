// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/unicorn_engine.hpp"

#include <fmt/format.h>

#include <limits>

#include "petal/command/error.hpp"

namespace petal::vp {
namespace {

/// An address at which no instruction can stand, so that only hooks end a run.
constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max() - 1;

}  // namespace

void UnicornEngine::check(uc_err error, const std::string& what) {
  if (error != UC_ERR_OK)
    throw SimulationError(fmt::format("the RISC-V emulator cannot {}: {}", what, uc_strerror(error)));
}

UnicornEngine::UnicornEngine() {
  uc_engine* engine = nullptr;
  check(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV64, &engine), "start");
  engine_.reset(engine);
}

void UnicornEngine::map(const AddressRange& range, PageUse use, void* memory) {
  check(uc_mem_map_ptr(engine_.get(), range.begin, range.bytes, static_cast<std::uint32_t>(use), memory),
        fmt::format("map {} bytes at {:#x}", range.bytes, range.begin));
}

void UnicornEngine::unmap(const AddressRange& range) {
  check(uc_ctl_remove_cache(engine_.get(), range.begin, range.begin + range.bytes),
        fmt::format("forget the code at {:#x}", range.begin));
  check(uc_mem_unmap(engine_.get(), range.begin, range.bytes), fmt::format("unmap {:#x}", range.begin));
}

std::uint64_t UnicornEngine::read_register(uc_riscv_reg reg) const {
  std::uint64_t value = 0;
  check(uc_reg_read(engine_.get(), reg, &value), fmt::format("read register {}", static_cast<int>(reg)));
  return value;
}

void UnicornEngine::write_register(uc_riscv_reg reg, std::uint64_t value) {
  check(uc_reg_write(engine_.get(), reg, &value), fmt::format("write register {}", static_cast<int>(reg)));
}

void UnicornEngine::add_hook(int kinds, void* callback, void* user) {
  uc_hook hook = 0;
  const std::uint64_t begin = 1;  // a range that ends before it begins: everywhere
  const std::uint64_t end = 0;
  check(uc_hook_add(engine_.get(), &hook, kinds, callback, user, begin, end), "add a hook");
}

uc_err UnicornEngine::run(std::uint64_t pc) {
  return uc_emu_start(engine_.get(), pc, kNowhere, 0, 0);
}

void UnicornEngine::stop() {
  uc_emu_stop(engine_.get());
}

}  // namespace petal::vp
