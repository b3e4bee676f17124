// SPDX-License-Identifier: Apache-2.0
#include "petal/cli/tensor_files.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"

namespace petal {

TensorFiles tensor_files(const std::string& option, const std::vector<std::string>& arguments) {
  TensorFiles files;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == argument.size())
      throw ConfigError(
          fmt::format("{} {}: give TENSOR=FILE.npy, for example {} Q=q.npy", option, argument, option));
    const std::string name = argument.substr(0, equals);
    if (!files.emplace(name, argument.substr(equals + 1)).second)
      throw ConfigError(fmt::format("{}: tensor {} is given twice; give it once", option, name));
  }
  return files;
}

}  // namespace petal
