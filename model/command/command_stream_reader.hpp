// SPDX-License-Identifier: Apache-2.0
//
// Reads what save_command_stream wrote; command_stream_writer.hpp describes the format.
#pragma once

#include <iosfwd>
#include <string>

#include "petal/command/command_stream.hpp"

namespace petal {

/// The stream saved in `in`; `name` is what messages call the file. Commands come back with their 64-bit
/// completion ids, the slices of a composite sharing one command, and tensors pending nothing: what an issue
/// waits for is in its pending_inputs. Throws DecodeError, "name:line: problem", for a file that is cut short
/// or damaged in any way: the result of a load always replays to the end.
CommandStream load_command_stream(std::istream& in, const std::string& name);

}  // namespace petal
