// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace petal {

/// What produced an output; it stands in the output itself, so that the run can be made again.
struct OutputOrigin {
  std::string version;
  std::string config_json;  ///< one line
};

}  // namespace petal
