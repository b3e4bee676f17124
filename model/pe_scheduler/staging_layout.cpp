// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/staging_layout.hpp"

#include <algorithm>

#include "petal/command/integer_math.hpp"

namespace petal {
namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kWidestElement = 4;
/// A streamed MATH op has up to three operands, a GEMM two.
constexpr std::uint64_t kOperands = 3;

}  // namespace

StagingLayout::StagingLayout(const PeSchedulerConfig& config, const TcmConfig& tcm)
    : base_(round_up(tcm.arena.count(), kAlignment)),
      operand_bytes_(round_up(kWidestElement * std::max({config.gemm_tile.m * config.gemm_tile.k,
                                                         config.gemm_tile.k * config.gemm_tile.n,
                                                         config.gemm_tile.m * config.gemm_tile.n}),
                              kAlignment)),
      out_bytes_(round_up(kWidestElement * config.gemm_tile.m * config.gemm_tile.n, kAlignment)),
      run_bytes_(config.tile_buffers * (kOperands * operand_bytes_ + out_bytes_)),
      buffers_(config.tile_buffers),
      max_in_flight_(config.max_in_flight) {}

std::uint64_t StagingLayout::operand_address(std::uint32_t run, std::uint64_t step,
                                             std::uint32_t operand) const {
  return base_ + run * run_bytes_ + ((step % buffers_) * kOperands + operand) * operand_bytes_;
}

std::uint64_t StagingLayout::out_address(std::uint32_t run, std::uint64_t tile) const {
  return base_ + run * run_bytes_ + buffers_ * kOperands * operand_bytes_ + (tile % buffers_) * out_bytes_;
}

}  // namespace petal
