// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/stage_data.hpp"

#include "petal/numerics/gemm_numerics.hpp"

namespace petal {

void prepare_result(const StageData& data) {
  if (data.starts_sum) {
    data.result->resize(data.shape.rows, data.shape.columns, data.element);
    data.result->set_zero();
  }
  if (data.scale) scale_accumulator(*data.result, *data.scale);
}

TileElement tile_element_of(DType dtype) {
  return is_floating(dtype) ? TileElement::f32 : TileElement::i32;
}

StageData math_op_data(const OpSpec& op, const StageViews& views, RegisterFile& registers) {
  StageData data;
  data.views = views;
  data.op = &op;
  data.operand_count = static_cast<std::uint32_t>(op.operands.size());
  for (std::size_t index = 0; index < op.operands.size(); ++index) {
    data.fetched[index].tile = &registers.operands[index];
    data.fetched[index].element = tile_element_of(op.operands[index].dtype);
    data.operands[index] = &registers.operands[index];
  }
  data.result = &registers.accumulator;
  return data;
}

}  // namespace petal
