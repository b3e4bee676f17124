// SPDX-License-Identifier: Apache-2.0
//
// What a report's page shows, as JSON: of each run its summary (petal/observe/summary_json.hpp) and what a
// ReportRecorder kept.
//
//     {format: "petal report 1", version, note, scenario, memory: {gb_per_s, is_shared} | null, config,
//      runs: [{kernel, summary, attribution: [{cause, label, ps}], what_if: [{free, label, at_least_ps}],
//              pes: [{fixed_cycles, cycles_per_byte, clock_ghz, queue_bytes, max_in_flight, in_flight_ps,
//                     peaks: [{label, gops}]}],
//              dispatch: [{kind, op, ops, bytes, segment, commands, fixed_cycles, byte_cycles, ps}],
//              head_waits: {longest: [...], pairs: [...], more_pairs: {pairs, waits, ps}}, timeline}]}
//
// A rate of 0 is unlimited. A timeline is described in petal/report/timeline_json.hpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "petal/observe/summary.hpp"
#include "petal/report/report_recorder.hpp"

namespace petal {

/// A run and what was recorded of it.
struct ReportedRun {
  const Summary& summary;
  const ReportRecorder& recorder;
};

/// Runs of one scenario, in the order in which the page sets them side by side. Throws std::invalid_argument
/// if a summary's configuration is not JSON. Precondition: there is at least one.
nlohmann::ordered_json report_json(const std::vector<ReportedRun>& runs);

}  // namespace petal
