// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "petal/observe/summary.hpp"

namespace petal {

/// The summary for people: every number with its unit, shares of the run beside the times, the verdict in
/// words. Several lines, each ended by a line break. Percentages are of the run's time, over all PEs.
std::string summary_text(const Summary& summary);

}  // namespace petal
