// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/data_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace petal {
namespace {

double dtype_tolerance(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return 1e-5;
    case DType::f16:
      return 2e-3;
    case DType::bf16:
      return 1.6e-2;
    case DType::f8e4m3:
      return 0.125;
    case DType::f8e5m2:
      return 0.25;
    case DType::i8:
    case DType::i32:
    case DType::boolean:
      break;
  }
  return 0.0;
}

double difference(double result, double reference) {
  if (result == reference || (std::isnan(result) && std::isnan(reference))) return 0.0;
  const double apart = std::abs(result - reference);
  return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

}  // namespace

double data_tolerance(DType dtype, std::uint64_t terms) {
  const double of_dtype = dtype_tolerance(dtype);
  if (!is_floating(dtype)) return of_dtype;
  return std::max(of_dtype, std::sqrt(static_cast<double>(terms)) * 0x1p-23);
}

TensorError tensor_error(const std::string& name, const std::vector<double>& result,
                         const std::vector<double>& reference, double tolerance) {
  TensorError error;
  error.tensor = name;
  error.elements = result.size();
  error.tolerance = tolerance;
  double largest = 0.0;
  for (std::size_t index = 0; index < result.size(); ++index) {
    const double apart = difference(result[index], reference[index]);
    if (apart > error.max_absolute) {
      error.max_absolute = apart;
      error.worst_element = index;
    }
    if (std::isfinite(reference[index])) largest = std::max(largest, std::abs(reference[index]));
  }
  error.max_relative = error.max_absolute == 0.0 ? 0.0 : error.max_absolute / largest;
  return error;
}

}  // namespace petal
