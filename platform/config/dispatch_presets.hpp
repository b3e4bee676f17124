// SPDX-License-Identifier: Apache-2.0
//
// Published command-issue costs, as FIXED and R of ADR-0064's formula. A preset sets those two and never the
// cap.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace petal {

/// One published figure. Where the source gives a range, `fixed_per_cmd_cycles` is its lower end
/// (SPEC 11.24).
struct DispatchPreset {
  std::string_view name;
  double clock_ghz;  ///< of the source; information only, the PE keeps its own clock
  double fixed_per_cmd_cycles;
  double byte_cycles_recip;
  std::string_view published_fixed;  ///< FIXED as the source has it
  std::string_view granularity;      ///< bytes of a command or a cap, as the source has it
  std::string_view level;            ///< where in a system the cost is paid
  std::string_view status;           ///< how well founded it is
  std::string_view source;
};

/// All rows that have both a FIXED and an R, in the order `petal list` shows them.
const std::vector<DispatchPreset>& dispatch_presets();
/// The row of that name, if there is one.
std::optional<DispatchPreset> dispatch_preset_named(std::string_view name);

}  // namespace petal
