// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/chunk_loop.hpp"

#include <algorithm>

#include "petal/command/integer_math.hpp"
#include "petal/numerics/tensor_tile.hpp"
#include "petal/pe_scheduler/kernel_op.hpp"
#include "petal/pe_scheduler/op_tile.hpp"

namespace petal {
namespace {

constexpr std::uint64_t kFetch = 3;
constexpr std::uint64_t kMath = 4;
constexpr std::uint64_t kStore = 5;
constexpr std::uint64_t kWrite = 6;

}  // namespace

void ChunkLoop::load(const RunContext& context, const PlacedOp& placed, std::uint64_t first_number) {
  context_ = context;
  placed_ = placed;
  first_number_ = first_number;
  elements_ = math_elements(*placed.op);
  chunk_elements_ = config_.gemm_tile.m * config_.gemm_tile.n;
  chunks_ = divide_up(elements_, chunk_elements_);
  read_ = compute_ = 0;
  arrived_.assign(config_.tile_buffers, 0);
  slots_in_use_ = out_slots_in_use_ = 0;
  computing_ = store_waits_for_slot_ = false;
}

std::uint8_t ChunkLoop::streamed_operands() const {
  unsigned streamed = 0;
  for (std::size_t operand = 0; operand < placed_.op->operands.size(); ++operand)
    if (streams(operand)) streamed |= 1U << operand;
  return static_cast<std::uint8_t>(streamed);
}

void ChunkLoop::begin(const CriticalPath& path) {
  read_ahead(path);
  compute_next(path);
}

void ChunkLoop::stage_ended(const Stage& stage, const CriticalPath& path) {
  switch (stage.kind) {
    case StageKind::dma_read:
      arrived_[stage.step % config_.tile_buffers] |= static_cast<std::uint8_t>(1U << stage.operand);
      return compute_next(path);
    case StageKind::fetch: {
      if (streamed_operands() != 0) --slots_in_use_;
      Stage& math = make_stage(StageKind::math, compute_, kMath);
      math.elements = elements_of(compute_);
      outlet_.submit(path);
      return read_ahead(path);
    }
    case StageKind::math:
      return store_chunk(path);
    case StageKind::store:
      return store_ended(path);
    case StageKind::dma_write:
      --out_slots_in_use_;
      if (store_waits_for_slot_) store_chunk(path);
      return;
    case StageKind::gemm:
      return;
  }
}

void ChunkLoop::read_ahead(const CriticalPath& path) {
  if (streamed_operands() == 0) return;
  for (; read_ < chunks_ && slots_in_use_ < config_.tile_buffers; ++read_) {
    ++slots_in_use_;
    arrived_[read_ % config_.tile_buffers] = 0;
    for (std::size_t operand = 0; operand < placed_.op->operands.size(); ++operand) {
      if (!streams(operand)) continue;
      Stage& stage = make_stage(StageKind::dma_read, read_, operand);
      stage.operand = static_cast<std::uint8_t>(operand);
      stage.access = access_of(chunk_view(placed_.op->operands[operand], read_));
      stage.bytes = stage.access.bytes().count();
      outlet_.submit(path);
    }
  }
}

void ChunkLoop::compute_next(const CriticalPath& path) {
  if (computing_ || compute_ >= chunks_) return;
  const std::uint8_t streamed = streamed_operands();
  if (streamed != 0 && (compute_ >= read_ || arrived_[compute_ % config_.tile_buffers] != streamed)) return;
  computing_ = true;
  Stage& stage = make_stage(StageKind::fetch, compute_, kFetch);
  for (const TensorHandle& operand : placed_.op->operands)
    stage.bytes += chunk_view(operand, compute_).bytes().count();
  outlet_.submit(path);
}

void ChunkLoop::store_chunk(const CriticalPath& path) {
  store_waits_for_slot_ = out_in_hbm() && out_slots_in_use_ == config_.tile_buffers;
  if (store_waits_for_slot_) return;
  if (out_in_hbm()) ++out_slots_in_use_;
  Stage& stage = make_stage(StageKind::store, compute_, kStore);
  stage.bytes = chunk_view(*placed_.op->out, compute_).bytes().count();
  outlet_.submit(path);
}

void ChunkLoop::store_ended(const CriticalPath& path) {
  if (out_in_hbm()) {
    Stage& stage = make_stage(StageKind::dma_write, compute_, kWrite);
    stage.access = access_of(chunk_view(*placed_.op->out, compute_));
    stage.bytes = stage.access.bytes().count();
    outlet_.submit(path);
  }
  computing_ = false;
  ++compute_;
  compute_next(path);
}

std::uint64_t ChunkLoop::elements_of(std::uint64_t chunk) const {
  return std::min(chunk_elements_, elements_ - chunk * chunk_elements_);
}

TensorHandle ChunkLoop::chunk_view(const TensorHandle& tensor, std::uint64_t chunk) const {
  const std::uint64_t first = chunk * chunk_elements_;
  if (tensor.elements() == elements_) return elements_of_dense(tensor, first, elements_of(chunk));
  if (tensor.elements() == 0 || tensor.elements() > elements_) return tensor;
  const std::uint64_t row = elements_ / tensor.elements();
  const std::uint64_t first_row = std::min(tensor.elements(), first / row);
  const std::uint64_t end_row = std::min(tensor.elements(), divide_up(first + elements_of(chunk), row));
  return elements_of_dense(tensor, first_row, end_row - first_row);
}

Stage& ChunkLoop::make_stage(StageKind kind, std::uint64_t chunk, std::uint64_t offset) const {
  Stage& stage = outlet_.prepare();
  stage.kind = kind;
  stage.has_tile = true;
  stage.opcode = placed_.op->kind;
  stage.op_index = placed_.index;
  stage.command = context_.command;
  stage.run = context_.run;
  stage.number = first_number_ + chunk * kNumbersAChunk + offset;
  stage.step = chunk;
  stage.tile = {chunk, 0, 0};
  return stage;
}

StageViews ChunkLoop::views_of(const Stage& stage) const {
  const auto in_memory = [&](const TensorHandle& tensor) { return chunk_view(tensor, stage.step); };
  const auto in_slot = [&](std::size_t operand) {
    return staged(in_memory(placed_.op->operands[operand]),
                  staging_.operand_address(context_.run, stage.step, static_cast<std::uint32_t>(operand)));
  };
  const TensorHandle out = in_memory(*placed_.op->out);
  const TensorHandle staged_out = staged(out, staging_.out_address(context_.run, stage.step));
  StageViews views;
  switch (stage.kind) {
    case StageKind::dma_read:
      views.add_read(in_memory(placed_.op->operands[stage.operand]));
      views.write = in_slot(stage.operand);
      break;
    case StageKind::fetch:
      for (std::size_t operand = 0; operand < placed_.op->operands.size(); ++operand)
        views.add_read(streams(operand) ? in_slot(operand) : in_memory(placed_.op->operands[operand]));
      break;
    case StageKind::store:
      views.write = out_in_hbm() ? staged_out : out;
      break;
    case StageKind::dma_write:
      views.add_read(staged_out);
      views.write = out;
      break;
    default:
      break;
  }
  return views;
}

// A chunk is one row of elements; only a reduction sees its rows.
StageData ChunkLoop::data_of(const Stage& stage, RegisterFile& registers) const {
  const OpSpec& op = *placed_.op;
  const std::uint64_t elements = elements_of(stage.step);
  StageData data = math_op_data(op, views_of(stage), registers);
  data.shape = {1, elements};
  if (schema_of(op.kind).reduces) {
    const std::uint64_t row = matrix_shape_of(op.operands[0].shape).columns;
    data.shape = {row == 0 ? 0 : elements / row, row};
  }
  for (std::size_t index = 0; index < op.operands.size(); ++index) {
    const std::uint64_t values = op.operands[index].elements();
    if (values == elements_)
      data.fetched[index].shape = data.shape;
    else if (values != 0)
      data.fetched[index].row_values = RowValues{stage.step * chunk_elements_, elements_ / values, elements};
  }
  return data;
}

}  // namespace petal
