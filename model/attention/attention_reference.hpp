// SPDX-License-Identifier: Apache-2.0
//
// The result of an AttentionProblem in double precision, worked out query by query and not by tiles: what a
// kernel's numbers are compared with.
#pragma once

#include <vector>

#include "petal/attention/attention_problem.hpp"

namespace petal {

/// The elements of the problem's tensors. Entry n of a list is the element whose place is n elements behind
/// the tensor's address. Lists of tensors that the problem does not have are not read.
struct AttentionValues {
  std::vector<double> q;
  std::vector<double> k;
  std::vector<double> v;
  std::vector<double> past_key;
  std::vector<double> past_value;
  std::vector<double> mask;  ///< of a boolean mask: 0 is false
};

/// Y, row-major in the shape of `problem.y`. Throws std::out_of_range if a list is too short for its tensor.
std::vector<double> attention_reference(const AttentionProblem& problem, const AttentionValues& values);

}  // namespace petal
