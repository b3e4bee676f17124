// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "petal/command/error.hpp"

namespace petal::test {

/// What the ConfigError says that `call` throws; empty if it throws none.
inline std::string config_error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace petal::test
