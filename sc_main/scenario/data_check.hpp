// SPDX-License-Identifier: Apache-2.0
//
// Compares what a run has computed with a reference in double precision.
#pragma once

#include <string>
#include <vector>

#include "petal/command/dtype.hpp"
#include "petal/observe/summary.hpp"

namespace petal {

/// How far a tensor of `dtype` may be from its reference, relative to the reference's largest magnitude, when
/// each element is a sum of `terms` products: 1e-5 for f32, 2e-3 for f16, 1.6e-2 for bf16, 0.125 and 0.25 for
/// f8e4m3 and f8e5m2 (two units of their last place), and for long sums no less than sqrt(terms) * 2^-23,
/// eight times the error that random terms give a sum in f32. Integers must be exact.
double data_tolerance(DType dtype, std::uint64_t terms);

/// `result` against `reference`, element by element; both have one length. Equal infinities are no error; a
/// NaN on one side alone is an infinite one.
TensorError tensor_error(const std::string& name, const std::vector<double>& result,
                         const std::vector<double>& reference, double tolerance);

}  // namespace petal
