// SPDX-License-Identifier: Apache-2.0
//
// The timeline of a run as JSON, its events as VarintBytes in base64. page/lane_data.js reads it.
//
//     {commands: [{kind, op, ops, bytes, segment}], stages: [{op, op_index, bytes, elements, macs, segment}],
//      pes: [{tracks: {<Track>: {count, data}}, queue_bytes: {count, data}, in_flight: {count, data},
//             gap: {from_ps, to_ps, bin_ps, stages, command_spans, tracks: {<Track>: data}, queue_bytes:
//             data,
//                   in_flight: data}}]}
//
// Numbers that are 0, tracks without events and a gap that is not there are left out. Of each event, in the
// order of start, with the differences to the event before it on its track:
//
//     a stage          signed start - busy_end before, busy_end - start, for DMA end - busy_end, signed
//     command -
//                      command before, index in `stages`, tile_m + 1 or 0 for none, then tile_n, tile_k
//     a command span   signed start - end before, end - start, signed command - command before, index in
//                      `commands` + 1 or 0 for none; of a wait at the head also how many commands it waits
//                      for and, for each, signed command - that
//     a level          at - at before, level, for the queue also entries
//     a bin of a track time_ps, spans that begin in it
//     a bin of a level its peak
//
// The bins are those between the gap's ends. Events that lie in the gap are not among the events.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "petal/report/timeline_recorder.hpp"

namespace petal {

nlohmann::ordered_json timeline_json(const TimelineRecorder& recorder);

}  // namespace petal
