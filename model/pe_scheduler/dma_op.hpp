// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "petal/pe_scheduler/stage_outlet.hpp"

namespace petal {

/// The one stage of a DMA primitive. `hbm` is the side in HBM.
void fill_dma_primitive(Stage& stage, const RunContext& context, StageKind kind, const TensorHandle& hbm);

}  // namespace petal
