// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/kernel_op.hpp"

#include "petal/numerics/tensor_tile.hpp"
#include "petal/pe_scheduler/op_tile.hpp"

namespace petal {
namespace {

std::uint64_t operand_bytes(const OpSpec& op) {
  std::uint64_t bytes = 0;
  for (const TensorHandle& operand : op.operands) bytes += operand.bytes().count();
  return bytes;
}

}  // namespace

std::uint64_t math_elements(const OpSpec& op) {
  if (schema_of(op.kind).reduces || !op.out) return op.operands.front().elements();
  return op.out->elements();
}

void KernelOp::begin(const CriticalPath& path) {
  emit(placed_.op->operands.empty() ? StageKind::math : StageKind::fetch, path);
}

bool KernelOp::stage_ended(const Stage& stage, const CriticalPath& path) {
  switch (stage.kind) {
    case StageKind::fetch:
      emit(StageKind::math, path);
      return false;
    case StageKind::math:
      if (!placed_.op->out) return true;
      emit(StageKind::store, path);
      return false;
    default:
      return true;
  }
}

void KernelOp::emit(StageKind kind, const CriticalPath& path) {
  const OpSpec& op = *placed_.op;
  Stage& stage = outlet_->prepare();
  stage.kind = kind;
  stage.opcode = op.kind;
  stage.op_index = placed_.index;
  stage.command = context_.command;
  stage.run = context_.run;
  if (kind == StageKind::fetch) {
    stage.number = first_number_;
    stage.bytes = operand_bytes(op);
  } else if (kind == StageKind::math) {
    stage.number = first_number_ + 1;
    stage.elements = math_elements(op);
  } else {
    stage.number = first_number_ + 2;
    stage.bytes = op.out->bytes().count();
  }
  outlet_->submit(path);
}

StageViews KernelOp::views_of(const OpSpec& op, const Stage& stage) {
  StageViews views;
  if (stage.kind == StageKind::fetch)
    for (const TensorHandle& operand : op.operands) views.add_read(operand);
  else if (stage.kind == StageKind::store)
    views.write = op.out;
  return views;
}

StageData KernelOp::data_of(const OpSpec& op, const Stage& stage, RegisterFile& registers) {
  StageData data = math_op_data(op, views_of(op, stage), registers);
  data.shape = matrix_shape_of(op.operands.empty() ? op.out->shape : op.operands[0].shape);
  for (std::size_t index = 0; index < op.operands.size(); ++index) {
    const TensorHandle& operand = op.operands[index];
    if (operand.shape == op.operands[0].shape) continue;
    if (stage.kind == StageKind::fetch && op.operands[0].shape.rank() == 2)
      data.views.reads[index] = as_matrix(op, index, data.shape.rows, data.shape.columns);
    else
      data.fetched[index].shape = MathShape{operand.elements(), 1};
  }
  return data;
}

}  // namespace petal
