// SPDX-License-Identifier: Apache-2.0
//
// ChunkLoop: a MATH op that streams operands from HBM, or its out to HBM, in chunks of gemm_tile.m x
// gemm_tile.n elements (SPEC 11.15). Each chunk is DMA_READ of each operand in HBM, one FETCH of all
// operands, MATH, STORE and, if the out is in HBM, DMA_WRITE. Reads run ahead, bounded by `tile_buffers`
// staging slots; a chunk's DMA_WRITE holds one of `tile_buffers` out slots from its STORE on. Chunks are
// computed one after the other.
#pragma once

#include <vector>

#include "petal/engines/stage_data.hpp"
#include "petal/pe_scheduler/pe_scheduler_config.hpp"
#include "petal/pe_scheduler/stage_outlet.hpp"
#include "petal/pe_scheduler/staging_layout.hpp"

namespace petal {

class ChunkLoop {
 public:
  ChunkLoop(const PeSchedulerConfig& config, const StagingLayout& staging, StageOutlet& outlet)
      : config_(config), staging_(staging), outlet_(outlet) {}

  void load(const RunContext& context, const PlacedOp& placed, std::uint64_t first_number);
  std::uint64_t numbers() const { return chunks_ * kNumbersAChunk; }

  void begin(const CriticalPath& path);
  void stage_ended(const Stage& stage, const CriticalPath& path);
  bool done() const { return compute_ == chunks_ && out_slots_in_use_ == 0; }
  StageViews views_of(const Stage& stage) const;
  StageData data_of(const Stage& stage, RegisterFile& registers) const;

 private:
  static constexpr std::uint64_t kMaxOperands = 3;
  static constexpr std::uint64_t kNumbersAChunk = kMaxOperands + 4;

  void read_ahead(const CriticalPath& path);
  void compute_next(const CriticalPath& path);
  void store_chunk(const CriticalPath& path);
  void store_ended(const CriticalPath& path);
  bool streams(std::size_t operand) const { return !placed_.op->operands[operand].pinned(); }
  std::uint8_t streamed_operands() const;
  bool out_in_hbm() const { return placed_.op->out->space == Space::hbm; }
  std::uint64_t elements_of(std::uint64_t chunk) const;
  /// The elements of `tensor` that `chunk` needs, as a vector; of a tensor with one value a row, those of the
  /// chunk's rows.
  TensorHandle chunk_view(const TensorHandle& tensor, std::uint64_t chunk) const;
  Stage& make_stage(StageKind kind, std::uint64_t chunk, std::uint64_t offset) const;

  const PeSchedulerConfig& config_;
  const StagingLayout& staging_;
  StageOutlet& outlet_;
  RunContext context_;
  PlacedOp placed_;
  std::uint64_t first_number_ = 0;
  std::uint64_t elements_ = 0;
  std::uint64_t chunk_elements_ = 1;
  std::uint64_t chunks_ = 0;
  std::uint64_t read_ = 0;     // next chunk to read
  std::uint64_t compute_ = 0;  // chunk being computed, or the next one
  std::vector<std::uint8_t> arrived_;
  std::uint32_t slots_in_use_ = 0;
  std::uint32_t out_slots_in_use_ = 0;  // each until its DMA_WRITE has ended
  bool computing_ = false;
  bool store_waits_for_slot_ = false;
};

}  // namespace petal
