// SPDX-License-Identifier: Apache-2.0
#include "petal/config/dispatch_presets.hpp"

namespace petal {

const std::vector<DispatchPreset>& dispatch_presets() {
  static const std::vector<DispatchPreset> rows = {
      {"seed-default", 1.0, 40.0, 0.0625, "40", "1024", "PE_CPU->PE_SCHEDULER", "assumed", "ADR-0064 D3/D7"},
      {"gemmini-rocc", 1.0, 1.0, 0.0625, "1..5", "16 per RoCC command (LOOP_WS = 6 commands = 96)",
       "on-die coprocessor", "derived",
       "gemmini GemminiISA.scala + Configs.scala; rocket-chip#1400 (5-cycle result)"},
      {"tensix-push", 1.0, 1.0, 0.25, "1 (7 with a config-register read)", "4 per instruction",
       "tile-local MMIO", "documented", "tt-isa-documentation PushTensixInstruction.md / BabyRISCV README"},
      {"virtual-platform", 1.0, 1.0, 0.0, "1 (the doorbell)", "any: the CPU's model times what it builds",
       "doorbell of a device whose commands a modelled CPU builds", "assumed",
       "docs/virtual-platform.md; one store to a device, as tensix-push documents it"},
  };
  return rows;
}

std::optional<DispatchPreset> dispatch_preset_named(std::string_view name) {
  for (const DispatchPreset& preset : dispatch_presets())
    if (preset.name == name) return preset;
  return std::nullopt;
}

}  // namespace petal
