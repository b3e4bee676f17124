// SPDX-License-Identifier: Apache-2.0
//
// The cases of tests/data/onnx_attention: inputs of the ONNX operator Attention and the Y that belongs to
// them, worked out by someone else in NumPy.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "petal/attention/attention_attributes.hpp"
#include "petal/attention/attention_reference.hpp"
#include "petal/attention/attention_tensors.hpp"
#include "petal/npy/npy_array.hpp"

namespace petal::test {

struct AttentionCase {
  std::string name;
  AttentionAttributes attributes;
  std::map<std::string, NpyArray> inputs;  ///< by ONNX name
  NpyArray y;

  Dims y_shape() const { return dims_of(y); }
  std::vector<double> y_values() const { return as_doubles(y); }

  /// What Y may differ by: 1e-5 (f16: 2e-3) of its largest absolute value.
  double tolerance() const;
  /// The inputs as tensors in HBM, one after the other from address 0x1000, each at a multiple of 256.
  AttentionTensors tensors() const;
  AttentionValues values() const;

  static Dims dims_of(const NpyArray& array);
};

/// The folder that the case's .npy files lie in.
std::string folder_of(const AttentionCase& entry);

/// All cases. Throws std::runtime_error for one that cannot be read, or an attribute that is unknown.
std::vector<AttentionCase> read_attention_cases();

/// The largest |a - b|; infinity if the lengths differ or either has a NaN.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace petal::test
