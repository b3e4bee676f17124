// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "petal/command/error.hpp"

namespace petal {

/// A .npy file that cannot be read or written. The message is "'FILE': PROBLEM; REMEDY".
class NpyError : public ConfigError {
 public:
  NpyError(const std::string& file, const std::string& problem, const std::string& remedy);
};

}  // namespace petal
