// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/memory_facts.hpp"

namespace petal {

MemoryFacts memory_facts(const HbmConfig& hbm) {
  return {hbm.channels * hbm.channel_bandwidth.gb_per_s() * hbm.efficiency, hbm.channels,
          hbm.scope == HbmScope::shared};
}

}  // namespace petal
