// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/value_list.hpp"

#include <boost/test/unit_test.hpp>

#include "config_error.hpp"

namespace petal {
namespace {

using Texts = std::vector<std::string>;
using test::config_error_of;
using test::mentions;

Texts listed(const std::string& text) {
  return listed_values("key", text);
}

BOOST_AUTO_TEST_SUITE(value_list)

BOOST_AUTO_TEST_CASE(commas_separate_values) {
  BOOST_TEST(listed("5") == Texts{"5"}, boost::test_tools::per_element());
  BOOST_TEST(listed("0, 5,10") == (Texts{"0", "5", "10"}), boost::test_tools::per_element());
  BOOST_TEST(listed("unlimited,none") == (Texts{"unlimited", "none"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(brackets_and_quotes_hold_together) {
  BOOST_TEST(listed("[dma,math],[dma]") == (Texts{"[dma,math]", "[dma]"}), boost::test_tools::per_element());
  BOOST_TEST(listed("'a,b',c") == (Texts{"'a,b'", "c"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_range_has_its_end) {
  BOOST_TEST(listed("1:10:3") == (Texts{"1", "4", "7", "10"}), boost::test_tools::per_element());
  BOOST_TEST(listed("1:9:3") == (Texts{"1", "4", "7"}), boost::test_tools::per_element());
  BOOST_TEST(listed("3:1:-1") == (Texts{"3", "2", "1"}), boost::test_tools::per_element());
  BOOST_TEST(listed("2:2:1") == Texts{"2"}, boost::test_tools::per_element());
  // 3 x 0.1 is a little more than 0.3 to the machine.
  BOOST_TEST(listed("0:0.3:0.1") == (Texts{"0", "0.1", "0.2", "0.3"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_factor_multiplies) {
  BOOST_TEST(listed("16:128:*2") == (Texts{"16", "32", "64", "128"}), boost::test_tools::per_element());
  BOOST_TEST(listed("8:1:*0.5") == (Texts{"8", "4", "2", "1"}), boost::test_tools::per_element());
  BOOST_TEST(listed("0,0.5:2:*2") == (Texts{"0", "0.5", "1", "2"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_no_range_is_a_value) {
  BOOST_TEST(listed("a:b:c") == Texts{"a:b:c"}, boost::test_tools::per_element());
  BOOST_TEST(listed("1:2") == Texts{"1:2"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_leads_nowhere_is_refused) {
  for (const char* bad : {"1:10:0", "1:10:-1", "10:1:2", "0:8:*2", "1:8:*1", "1:8:*-2", "8:1:*2", "-1:8:*2"})
    BOOST_TEST(mentions(config_error_of([&] { listed(bad); }), "key: range '"), bad);
  BOOST_TEST(mentions(config_error_of([] { listed("0:1e9:1"); }), "more than 1000000 values"));
  BOOST_TEST(mentions(config_error_of([] { listed("1,,2"); }), "a value is empty"));
  BOOST_TEST(mentions(config_error_of([] { listed(""); }), "a value is empty"));
  BOOST_TEST(mentions(config_error_of([] { listed("[1,2"); }), "not closed"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
