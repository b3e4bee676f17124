// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace petal {

/// How long the rest takes if it goes on as it went, as people say it: "2 min 10 s left". Empty as long as
/// nothing is done.
std::string time_left_text(std::chrono::milliseconds elapsed, std::size_t done, std::size_t left);

}  // namespace petal
