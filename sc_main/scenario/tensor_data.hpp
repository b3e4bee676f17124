// SPDX-License-Identifier: Apache-2.0
//
// TensorData: the tensors of a scenario in data mode: where their values come from, the HBM image they make,
// and the results a run has left.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "petal/memory/sparse_memory.hpp"
#include "petal/npy/npy_array.hpp"
#include "petal/platform/platform.hpp"
#include "petal/scenario/scenario_tensor.hpp"

namespace petal {

/// Files by tensor name.
using TensorFiles = std::map<std::string, std::string>;

/// Values by tensor name.
using TensorValues = std::function<std::vector<double>(const std::string& tensor)>;

class TensorData {
 public:
  /// Reads `files`; the input tensors without one are generated from `seed`. Values are rounded once to their
  /// tensor's dtype. Throws ConfigError for a name that no input has, or a file of another shape than its
  /// tensor's; NpyError for a file that cannot be read.
  TensorData(std::vector<ScenarioTensor> tensors, Bytes hbm_capacity, std::uint64_t seed,
             const TensorFiles& files);

  const std::vector<ScenarioTensor>& tensors() const { return tensors_; }
  /// What HBM holds when the run starts: the inputs; outputs read as 0.
  const std::shared_ptr<const SparseMemory>& image() const { return image_; }
  /// The values of input `name`, as its dtype has them, in row-major order. Throws std::out_of_range.
  const std::vector<double>& input(const std::string& name) const { return inputs_.at(name); }

 private:
  std::vector<ScenarioTensor> tensors_;
  std::shared_ptr<const SparseMemory> image_;
  std::map<std::string, std::vector<double>> inputs_;
};

/// The elements of `tensor` after a run in data mode.
NpyArray read_result(const Platform& platform, const ScenarioTensor& tensor);

/// Throws ConfigError, with the nearest name, if `name` is none of `tensors` of that role.
const ScenarioTensor& tensor_named(const std::vector<ScenarioTensor>& tensors, const std::string& name,
                                   TensorRole role);

}  // namespace petal
