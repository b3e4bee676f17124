// SPDX-License-Identifier: Apache-2.0
//
// The summary as JSON, schema 1 (SPEC 10). Times are integers in picoseconds and end in `_ps`; dispatch
// cycles are real numbers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "petal/observe/summary.hpp"

namespace petal {

/// Keys: schema, kernel, version, note, time_ps, tiles, verdict, verdict_reason, verdict_shares, critical_pe,
/// critical_path, dispatch_per_tile, pes, total, config, and in data mode data. `config` is the run's
/// configuration as an object. Throws std::invalid_argument if `summary.config_json` is not JSON.
nlohmann::ordered_json summary_json(const Summary& summary);

/// How far each result is from its reference, as an array: the summary's `data`.
nlohmann::ordered_json data_json(const Summary& summary);

/// The summary as text, indented by two and ended by a line break.
std::string summary_json_text(const Summary& summary);

}  // namespace petal
