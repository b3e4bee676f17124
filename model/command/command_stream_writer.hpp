// SPDX-License-Identifier: Apache-2.0
//
// Writes a CommandStream as JSON Lines: one object a line, in this order.
//
//     {"format":"petal-command-stream","schema":1,"launches":L,"pes":N,"config":{...}}
//     for each launch, for each PE:
//       {"launch":0,"pe":0,"steps":S}
//       S steps, and before a step the tensors that it is the first to name:
//         {"tensor":0,"space":"hbm","address":4096,"dtype":"f16","shape":[4,128],"strides":[128,1]}
//         {"step":"issue","wire":"85...","command":7,"completion":7,"segment":0,"segments":2,
//          "first_op":0,"last_op":3,"bytes":310,"primitive":false,"pending":[3,5]}    (one line)
//         {"step":"wait","completions":[7]}
//         {"step":"overhead","wire":"86...","command":0}
//
// `wire` is the command's wire bytes in hex; `command` is its completion id in full, of which the wire has 24
// bits. The second and later segments of a composite belong to the command of the issue before them and have
// neither. Tensors are numbered through the file. Numbers are unsigned 64-bit integers.
#pragma once

#include <iosfwd>

#include "petal/command/command_stream.hpp"

namespace petal {

/// The number that a change of the format's meaning raises.
inline constexpr unsigned kCommandStreamSchema = 1;
inline constexpr const char* kCommandStreamFormat = "petal-command-stream";

/// Writes all of `stream`; the same stream gives the same bytes. The caller looks after the state of `out`.
/// Throws std::invalid_argument for a stream that could not be read back: steps that RecordingChecker
/// refuses, launches without or with different numbers of PEs, a header that is no JSON; EmitError for a
/// command that does not fit on the wire.
void save_command_stream(const CommandStream& stream, std::ostream& out);

}  // namespace petal
