// SPDX-License-Identifier: Apache-2.0
//
// The keys of the section `attention`: part of the schema's launch keys.
#pragma once

#include <vector>

#include "petal/config/config_key.hpp"
#include "petal/config/scenario_config.hpp"

namespace petal {

/// The attributes of the ONNX operator, by their ONNX names.
std::vector<ConfigKey<LaunchConfig>> attention_attribute_keys();
/// The shape of inputs that are not given as files, and how the kernel cuts the work.
std::vector<ConfigKey<LaunchConfig>> attention_shape_keys();

}  // namespace petal
