// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "petal/memory/memory_config.hpp"
#include "petal/observe/what_if.hpp"

namespace petal {

/// What bounds and reports need to know of an HBM.
MemoryFacts memory_facts(const HbmConfig& hbm);

}  // namespace petal
