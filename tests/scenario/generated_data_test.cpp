// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/generated_data.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

using namespace petal;

namespace {

constexpr std::uint64_t kCount = 100000;

}  // namespace

BOOST_AUTO_TEST_SUITE(generated_data)

// Uniform in [-1, 1): mean 0 and variance 1/3, here within five standard errors, and both ends are neared.
BOOST_AUTO_TEST_CASE(numbers_are_uniform_from_minus_one_to_one) {
  const GeneratedData data(1, "Q");
  double sum = 0, squares = 0, least = 1, most = -1;
  for (std::uint64_t index = 0; index < kCount; ++index) {
    const double value = data.value(index, DType::f32);
    BOOST_TEST_REQUIRE(value >= -1.0);
    BOOST_TEST_REQUIRE(value < 1.0);
    sum += value;
    squares += value * value;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  BOOST_TEST(std::abs(sum / kCount) < 5 * std::sqrt(1.0 / 3 / kCount));
  BOOST_TEST(std::abs(squares / kCount - 1.0 / 3) < 5 * std::sqrt(4.0 / 45 / kCount));
  BOOST_TEST(least < -0.999);
  BOOST_TEST(most > 0.999);
}

BOOST_AUTO_TEST_CASE(integers_are_uniform_over_a_byte_and_booleans_over_two) {
  const GeneratedData data(1, "A");
  for (const DType dtype : {DType::i8, DType::i32}) {
    std::set<double> seen;
    for (std::uint64_t index = 0; index < 10000; ++index) seen.insert(data.value(index, dtype));
    BOOST_TEST(seen.size() == 256U);
    BOOST_TEST(*seen.begin() == -128.0);
    BOOST_TEST(*seen.rbegin() == 127.0);
    for (const double value : seen) BOOST_TEST(value == std::floor(value));
  }
  double trues = 0;
  for (std::uint64_t index = 0; index < 10000; ++index) {
    const double value = data.value(index, DType::boolean);
    BOOST_TEST_REQUIRE((value == 0.0 || value == 1.0));
    trues += value;
  }
  BOOST_TEST(std::abs(trues - 5000) < 5 * 50);
}

// Another seed, another tensor, another index: other values; the same three: the same.
BOOST_AUTO_TEST_CASE(a_value_depends_on_seed_tensor_and_index_only) {
  const auto first = [](std::uint64_t seed, const char* tensor) {
    std::vector<double> values;
    for (std::uint64_t index = 0; index < 100; ++index)
      values.push_back(GeneratedData(seed, tensor).value(index, DType::f32));
    return values;
  };
  BOOST_TEST((first(1, "Q") == first(1, "Q")));
  std::set<double> all;
  for (const std::uint64_t seed : {0U, 1U, 2U})
    for (const char* const tensor : {"Q", "K", "V", "A", "B", "AB", "BA", ""})
      for (const double value : first(seed, tensor)) all.insert(value);
  BOOST_TEST(all.size() == 3U * 8 * 100);
}

// Neighbouring elements, and the same elements of two tensors, are uncorrelated: within five standard errors.
BOOST_AUTO_TEST_CASE(values_are_uncorrelated) {
  const GeneratedData q(1, "Q");
  const GeneratedData k(1, "K");
  double neighbours = 0, tensors = 0;
  for (std::uint64_t index = 0; index < kCount; ++index) {
    neighbours += q.value(index, DType::f32) * q.value(index + 1, DType::f32);
    tensors += q.value(index, DType::f32) * k.value(index, DType::f32);
  }
  const double standard_error = 1.0 / 3 / std::sqrt(static_cast<double>(kCount));
  BOOST_TEST(std::abs(neighbours / kCount) < 5 * standard_error);
  BOOST_TEST(std::abs(tensors / kCount) < 5 * standard_error);
}

BOOST_AUTO_TEST_SUITE_END()
