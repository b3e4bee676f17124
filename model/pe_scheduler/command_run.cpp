// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/command_run.hpp"

#include <algorithm>
#include <utility>

#include "petal/pe_scheduler/dma_op.hpp"

namespace petal {
namespace {

OpSpec as_op(const GemmCmd& command) {
  OpSpec op;
  op.kind = Opcode::gemm;
  op.operands = {command.a, command.b};
  op.extras = {static_cast<std::int32_t>(command.m), static_cast<std::int32_t>(command.k),
               static_cast<std::int32_t>(command.n)};
  if (command.scale) op.extras.emplace_back(*command.scale);
  op.out = command.out;
  return op;
}

OpSpec as_op(const MathCmd& command) {
  OpSpec op;
  op.kind = command.kind;
  op.operands = command.operands;
  op.extras = command.extras;
  op.out = command.out;
  return op;
}

bool touches_hbm(const OpSpec& op) {
  const auto in_hbm = [](const TensorHandle& tensor) { return tensor.space == Space::hbm; };
  return std::any_of(op.operands.begin(), op.operands.end(), in_hbm) || (op.out && in_hbm(*op.out));
}

}  // namespace

CommandRun::CommandRun(std::uint32_t run, const PeSchedulerConfig& config, const StagingLayout& staging,
                       StageOutlet& outlet)
    : run_(run), outlet_(outlet), tile_loop_(config, staging, outlet), chunk_loop_(config, staging, outlet) {}

void CommandRun::load(CommandSlice slice, Picoseconds taken) {
  slice_ = std::move(slice);
  taken_ = taken;
  outcome_ = Completion{slice_.completion, CompletionStatus::ok, 0};
  next_op_ = 0;
  next_number_ = 0;
  load_ops();
}

void CommandRun::load_ops() {
  ops_.clear();
  if (const auto* const composite = std::get_if<CompositeCmd>(slice_.command.get())) {
    for (std::uint32_t index = slice_.first_op; index < slice_.last_op; ++index)
      ops_.emplace_back(&composite->ops[index], index);
  } else {
    adopt(*slice_.command);
  }
}

void CommandRun::adopt(const PeCommand& primitive) {
  if (const auto* const gemm = std::get_if<GemmCmd>(&primitive))
    primitive_op_ = as_op(*gemm);
  else if (const auto* const math = std::get_if<MathCmd>(&primitive))
    primitive_op_ = as_op(*math);
  else
    return;
  ops_.emplace_back(&primitive_op_, 0);
}

std::uint64_t CommandRun::op_count() const {
  return std::holds_alternative<CompositeCmd>(*slice_.command) ? ops_.size() : 1;
}

void CommandRun::begin(const CriticalPath& path) {
  phase_ = Phase::ops;
  if (std::holds_alternative<DmaReadCmd>(*slice_.command) ||
      std::holds_alternative<DmaWriteCmd>(*slice_.command))
    return start_dma(path);
  start_next(path);
}

void CommandRun::fail(CompletionStatus status, std::uint64_t address) {
  if (failed()) return;
  outcome_.status = status;
  outcome_.fault_address = address;
}

void CommandRun::retire() {
  stages_under_way_ = 0;
  slice_ = CommandSlice{};
  kernel_op_.reset();
}

void CommandRun::start_dma(const CriticalPath& path) {
  phase_ = Phase::dma;
  const RunContext context{slice_.completion, run_};
  Stage& stage = outlet_.prepare();
  if (const auto* const read = std::get_if<DmaReadCmd>(slice_.command.get()))
    fill_dma_primitive(stage, context, StageKind::dma_read, read->src);
  else
    fill_dma_primitive(stage, context, StageKind::dma_write, std::get<DmaWriteCmd>(*slice_.command).dst);
  outlet_.submit(path);
}

void CommandRun::start_next(const CriticalPath& path) {
  while (next_op_ < ops_.size()) {
    const PlacedOp& placed = ops_[next_op_];
    if (placed.op->kind == Opcode::gemm) {
      start_tile_loop(placed, path);
      if (!tile_loop_.done()) return;
      continue;
    }
    ++next_op_;
    return start_op(placed, path);
  }
  phase_ = Phase::done;
}

void CommandRun::start_op(const PlacedOp& placed, const CriticalPath& path) {
  const RunContext context{slice_.completion, run_};
  if (touches_hbm(*placed.op)) {
    phase_ = Phase::chunk_loop;
    chunk_loop_.load(context, placed, next_number_);
    next_number_ += chunk_loop_.numbers();
    chunk_loop_.begin(path);
    if (chunk_loop_.done()) start_next(path);
    return;
  }
  phase_ = Phase::ops;
  kernel_op_.emplace(context, placed, next_number_, outlet_);
  next_number_ += KernelOp::kNumbers;
  kernel_op_->begin(path);
}

void CommandRun::start_tile_loop(const PlacedOp& gemm, const CriticalPath& path) {
  phase_ = Phase::tile_loop;
  ++next_op_;
  tile_ops_.clear();
  for (; next_op_ < ops_.size() && ops_[next_op_].op->scope != Scope::kernel; ++next_op_)
    tile_ops_.push_back(ops_[next_op_]);
  tile_loop_.load({slice_.completion, run_}, gemm, tile_ops_, next_number_);
  next_number_ += tile_loop_.numbers();
  tile_loop_.begin(path);
}

StageViews CommandRun::views_of(const Stage& stage) const {
  switch (phase_) {
    case Phase::dma:
      return dma_views();
    case Phase::ops:
      return KernelOp::views_of(*ops_[next_op_ - 1].op, stage);
    case Phase::tile_loop:
      return tile_loop_.views_of(stage);
    case Phase::chunk_loop:
      return chunk_loop_.views_of(stage);
    case Phase::done:
      break;
  }
  return {};
}

StageData CommandRun::data_of(const Stage& stage) {
  if (!registers_) registers_ = std::make_unique<RegisterFile>();
  switch (phase_) {
    case Phase::ops:
      return KernelOp::data_of(*ops_[next_op_ - 1].op, stage, *registers_);
    case Phase::tile_loop:
      return tile_loop_.data_of(stage, *registers_);
    case Phase::chunk_loop:
      return chunk_loop_.data_of(stage, *registers_);
    default: {
      StageData data;
      data.views = views_of(stage);
      return data;
    }
  }
}

StageViews CommandRun::dma_views() const {
  StageViews views;
  const auto add = [&views](const auto& command) {
    views.add_read(command.src);
    views.write = command.dst;
  };
  if (const auto* const read = std::get_if<DmaReadCmd>(slice_.command.get())) add(*read);
  if (const auto* const write = std::get_if<DmaWriteCmd>(slice_.command.get())) add(*write);
  return views;
}

std::string_view CommandRun::op_name_of(const Stage& stage) const {
  return phase_ == Phase::dma ? op_name(*slice_.command) : name_of(stage.opcode);
}

}  // namespace petal
