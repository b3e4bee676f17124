// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/tile_loop.hpp"

#include "petal/pe_scheduler/op_tile.hpp"

namespace petal {
namespace {

// A stage's place within its step's plan numbers.
constexpr std::uint64_t kReadA = 0;
constexpr std::uint64_t kFetchA = 2;
constexpr std::uint64_t kGemm = 4;
constexpr std::uint64_t kChain = 5;

/// Products of integers are summed as integers (SPEC 11.17).
TileElement accumulator_element_of(const OpSpec& gemm) {
  return tile_element_of(gemm.operands[0].dtype);
}

}  // namespace

DType wider(DType a, DType b) {
  return size_of(b) > size_of(a) ? b : a;
}

TileLoop::TileLoop(const PeSchedulerConfig& config, const StagingLayout& staging, StageOutlet& outlet)
    : config_(config), staging_(staging), outlet_(outlet) {}

void TileLoop::load(const RunContext& context, const PlacedOp& gemm, const std::vector<PlacedOp>& tile_ops,
                    std::uint64_t first_number) {
  context_ = context;
  gemm_ = gemm;
  k_tile_ops_.clear();
  output_tile_ops_.clear();
  for (const PlacedOp& placed : tile_ops)
    (placed.op->scope == Scope::k_tile ? k_tile_ops_ : output_tile_ops_).push_back(placed);
  shape_ = gemm_shape_of(*gemm.op);
  rate_dtype_ = wider(gemm.op->operands[0].dtype, gemm.op->operands[1].dtype);
  plan_ = TilePlan(shape_, config_.gemm_tile);
  first_number_ = first_number;
  numbers_a_step_ = kChain + 2 * tile_ops.size() + 2;
  read_ = fetch_ = compute_ = plan_.first();
  operand_access_ = {};
  arrived_.assign(config_.tile_buffers, 0);
  slots_in_use_ = out_slots_in_use_ = 0;
  read_slot_ = fetch_slot_ = 0;
  fetch_operand_ = 0;
  fetching_ = computing_ = store_waits_for_slot_ = false;
  gemms_ended_ = 0;
  chain_position_ = 0;
}

void TileLoop::begin(const CriticalPath& path) {
  read_ahead(path);
  fetch_next(path);
  compute_next(path);
}

void TileLoop::stage_ended(const Stage& stage, const CriticalPath& path) {
  switch (stage.kind) {
    case StageKind::dma_read:
      arrived_[stage.slot] |= static_cast<std::uint8_t>(1U << stage.operand);
      return fetch_next(path);
    case StageKind::fetch:
      if (stage.op_index == gemm_.index) return fetch_ended(path);
      return start_chain_op(path);
    case StageKind::gemm:
      return gemm_ended(path);
    case StageKind::math:
      ++chain_position_;
      return continue_chain(path);
    case StageKind::store:
      return store_ended(stage, path);
    case StageKind::dma_write:
      --out_slots_in_use_;
      if (store_waits_for_slot_) store_tile(path);
      return;
  }
}

void TileLoop::read_ahead(const CriticalPath& path) {
  if (!streams_any() || is_product_free()) return;
  while (read_.number < plan_.steps() && slots_in_use_ < config_.tile_buffers) {
    ++slots_in_use_;
    arrived_[read_slot_] = 0;
    for (std::size_t operand = 0; operand < 2; ++operand)
      if (streams(operand)) submit_operand(StageKind::dma_read, read_, operand, path);
    plan_.advance(read_);
    next_slot(read_slot_);
  }
}

// The engine's operand buffers are double: the operands of step t+1 may arrive during GEMM t, those of t+2
// not.
void TileLoop::fetch_next(const CriticalPath& path) {
  if (fetching_ || is_product_free() || fetch_.number >= plan_.steps()) return;
  if (fetch_.number >= gemms_ended_ + 2) return;
  if (streams(fetch_operand_)) {
    if (fetch_.number >= read_.number) return;
    const unsigned arrived = arrived_[fetch_slot_];
    if ((arrived >> fetch_operand_ & 1U) == 0) return;
  }
  fetching_ = true;
  submit_operand(StageKind::fetch, fetch_, fetch_operand_, path);
}

void TileLoop::fetch_ended(const CriticalPath& path) {
  fetching_ = false;
  if (fetch_operand_ == 0) {
    fetch_operand_ = 1;
    return fetch_next(path);
  }
  fetch_operand_ = 0;
  plan_.advance(fetch_);
  next_slot(fetch_slot_);
  if (streams_any()) --slots_in_use_;
  read_ahead(path);
  fetch_next(path);
  compute_next(path);
}

void TileLoop::compute_next(const CriticalPath& path) {
  if (computing_ || compute_.number >= plan_.steps()) return;
  if (is_product_free()) {
    computing_ = true;
    chain_position_ = k_tile_ops_.size();  // there is no K tile for them to follow
    return continue_chain(path);
  }
  if (compute_.number >= fetch_.number) return;
  computing_ = true;
  Stage& stage = make_stage(StageKind::gemm, compute_, gemm_, kGemm);
  stage.dtype = rate_dtype_;
  stage.extent = compute_.extent;
  outlet_.submit(path);
}

void TileLoop::gemm_ended(const CriticalPath& path) {
  ++gemms_ended_;
  fetch_next(path);
  chain_position_ = 0;
  continue_chain(path);
}

void TileLoop::next_slot(std::uint32_t& slot) const {
  if (++slot == config_.tile_buffers) slot = 0;
}

const PlacedOp* TileLoop::chain_op() const {
  if (chain_position_ < k_tile_ops_.size()) return &k_tile_ops_[chain_position_];
  const std::size_t position = chain_position_ - k_tile_ops_.size();
  if (!compute_.last_k || position >= output_tile_ops_.size()) return nullptr;
  return &output_tile_ops_[position];
}

void TileLoop::continue_chain(const CriticalPath& path) {
  const PlacedOp* const placed = chain_op();
  if (placed == nullptr) return compute_.last_k ? store_tile(path) : step_ended(path);
  if (!needs_fetch(*placed->op)) return start_chain_op(path);
  Stage& stage = make_stage(StageKind::fetch, compute_, *placed, kChain + 2 * chain_position_);
  stage.operand = 1;
  stage.bytes = fetch_bytes(*placed->op, compute_);
  outlet_.submit(path);
}

void TileLoop::start_chain_op(const CriticalPath& path) {
  Stage& stage = make_stage(StageKind::math, compute_, *chain_op(), kChain + 2 * chain_position_ + 1);
  stage.elements = compute_.extent.m * compute_.extent.n;
  outlet_.submit(path);
}

void TileLoop::store_tile(const CriticalPath& path) {
  store_waits_for_slot_ = out_in_hbm() && out_slots_in_use_ == config_.tile_buffers;
  if (store_waits_for_slot_) return;
  if (out_in_hbm()) ++out_slots_in_use_;
  Stage& stage = make_stage(StageKind::store, compute_, gemm_, numbers_a_step_ - 2);
  stage.bytes = compute_.extent.m * compute_.extent.n * size_of(gemm_.op->out->dtype);
  outlet_.submit(path);
}

void TileLoop::store_ended(const Stage& stored, const CriticalPath& path) {
  if (out_in_hbm()) {
    Stage& stage = make_stage(StageKind::dma_write, compute_, gemm_, numbers_a_step_ - 1);
    stage.bytes = stored.bytes;
    stage.access = access_of(part_of(*gemm_.op->out, out_rect(compute_)));
    outlet_.submit(path);
  }
  step_ended(path);
}

void TileLoop::step_ended(const CriticalPath& path) {
  computing_ = false;
  plan_.advance(compute_);
  compute_next(path);
}

Stage& TileLoop::make_stage(StageKind kind, const TileStep& step, const PlacedOp& placed,
                            std::uint64_t offset) const {
  Stage& stage = outlet_.prepare();
  stage.kind = kind;
  stage.has_tile = true;
  stage.opcode = placed.op->kind;
  stage.op_index = placed.index;
  stage.command = context_.command;
  stage.run = context_.run;
  stage.number = first_number_ + step.number * numbers_a_step_ + offset;
  stage.step = step.number;
  stage.tile = step.index;
  return stage;
}

TileRect TileLoop::operand_rect(const TileStep& step, std::size_t operand) const {
  return operand == 0 ? TileRect{step.origin.m, step.origin.k, step.extent.m, step.extent.k}
                      : TileRect{step.origin.k, step.origin.n, step.extent.k, step.extent.n};
}

void TileLoop::submit_operand(StageKind kind, const TileStep& step, std::size_t operand,
                              const CriticalPath& path) {
  const TensorHandle& tensor = gemm_.op->operands[operand];
  const TileRect rect = operand_rect(step, operand);
  Stage& stage = make_stage(kind, step, gemm_, (kind == StageKind::dma_read ? kReadA : kFetchA) + operand);
  stage.operand = static_cast<std::uint8_t>(operand);
  stage.bytes = rect.rows * rect.columns * size_of(tensor.dtype);
  stage.slot = kind == StageKind::dma_read ? read_slot_ : fetch_slot_;
  if (kind == StageKind::dma_read) {
    stage.access = operand_access_[operand].of(tensor, rect);
    stage.waited_for_slot = step.number >= config_.tile_buffers;
  }
  outlet_.submit(path);
}

TileRect TileLoop::out_rect(const TileStep& step) {
  return {step.origin.m, step.origin.n, step.extent.m, step.extent.n};
}

std::uint64_t TileLoop::fetch_bytes(const OpSpec& op, const TileStep& step) const {
  std::uint64_t bytes = 0;
  for (std::size_t operand = 1; operand < op.operands.size(); ++operand)
    bytes += tile_bytes(op, operand, out_rect(step)).count();
  return bytes;
}

// Only for logs and data: the hot path carries no more than the tile's indices.
TileStep TileLoop::step_of(const Stage& stage) const {
  return plan_.step_at(stage.step, stage.tile);
}

const PlacedOp& TileLoop::placed_at(std::uint32_t op_index) const {
  for (const auto* ops : {&k_tile_ops_, &output_tile_ops_})
    for (const PlacedOp& placed : *ops)
      if (placed.index == op_index) return placed;
  return gemm_;
}

void TileLoop::add_fetched(const Stage& stage, const TileStep& step, StageViews& views) const {
  if (stage.op_index == gemm_.index) {
    const TensorHandle part = part_of(gemm_.op->operands[stage.operand], operand_rect(step, stage.operand));
    return views.add_read(streams(stage.operand) ? staged(part, slot_address(stage)) : part);
  }
  const OpSpec& op = *placed_at(stage.op_index).op;
  for (std::size_t operand = 1; operand < op.operands.size(); ++operand)
    views.add_read(part_of(as_matrix(op, operand, shape_.m, shape_.n), out_rect(step)));
}

std::uint64_t TileLoop::slot_address(const Stage& stage) const {
  return staging_.operand_address(context_.run, stage.slot, stage.operand);
}

StageViews TileLoop::views_of(const Stage& stage) const {
  const TileStep step = step_of(stage);
  const TensorHandle out = part_of(*gemm_.op->out, out_rect(step));
  const TensorHandle staged_out =
      staged(out, staging_.out_address(context_.run, plan_.out_tile_number(stage.tile)));
  StageViews views;
  switch (stage.kind) {
    case StageKind::dma_read:
      views.add_read(part_of(gemm_.op->operands[stage.operand], operand_rect(step, stage.operand)));
      views.write = staged(views.reads[0], slot_address(stage));
      break;
    case StageKind::fetch:
      add_fetched(stage, step, views);
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

// --- Data mode ---

StageData TileLoop::data_of(const Stage& stage, RegisterFile& registers) const {
  StageData data;
  data.views = views_of(stage);
  const TileRect tile = out_rect(step_of(stage));
  data.shape = {tile.rows, tile.columns, tile.row, tile.column};
  data.element = accumulator_element_of(*gemm_.op);
  data.result = &registers.accumulator;
  if (is_first_after_sum(stage)) {
    data.starts_sum = is_product_free();
    if (gemm_scale_of(*gemm_.op) != 1.0F) data.scale = gemm_scale_of(*gemm_.op);
  }
  if (stage.kind == StageKind::fetch) add_fetch_data(stage, registers, data);
  if (stage.kind == StageKind::gemm) add_gemm_data(stage, registers, data);
  if (stage.kind == StageKind::math) add_math_data(stage, registers, data);
  return data;
}

// The scale comes after the last K_TILE op and before the first OUTPUT_TILE op (SPEC 11.17).
bool TileLoop::is_first_after_sum(const Stage& stage) const {
  if (output_tile_ops_.empty()) return stage.kind == StageKind::store;
  return stage.kind == StageKind::math && stage.op_index == output_tile_ops_.front().index;
}

void TileLoop::add_fetch_data(const Stage& stage, RegisterFile& registers, StageData& data) const {
  if (stage.op_index == gemm_.index) {
    data.fetched[0].tile = &registers.gemm_operands[stage.step % 2][stage.operand];
    data.fetched[0].element = accumulator_element_of(*gemm_.op);
    return;
  }
  const OpSpec& op = *placed_at(stage.op_index).op;
  for (std::size_t operand = 1; operand < op.operands.size(); ++operand)
    data.fetched[operand - 1] = {&registers.operands[operand], tile_element_of(op.operands[operand].dtype),
                                 std::nullopt, std::nullopt};
}

void TileLoop::add_gemm_data(const Stage& stage, RegisterFile& registers, StageData& data) const {
  data.starts_sum = stage.tile.k == 0;
  data.operands = {&registers.gemm_operands[stage.step % 2][0], &registers.gemm_operands[stage.step % 2][1],
                   nullptr};
  data.operand_count = 2;
}

void TileLoop::add_math_data(const Stage& stage, RegisterFile& registers, StageData& data) const {
  data.op = placed_at(stage.op_index).op;
  data.operands = {&registers.accumulator, &registers.operands[1], &registers.operands[2]};
  data.operand_count = static_cast<std::uint32_t>(data.op->operands.size());
}

}  // namespace petal
