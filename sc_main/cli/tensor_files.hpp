// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "petal/scenario/tensor_data.hpp"

namespace petal {

/// The files of "NAME=FILE" arguments of `option` (--in, --out). Throws ConfigError for one that has no name
/// or no file, and for a name given twice.
TensorFiles tensor_files(const std::string& option, const std::vector<std::string>& arguments);

}  // namespace petal
