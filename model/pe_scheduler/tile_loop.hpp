// SPDX-License-Identifier: Apache-2.0
//
// TileLoop: the head GEMM of a command in flight, with the ops that run inside its tile loop (ADR-0065 D3).
//
// For each step (m, n, k) of the tile plan:
//
//     DMA_READ a, DMA_READ b   only for operands in HBM; bounded by `tile_buffers` staging slots
//     FETCH a, FETCH b         of step t+1 may run during GEMM t, of step t+2 not
//     GEMM                     after GEMM t-1 and its K_TILE ops; a tile's first one after the last STORE
//     K_TILE ops               FETCH of their other operands, MATH
//
// without FETCH, GEMM and K_TILE ops where k is 0,
// and after the last k of an output tile: OUTPUT_TILE ops, STORE, and DMA_WRITE if the out is in HBM, which
// starts with its STORE to hold one of `tile_buffers` out slots.
//
// The loop keeps three cursors (the next step to read, to fetch, to compute), so its memory does not depend
// on the number of tiles.
#pragma once

#include <array>
#include <vector>

#include "petal/engines/stage_data.hpp"
#include "petal/pe_scheduler/stage_outlet.hpp"
#include "petal/pe_scheduler/staging_layout.hpp"
#include "petal/pe_scheduler/tile_plan.hpp"

namespace petal {

class TileLoop {
 public:
  TileLoop(const PeSchedulerConfig& config, const StagingLayout& staging, StageOutlet& outlet);

  /// Sets the loop up; `tile_ops` are the K_TILE and OUTPUT_TILE ops in position order, `first_number` is the
  /// plan number of the first stage.
  void load(const RunContext& context, const PlacedOp& gemm, const std::vector<PlacedOp>& tile_ops,
            std::uint64_t first_number);
  /// Plan numbers the loop takes.
  std::uint64_t numbers() const { return plan_.steps() * numbers_a_step_; }

  void begin(const CriticalPath& path);
  void stage_ended(const Stage& stage, const CriticalPath& path);
  bool done() const { return compute_.number == plan_.steps() && out_slots_in_use_ == 0; }
  StageViews views_of(const Stage& stage) const;
  StageData data_of(const Stage& stage, RegisterFile& registers) const;

 private:
  void read_ahead(const CriticalPath& path);
  void fetch_next(const CriticalPath& path);
  void compute_next(const CriticalPath& path);
  void fetch_ended(const CriticalPath& path);
  void gemm_ended(const CriticalPath& path);
  void continue_chain(const CriticalPath& path);
  void start_chain_op(const CriticalPath& path);
  void store_tile(const CriticalPath& path);
  void store_ended(const Stage& stage, const CriticalPath& path);
  void step_ended(const CriticalPath& path);

  bool streams(std::size_t operand) const { return !gemm_.op->operands[operand].pinned(); }
  bool streams_any() const { return streams(0) || streams(1); }
  bool is_product_free() const { return shape_.k == 0; }
  bool out_in_hbm() const { return gemm_.op->out->space == Space::hbm; }
  void next_slot(std::uint32_t& slot) const;
  const PlacedOp* chain_op() const;
  bool needs_fetch(const OpSpec& op) const { return op.operands.size() > 1; }
  Stage& make_stage(StageKind kind, const TileStep& step, const PlacedOp& placed, std::uint64_t offset) const;
  void submit_operand(StageKind kind, const TileStep& step, std::size_t operand, const CriticalPath& path);
  TileRect operand_rect(const TileStep& step, std::size_t operand) const;
  std::uint64_t fetch_bytes(const OpSpec& op, const TileStep& step) const;
  static TileRect out_rect(const TileStep& step);
  void add_fetched(const Stage& stage, const TileStep& step, StageViews& views) const;
  std::uint64_t slot_address(const Stage& stage) const;
  const PlacedOp& placed_at(std::uint32_t op_index) const;
  void add_fetch_data(const Stage& stage, RegisterFile& registers, StageData& data) const;
  void add_gemm_data(const Stage& stage, RegisterFile& registers, StageData& data) const;
  void add_math_data(const Stage& stage, RegisterFile& registers, StageData& data) const;
  bool is_first_after_sum(const Stage& stage) const;
  TileStep step_of(const Stage& stage) const;

  const PeSchedulerConfig& config_;
  const StagingLayout& staging_;
  StageOutlet& outlet_;

  RunContext context_;
  PlacedOp gemm_;
  std::vector<PlacedOp> k_tile_ops_;
  std::vector<PlacedOp> output_tile_ops_;
  GemmShape shape_;
  DType rate_dtype_ = DType::f32;
  TilePlan plan_;
  std::uint64_t first_number_ = 0;
  std::uint64_t numbers_a_step_ = 0;

  TileStep read_;                             // the next step whose operands are to be read from HBM
  TileStep fetch_;                            // the next step to be fetched
  TileStep compute_;                          // the step being computed, or the next one
  std::array<TileAccess, 2> operand_access_;  // of the streamed operands
  std::uint32_t slots_in_use_ = 0;
  std::uint32_t read_slot_ = 0;        // of read_'s step
  std::uint32_t fetch_slot_ = 0;       // of fetch_'s step
  std::vector<std::uint8_t> arrived_;  // by slot, a bit for each operand
  std::uint8_t fetch_operand_ = 0;
  bool fetching_ = false;
  bool computing_ = false;
  std::uint64_t gemms_ended_ = 0;
  std::size_t chain_position_ = 0;
  bool store_waits_for_slot_ = false;
  std::uint32_t out_slots_in_use_ = 0;  // each until its DMA_WRITE has ended
};

/// The dtype that sets a GEMM's rate: the wider operand's.
DType wider(DType a, DType b);

}  // namespace petal
