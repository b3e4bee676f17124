// SPDX-License-Identifier: Apache-2.0
//
// CommandRun: one slice in flight. Position and scope decide where its ops go (ADR-0065 D3): KERNEL ops
// before the GEMM once, in order; then the tile loop with the tile-scoped ops; then KERNEL ops after it. A
// primitive is the same with one op.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "petal/command/command_sink.hpp"
#include "petal/pe_cpu/completion.hpp"
#include "petal/pe_scheduler/chunk_loop.hpp"
#include "petal/pe_scheduler/kernel_op.hpp"
#include "petal/pe_scheduler/tile_loop.hpp"

namespace petal {

class CommandRun {
 public:
  /// `run` is this object's index among the commands in flight.
  CommandRun(std::uint32_t run, const PeSchedulerConfig& config, const StagingLayout& staging,
             StageOutlet& outlet);

  void load(CommandSlice slice, Picoseconds taken);
  const CommandSlice& slice() const { return slice_; }
  Picoseconds taken() const { return taken_; }
  /// Ops of the slice; 1 for a primitive.
  std::uint64_t op_count() const;

  /// Makes the first stages ready. Afterwards done() may hold at once: a slice can be without work.
  void begin(const CriticalPath& path);
  void stage_ended(const Stage& stage, const CriticalPath& path);
  bool done() const { return phase_ == Phase::done; }
  /// The slice has completed; the object is free for another one.
  void retire();
  bool idle() const { return slice_.command == nullptr; }

  /// Stages that have become ready and have not ended.
  void stage_submitted() { ++stages_under_way_; }
  void stage_left() { --stages_under_way_; }
  bool has_stages_under_way() const { return stages_under_way_ != 0; }
  /// The command fails: stages under way come to their end, no others begin. The first failure counts.
  void fail(CompletionStatus status, std::uint64_t address);
  bool failed() const { return outcome_.status != CompletionStatus::ok; }
  /// How the command ends, as far as is known.
  const Completion& outcome() const { return outcome_; }

  StageViews views_of(const Stage& stage) const;
  /// What `stage` does to data. Precondition: it has not been told to stage_ended yet.
  StageData data_of(const Stage& stage);
  /// False for a command that is timed and not computed.
  bool computes() const { return framing_of(*slice_.command).data_op; }
  /// "gemm", "rmax", "dma_read": the op a stage belongs to.
  std::string_view op_name_of(const Stage& stage) const;
  /// Its opcode on the wire; 0 for a DMA command.
  std::uint8_t opcode_of(const Stage& stage) const {
    return phase_ == Phase::dma ? std::uint8_t{0} : static_cast<std::uint8_t>(stage.opcode);
  }

 private:
  enum class Phase : std::uint8_t { dma, ops, tile_loop, chunk_loop, done };

  void load_ops();
  void adopt(const PeCommand& primitive);
  void start_next(const CriticalPath& path);
  void start_op(const PlacedOp& placed, const CriticalPath& path);
  void start_tile_loop(const PlacedOp& gemm, const CriticalPath& path);
  void start_dma(const CriticalPath& path);
  StageViews dma_views() const;

  const std::uint32_t run_;
  StageOutlet& outlet_;
  CommandSlice slice_;
  Picoseconds taken_{0};
  Phase phase_ = Phase::done;
  OpSpec primitive_op_;             // a primitive GEMM or MATH command as an op
  std::vector<PlacedOp> ops_;       // of this slice
  std::vector<PlacedOp> tile_ops_;  // those of the tile loop
  std::uint32_t stages_under_way_ = 0;
  Completion outcome_;
  std::size_t next_op_ = 0;
  std::uint64_t next_number_ = 0;
  std::optional<KernelOp> kernel_op_;
  TileLoop tile_loop_;
  ChunkLoop chunk_loop_;
  std::unique_ptr<RegisterFile> registers_;  // only in data mode
};

// Here, because it is called for every stage.
inline void CommandRun::stage_ended(const Stage& stage, const CriticalPath& path) {
  switch (phase_) {
    case Phase::dma:
      phase_ = Phase::done;
      return;
    case Phase::ops:
      if (kernel_op_->stage_ended(stage, path)) start_next(path);
      return;
    case Phase::tile_loop:
      tile_loop_.stage_ended(stage, path);
      if (tile_loop_.done()) start_next(path);
      return;
    case Phase::chunk_loop:
      chunk_loop_.stage_ended(stage, path);
      if (chunk_loop_.done()) start_next(path);
      return;
    case Phase::done:
      return;
  }
}

}  // namespace petal
