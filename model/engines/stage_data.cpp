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

}  // namespace petal
