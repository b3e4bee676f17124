// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/dma_op.hpp"

namespace petal {

void fill_dma_primitive(Stage& stage, const RunContext& context, StageKind kind, const TensorHandle& hbm) {
  stage.kind = kind;
  stage.command = context.command;
  stage.run = context.run;
  stage.bytes = hbm.bytes().count();
  stage.access = access_of(hbm);
}

}  // namespace petal
