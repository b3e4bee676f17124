// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/data_check.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

using namespace petal;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

TensorError error_of(const std::vector<double>& result, const std::vector<double>& reference,
                     double tolerance = 1e-5) {
  return tensor_error("O", result, reference, tolerance);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(data_check)

BOOST_AUTO_TEST_CASE(tolerances_are_the_documented_ones) {
  BOOST_TEST(data_tolerance(DType::f32, 1) == 1e-5);
  BOOST_TEST(data_tolerance(DType::f16, 4096) == 2e-3);
  BOOST_TEST(data_tolerance(DType::bf16, 4096) == 1.6e-2);
  BOOST_TEST(data_tolerance(DType::f8e4m3, 4096) == 0.125);
  BOOST_TEST(data_tolerance(DType::f8e5m2, 4096) == 0.25);
  // 2^20 terms: 2^10 x 2^-23.
  BOOST_TEST(data_tolerance(DType::f32, 1U << 20U) == 0x1p-13);
  for (const DType dtype : {DType::i8, DType::i32, DType::boolean})
    BOOST_TEST(data_tolerance(dtype, 1U << 20U) == 0.0);
}

BOOST_AUTO_TEST_CASE(the_error_is_relative_to_the_largest_reference) {
  const TensorError error = error_of({1.0, -8.5, 3.25}, {1.0, -8.0, 3.0});
  BOOST_TEST(error.tensor == "O");
  BOOST_TEST(error.elements == 3U);
  BOOST_TEST(error.max_absolute == 0.5);
  BOOST_TEST(error.worst_element == 1U);
  BOOST_TEST(error.max_relative == 0.0625);
  BOOST_TEST(!error.within_tolerance());
  BOOST_TEST(error_of({1.0, -8.5}, {1.0, -8.0}, 0.0625).within_tolerance());
}

BOOST_AUTO_TEST_CASE(equal_tensors_have_no_error_even_where_nothing_is_finite) {
  for (const std::vector<double>& values :
       {std::vector<double>{}, {0.0}, {kInfinite, -kInfinite}, {kNan}, {kNan, 2.0, -kInfinite}}) {
    const TensorError error = error_of(values, values, 0.0);
    BOOST_TEST(error.max_absolute == 0.0);
    BOOST_TEST(error.max_relative == 0.0);
    BOOST_TEST(error.within_tolerance());
  }
}

BOOST_AUTO_TEST_CASE(a_nan_or_infinity_on_one_side_is_beyond_any_tolerance) {
  for (const auto& [result, reference] : {std::pair(kNan, 1.0),
                                          {1.0, kNan},
                                          {kInfinite, 1.0},
                                          {1.0, -kInfinite},
                                          {kInfinite, -kInfinite},
                                          {kNan, kInfinite},
                                          {kInfinite, kNan}}) {
    const TensorError error = error_of({1.0, result}, {1.0, reference}, 1e30);
    BOOST_TEST(error.max_absolute == kInfinite);
    BOOST_TEST(error.worst_element == 1U);
    BOOST_TEST(!error.within_tolerance());
    BOOST_TEST(!error_of({result}, {reference}, 1e30).within_tolerance());  // nothing else to compare with
  }
}

// Against zeros there is no scale: any difference counts.
BOOST_AUTO_TEST_CASE(a_difference_from_zeros_is_beyond_any_tolerance) {
  BOOST_TEST(!error_of({1e-30}, {0.0}, 1e30).within_tolerance());
  BOOST_TEST(error_of({-0.0}, {0.0}, 0.0).within_tolerance());
}

BOOST_AUTO_TEST_SUITE_END()
