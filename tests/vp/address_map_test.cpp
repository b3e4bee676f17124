// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <limits>

#include "petal/command/error.hpp"
#include "petal/vp/address_map.hpp"

using namespace petal;
using namespace petal::vp;

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

}  // namespace

BOOST_AUTO_TEST_SUITE(address_map)

BOOST_AUTO_TEST_CASE(ranges_know_what_they_contain) {
  const AddressRange range{0x1000, 0x100};
  BOOST_TEST(range.contains(0x1000));
  BOOST_TEST(range.contains(0x10FF));
  BOOST_TEST(!range.contains(0x0FFF));
  BOOST_TEST(!range.contains(0x1100));
  BOOST_TEST(range.contains(0x10F8, 8));
  BOOST_TEST(!range.contains(0x10F9, 8));
  BOOST_TEST(!range.contains(0x1000, kMost));
  BOOST_TEST((AddressRange{kMost - 7, 8}).contains(kMost - 7, 8));
}

BOOST_AUTO_TEST_CASE(ranges_make_room_for_others) {
  const AddressRange range{0x1000, 0x1000};
  BOOST_TEST(range.clear_of({0x1800, 0x100}, 0x1000).begin == 0x1000U);
  BOOST_TEST(range.clear_of({0x1800, 0x100}, 0x1000).bytes == 0x800U);
  BOOST_TEST(range.clear_of({0x1800, 0x100}, 0x1900).begin == 0x1900U);
  BOOST_TEST(range.clear_of({0x1800, 0x100}, 0x1900).bytes == 0x700U);
  BOOST_TEST(range.clear_of({0x2000, 0x100}, 0x1900).bytes == 0x1000U);
  BOOST_TEST(range.intersection({0x1800, 0x1000}).begin == 0x1800U);
  BOOST_TEST(range.intersection({0x1800, 0x1000}).bytes == 0x800U);
}

// F32: the bytes around a range belong to nobody, and no address is folded.
BOOST_AUTO_TEST_CASE(an_access_lies_in_one_target_wholly) {
  const AddressMap map(
      {{"low", {0x1000, 0x1000}}, {"high", {0x2000, 0x1000}}, {"last", {kMost - 0xFFF, 0x1000}}});
  BOOST_TEST(map.find(0x1000, 4).value() == 0U);
  BOOST_TEST(map.find(0x1FFC, 4).value() == 0U);
  BOOST_TEST(map.find(0x2000, 4).value() == 1U);
  BOOST_TEST(!map.find(0x1FFE, 4));
  BOOST_TEST(!map.find(0x0FFE, 4));
  BOOST_TEST(!map.find(0x100001000, 4));
  BOOST_TEST(map.find(kMost, 1).value() == 2U);
  BOOST_TEST(!map.find(kMost, 2));
}

BOOST_AUTO_TEST_CASE(bad_maps_are_refused) {
  BOOST_CHECK_THROW(AddressMap({{"a", {0, 0x1000}}, {"b", {0xFFF, 1}}}), ConfigError);
  BOOST_CHECK_THROW(AddressMap({{"a", {0, 0}}}), ConfigError);
  BOOST_CHECK_THROW(AddressMap({{"a", {kMost, 2}}}), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
