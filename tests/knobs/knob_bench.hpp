// SPDX-License-Identifier: Apache-2.0
//
// Benches of the knob table: what one text of a scenario, with some keys set, does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "knobs/fingerprint.hpp"
#include "support/kernel_bench.hpp"

namespace petal::test {

class KnobBench {
 public:
  virtual ~KnobBench() = default;
  /// After the simulation.
  virtual Fingerprint fingerprint() const = 0;
};

/// The scenario's own kernels in data mode: also `results`, `kernel`, `compared`; and of a study `points`,
/// `table` and `plots`.
std::unique_ptr<KnobBench> scenario_bench(const std::string& text, const std::vector<std::string>& sets);

/// `kernel` on the scenario's platform.
std::unique_ptr<KnobBench> kernel_bench(const std::string& text, const std::vector<std::string>& sets,
                                        const Kernel& kernel);

/// `kernel` on one PE, the scenario's first, before a memory that writes down what comes over the bus: also
/// `bursts` (address and bytes of each), `calls` (how they came), `questions` (for direct access),
/// `unanswered` (most bursts at a time).
std::unique_ptr<KnobBench> burst_bench(const std::string& text, const std::vector<std::string>& sets,
                                       const Kernel& kernel);

}  // namespace petal::test
