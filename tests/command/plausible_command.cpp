// SPDX-License-Identifier: Apache-2.0
//
// Draws are made one a statement: the order in which arguments are evaluated differs between compilers.
#include "plausible_command.hpp"

#include <algorithm>
#include <utility>

namespace petal::test {
namespace {

constexpr std::uint64_t kHbmBytes = std::uint64_t{1} << 24U;

std::int32_t as_scalar(std::uint64_t size) {
  return static_cast<std::int32_t>(size);
}

}  // namespace

std::uint64_t PlausibleCommands::size() {
  if (one_in(12)) return 0;
  if (one_in(6)) return 1;
  return 1 + below(one_in(4) ? 70 : 6);
}

Dims PlausibleCommands::shape(std::size_t rank) {
  Dims shape;
  for (std::size_t axis = 0; axis < rank; ++axis) shape.push_back(size());
  if (one_in(200) && rank > 0) shape[below(rank)] = std::uint64_t{1} << (20 + below(44));
  return shape;
}

Dims PlausibleCommands::shape_beside(const Dims& shape) {
  Dims beside = shape;
  switch (below(8)) {
    case 0:  // one value along an axis
      if (shape.rank() > 0) beside[below(shape.rank())] = 1;
      return beside;
    case 1:  // a value a row
      if (shape.rank() == 0) return beside;
      beside = Dims();
      for (std::size_t axis = 0; axis + 1 < shape.rank(); ++axis) beside.push_back(shape[axis]);
      if (beside.rank() == 0) beside.push_back(1);
      return beside;
    case 2:  // a value a column
      return shape.rank() == 0 ? beside : Dims{shape.back()};
    case 3:
      if (shape.rank() > 0) beside[shape.rank() - 1] = 1;
      return beside;
    case 4:
      if (one_in(4) && shape.rank() > 0) beside[below(shape.rank())] = size();
      if (one_in(4)) return this->shape(below(Dims::kMaxRank + 1));
      return beside;
    default:
      return beside;
  }
}

Dims PlausibleCommands::strides(const Dims& shape) {
  Dims strides = row_major_strides(shape);
  const std::size_t rank = shape.rank();
  if (rank == 0 || !one_in(3)) return strides;
  switch (below(4)) {
    case 0:  // transposed
      if (rank > 1) {
        strides[rank - 2] = 1;
        strides[rank - 1] = std::max<std::uint64_t>(shape[rank - 2], 1);
      }
      return strides;
    case 1:  // rows with gaps
      for (std::size_t axis = 0; axis + 1 < rank; ++axis) strides[axis] += below(9);
      return strides;
    case 2:
      strides[below(rank)] = 0;
      return strides;
    default:
      strides[below(rank)] = one_in(10) ? std::uint64_t{1} << below(64) : below(40);
      return strides;
  }
}

DType PlausibleCommands::dtype() {
  return one_in(2) ? DType::f32 : kAllDTypes[below(std::size(kAllDTypes))];
}

DType PlausibleCommands::dtype_beside(DType dtype) {
  return one_in(5) ? kAllDTypes[below(std::size(kAllDTypes))] : dtype;
}

TensorHandle PlausibleCommands::tensor(const Dims& shape, DType dtype, Space space) {
  TensorHandle tensor;
  tensor.shape = shape;
  tensor.strides = strides(shape);
  tensor.dtype = dtype;
  tensor.space = space;
  tensor.address = below(space == Space::hbm ? kHbmBytes : arena_);
  if (one_in(3)) tensor.address &= ~std::uint64_t{63};
  if (one_in(100)) tensor.address = below(2) == 0 ? arena_ - below(64) : std::uint64_t{1} << below(64);
  return tensor;
}

PeCommand PlausibleCommands::dma() {
  const Dims sizes = shape(below(Dims::kMaxRank + 1));
  const DType type = dtype();
  const TensorHandle in_hbm = tensor(sizes, type, Space::hbm);
  const TensorHandle in_tcm = tensor(one_in(20) ? shape_beside(sizes) : sizes, type, Space::tcm);
  const auto bytes = static_cast<std::uint32_t>(in_hbm.bytes().count());
  DmaReadCmd read;
  read.src = in_hbm;
  read.dst = in_tcm;
  read.nbytes = bytes;
  DmaWriteCmd write;
  write.src = in_tcm;
  write.dst = in_hbm;
  write.nbytes = bytes;
  return one_in(2) ? PeCommand(read) : PeCommand(write);
}

OpSpec PlausibleCommands::gemm_op() {
  const std::uint64_t m = size();
  const std::uint64_t k = one_in(8) ? 60 + below(140) : size();
  const std::uint64_t n = size();
  const DType type = one_in(3) ? DType::i8 : dtype();
  OpSpec op;
  op.kind = Opcode::gemm;
  const auto place = [&] { return one_in(3) ? Space::hbm : Space::tcm; };
  const DType type_of_b = dtype_beside(type);
  const DType type_of_out = dtype_beside(is_floating(type) ? DType::f32 : DType::i32);
  const TensorHandle a = tensor({m, k}, type, place());
  op.operands = {a, tensor({k, n}, type_of_b, place())};
  op.out = tensor({m, n}, type_of_out, place());
  op.extras = {as_scalar(m), as_scalar(k), as_scalar(n)};
  if (one_in(3)) op.extras.emplace_back(one_in(2) ? 1.0F : 0.5F);
  return op;
}

PeCommand PlausibleCommands::gemm() {
  OpSpec op = gemm_op();
  op.operands[0].space = op.operands[1].space = op.out->space = Space::tcm;
  GemmCmd command;
  command.a = op.operands[0];
  command.b = op.operands[1];
  command.out = *op.out;
  command.m = static_cast<std::uint32_t>(op.operands[0].shape[0]);
  command.k = static_cast<std::uint32_t>(op.operands[0].shape[1]);
  command.n = static_cast<std::uint32_t>(op.operands[1].shape[1]);
  if (op.extras.size() > 3) command.scale = std::get<float>(op.extras[3]);
  return command;
}

const OpcodeSchema& PlausibleCommands::math_schema() {
  const auto opcodes = static_cast<std::uint64_t>(end_of_schemas() - begin_of_schemas());
  return begin_of_schemas()[1 + below(opcodes - 1)];
}

ScalarList PlausibleCommands::scalars(const OpcodeSchema& schema) {
  ScalarList list;
  const std::size_t count = schema.required_extras + below(schema.extras.size() - schema.required_extras + 1);
  for (std::size_t index = 0; index < count; ++index) {
    if (schema.extras[index].type == ScalarType::f32)
      list.emplace_back(static_cast<float>(below(9)) - 4.0F);
    else
      list.emplace_back(schema.reduces && !one_in(10) ? std::int32_t{-1} : as_scalar(below(7)) - 3);
  }
  return list;
}

OpSpec PlausibleCommands::math_op(bool may_stream) {
  const OpcodeSchema& schema = math_schema();
  OpSpec op;
  op.kind = schema.opcode;
  op.extras = scalars(schema);
  const Dims whole = shape(one_in(2) ? 2 : below(Dims::kMaxRank + 1));
  const DType type = dtype();
  for (std::size_t index = 0; index < schema.operands.size(); ++index) {
    const bool is_mask = op.kind == Opcode::where && index == 1;
    const Dims sizes = index == 0 ? whole : shape_beside(whole);
    const DType type_of_operand = dtype_beside(is_mask ? DType::boolean : type);
    op.operands.push_back(tensor(sizes, type_of_operand, math_space(may_stream)));
  }
  Dims out = whole;
  if (schema.reduces) {
    out = Dims();
    for (std::size_t axis = 0; axis + 1 < whole.rank(); ++axis) out.push_back(whole[axis]);
    if (out.rank() == 0 || one_in(3)) out.push_back(1);
  }
  if (one_in(20)) out = shape_beside(out);
  const DType type_of_out = dtype_beside(type);
  op.out = tensor(out, type_of_out, math_space(may_stream));
  if (!op.operands.empty() && !schema.reduces && one_in(4)) op.out = op.operands.front();
  return op;
}

OpSpec PlausibleCommands::tile_op(const TensorHandle& accumulator) {
  const OpcodeSchema& schema = math_schema();
  OpSpec op;
  op.kind = schema.opcode;
  op.scope = one_in(2) ? Scope::k_tile : Scope::output_tile;
  op.extras = scalars(schema);
  for (std::size_t index = 0; index < schema.operands.size(); ++index) {
    const bool is_mask = op.kind == Opcode::where && index == 1;
    if (index == 0 || one_in(8)) {
      op.operands.push_back(accumulator);
      continue;
    }
    const Dims sizes = shape_beside(accumulator.shape);
    const DType type = is_mask ? DType::boolean : dtype_beside(accumulator.dtype);
    op.operands.push_back(tensor(sizes, type, Space::tcm));
  }
  op.out = accumulator;
  return op;
}

PeCommand PlausibleCommands::math() {
  OpSpec op = math_op(false);
  MathCmd command;
  command.kind = op.kind;
  command.operands = std::move(op.operands);
  command.extras = std::move(op.extras);
  command.out = *op.out;
  return command;
}

PeCommand PlausibleCommands::composite() {
  CompositeCmd command;
  const bool has_gemm = one_in(2);
  for (std::uint64_t count = below(has_gemm ? 2 : 3); count > 0; --count)
    command.ops.push_back(math_op(!has_gemm));
  if (has_gemm) {
    command.ops.push_back(gemm_op());
    const TensorHandle accumulator = *command.ops.back().out;
    for (std::uint64_t count = below(4); count > 0; --count) command.ops.push_back(tile_op(accumulator));
    if (one_in(4)) command.ops.push_back(math_op(false));
  } else {
    command.ops.push_back(math_op(true));
  }
  if (command.ops.back().out) command.rw_handles = {*command.ops.back().out};
  return command;
}

PeCommand PlausibleCommands::command() {
  switch (below(8)) {
    case 0:
      return dma();
    case 1:
      return gemm();
    case 2:
    case 3:
      return math();
    default:
      return composite();
  }
}

}  // namespace petal::test
