// SPDX-License-Identifier: Apache-2.0
//
// StagingLayout: the scheduler's own part of the TCM, beyond the kernel's arena. Each command in flight has
// slots for streamed operands and slots for results on their way to HBM (SPEC 11.13).
#pragma once

#include <cstdint>

#include "petal/memory/memory_config.hpp"
#include "petal/pe_scheduler/pe_scheduler_config.hpp"

namespace petal {

class StagingLayout {
 public:
  StagingLayout(const PeSchedulerConfig& config, const TcmConfig& tcm);

  /// Address of the part of slot `step % tile_buffers` that holds `operand`.
  std::uint64_t operand_address(std::uint32_t run, std::uint64_t step, std::uint32_t operand) const;
  /// Address of out slot `tile % tile_buffers`.
  std::uint64_t out_address(std::uint32_t run, std::uint64_t tile) const;
  /// What the whole window needs, in bytes.
  Bytes total() const { return Bytes(run_bytes_ * max_in_flight_); }

 private:
  std::uint64_t base_;
  std::uint64_t operand_bytes_;
  std::uint64_t out_bytes_;
  std::uint64_t run_bytes_;
  std::uint32_t buffers_;
  std::uint32_t max_in_flight_;
};

}  // namespace petal
