// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace petal {

/// True if there is a program gnuplot on the PATH.
bool has_gnuplot();

/// What to tell people who have none.
inline constexpr const char* kNoGnuplot =
    "there is no gnuplot, so no picture was drawn; install it (Debian: apt-get install gnuplot-nox) and run "
    "it on "
    "the .gp file";

/// Runs gnuplot on the file `script` of `folder`, in that folder. Throws SimulationError with what it said if
/// it fails. Precondition: has_gnuplot().
void run_gnuplot(const std::filesystem::path& folder, const std::string& script);

}  // namespace petal
