// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace petal {

/// What the process tells its caller (SPEC 10).
enum class ExitCode : int {
  done = 0,
  usage = 2,       ///< command line or configuration
  emit = 3,        ///< a kernel asked for something that cannot be issued
  simulation = 4,  ///< the simulated system failed
  violations = 5,  ///< a check found violations
};

}  // namespace petal
