// SPDX-License-Identifier: Apache-2.0
//
// Equality of commands, field by field, for tests of round trips.
#pragma once

#include "petal/command/pe_command.hpp"

namespace petal::test {

/// True if both carry the same: floats by their bits (a NaN equals itself), tensors but for what they are
/// pending on.
bool same_command(const PeCommand& a, const PeCommand& b);

/// `command` with its completion id cut to what the wire keeps of it.
PeCommand with_wire_completion(PeCommand command);

}  // namespace petal::test
