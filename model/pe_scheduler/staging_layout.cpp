// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/staging_layout.hpp"

#include <algorithm>

namespace petal {
namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kWidestElement = 4;
/// A streamed MATH op has up to three operands, a GEMM two.
constexpr std::uint64_t kOperands = 3;

std::uint64_t align_up(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

StagingLayout::StagingLayout(const PeSchedulerConfig& config, const TcmConfig& tcm)
    : base_(align_up(tcm.arena.count())),
      operand_bytes_(align_up(kWidestElement * std::max({config.gemm_tile.m * config.gemm_tile.k,
                                                         config.gemm_tile.k * config.gemm_tile.n,
                                                         config.gemm_tile.m * config.gemm_tile.n}))),
      out_bytes_(align_up(kWidestElement * config.gemm_tile.m * config.gemm_tile.n)),
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
