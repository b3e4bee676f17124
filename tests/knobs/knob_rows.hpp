// SPDX-License-Identifier: Apache-2.0
//
// The knob table: for each key of the schema a scenario in which it matters, another value, and what of the
// run must change. What is not named as following from it must stay.
#pragma once

#include <string>
#include <vector>

#include "knobs/fingerprint.hpp"
#include "knobs/knob_bench.hpp"

namespace petal::test {

enum class KnobWork {
  scenario,  ///< the scenario's kernels, in data mode
  kernel,    ///< `kernel` on the scenario's platform
  bus,       ///< `kernel` on a PE before a memory of the base protocol
};

struct KnobRow {
  std::string path;               ///< the key
  std::string value;              ///< another than it has in `text` with `sets`
  std::string text;               ///< the scenario
  std::vector<std::string> sets;  ///< further keys
  Quantities changes;             ///< must change
  Quantities follows;             ///< may change
  KnobWork work = KnobWork::scenario;
  Kernel kernel = nullptr;
  /// Of keys with a structure that cannot be set: the whole scenario with the other value.
  std::string other_text = {};
};

/// A row of the scenario's own kernels.
KnobRow row(const std::string& path, const std::string& value, const std::string& text,
            const std::vector<std::string>& sets, const Quantities& changes, const Quantities& follows);
/// A row of a key with a structure: two whole scenarios.
KnobRow row_of_texts(const std::string& path, const std::string& text, const std::string& other_text,
                     const Quantities& changes, const Quantities& follows);

/// A value at which the scenario is refused before the run, and what the message says.
struct RefusedRow {
  std::string path;
  std::string value;
  std::string text;
  std::string message;
};

/// Quantities that follow from when things happen.
const Quantities& timing();
/// Everything that may be another if the work is: all but the names of kernels and PEs and what a study says.
const Quantities& work();
/// `all` without `some`, and `all` with `some`.
Quantities without(Quantities all, const Quantities& some);
Quantities with(Quantities all, const Quantities& some);

std::vector<KnobRow> work_rows();
std::vector<KnobRow> platform_rows();
std::vector<KnobRow> sweep_rows();
std::vector<RefusedRow> refused_rows();

/// Small scenarios: decode of three tiles of which the last is ragged; a product of ragged tiles.
extern const char* const kDecode;
extern const char* const kGemm;

}  // namespace petal::test
