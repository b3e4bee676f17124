// SPDX-License-Identifier: Apache-2.0
#include "petal/config/nearest_name.hpp"

#include <boost/test/unit_test.hpp>

#include "petal/command/edit_distance.hpp"
#include "petal/config/key_names.hpp"

namespace petal {
namespace {

BOOST_AUTO_TEST_SUITE(nearest_names)

BOOST_AUTO_TEST_CASE(distance_counts_single_letter_edits) {
  BOOST_TEST(edit_distance("tile", "tile") == 0U);
  BOOST_TEST(edit_distance("tile", "tiles") == 1U);
  BOOST_TEST(edit_distance("tile", "tle") == 1U);
  BOOST_TEST(edit_distance("tile", "tine") == 1U);
  BOOST_TEST(edit_distance("tile", "itle") == 1U);  // neighbours swapped
  BOOST_TEST(edit_distance("kitten", "sitting") == 3U);
  BOOST_TEST(edit_distance("", "abc") == 3U);
  BOOST_TEST(edit_distance("TILE", "tile") == 0U);
}

BOOST_AUTO_TEST_CASE(a_huge_name_is_compared_by_its_beginning) {
  BOOST_TEST(edit_distance(std::string(1000000, 'a'), "") == 80U);
}

BOOST_AUTO_TEST_CASE(the_closest_candidate_is_named) {
  BOOST_TEST(nearest_name("gem", {"dma", "gemm", "math"}) == "gemm");
  BOOST_TEST(nearest_name("x", {}) == "");
}

BOOST_AUTO_TEST_CASE(a_key_in_the_wrong_place_is_found_in_the_right_one) {
  const KeyNames names({"a.fixed", "a.b.clock", "c.clack"});
  BOOST_TEST(names.nearest("clock") == "a.b.clock");
  BOOST_TEST(names.nearest("a.clock") == "a.b.clock");
}

BOOST_AUTO_TEST_CASE(a_neighbour_is_preferred_to_a_namesake_elsewhere_that_is_no_closer) {
  const KeyNames names({"dma.setup_cycle", "math.setup_cycle"});
  BOOST_TEST(names.nearest("math.setup_cycles") == "math.setup_cycle");
  BOOST_TEST(names.nearest("dma.setup_cycles") == "dma.setup_cycle");
}

BOOST_AUTO_TEST_CASE(a_group_is_told_from_a_key) {
  const KeyNames names({"a.b.c"});
  BOOST_TEST(names.is_key("a.b.c"));
  BOOST_TEST(!names.is_key("a.b"));
  BOOST_TEST(names.is_group("a.b"));
  BOOST_TEST(names.is_group("a"));
  BOOST_TEST(!names.is_group("a.b.c"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
