// SPDX-License-Identifier: Apache-2.0
#include "petal/command/dims.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

using namespace petal;

BOOST_AUTO_TEST_SUITE(dims)

BOOST_AUTO_TEST_CASE(product_of_no_axes_is_one_and_of_an_empty_axis_zero) {
  BOOST_TEST(Dims{}.product() == 1U);
  BOOST_TEST((Dims{4, 0, 7}.product()) == 0U);
  BOOST_TEST((Dims{65536, 65536, 4}.product()) ==
             17179869184U);  // 2^16 * 2^16 * 2^2 = 2^34: more than 32 bits
}

BOOST_AUTO_TEST_CASE(row_major_strides_count_elements_from_the_last_axis) {
  BOOST_TEST((row_major_strides({2, 3, 5}) == Dims{15, 5, 1}));
  BOOST_TEST((row_major_strides({7}) == Dims{1}));
  BOOST_TEST((row_major_strides({}) == Dims{}));
}

BOOST_AUTO_TEST_CASE(a_fifth_axis_is_refused) {
  BOOST_CHECK_THROW((Dims{1, 2, 3, 4, 5}), std::length_error);
  Dims four{1, 2, 3, 4};
  BOOST_CHECK_THROW(four.push_back(5), std::length_error);
  BOOST_TEST(four.rank() == 4U);
}

BOOST_AUTO_TEST_CASE(equality_looks_at_rank_and_entries) {
  BOOST_TEST((Dims{4, 1} != Dims{4}));
  BOOST_TEST((Dims{4, 1} != Dims{4, 2}));
  BOOST_TEST((Dims{4, 1} == Dims{4, 1}));
  BOOST_TEST((Dims{4, 9}.back()) == 9U);
  BOOST_TEST((Dims{4, 128}.to_string()) == "[4, 128]");
}

BOOST_AUTO_TEST_SUITE_END()
