// SPDX-License-Identifier: Apache-2.0
#include "petal/calibrate/measurement.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "petal/command/error.hpp"

namespace petal {
namespace {

std::vector<Measurement> read(const std::string& text) {
  std::istringstream in(text);
  return read_measurements(in, "m.csv");
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(measurement)

BOOST_AUTO_TEST_CASE(pairs_with_and_without_a_header) {
  for (const char* text : {"54,43.375\n322,60.125\n", "logical_bytes,ns\n54,43.375\n322,60.125\n",
                           "# a note\n\n logical_bytes , ns \r\n54, 43.375\r\n\n# more\n322,60.125",
                           "\xEF\xBB\xBFns,run,logical_bytes\n43.375,a,54\n6.0125e1,b,322\n"}) {
    BOOST_TEST_CONTEXT(text) {
      const std::vector<Measurement> pairs = read(text);
      BOOST_REQUIRE(pairs.size() == 2U);
      BOOST_TEST(pairs[0].logical_bytes == 54U);
      BOOST_TEST(pairs[0].ns == 43.375);
      BOOST_TEST(pairs[1].logical_bytes == 322U);
      BOOST_TEST(pairs[1].ns == 60.125);
    }
  }
  BOOST_TEST(read("# a\nlogical_bytes,ns\n\n54,1\n").at(0).line == 4);
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_with_their_lines_all_at_once) {
  const std::string error =
      error_of("54,43\n54.5,43\n-1,43\n54,nan\n54,-3\n54,inf\n54\n54,1,2\n,1\n54,4 ns\n");
  for (const char* line :
       {"m.csv:2: logical_bytes: value '54.5': must be a whole number", "m.csv:3: logical_bytes: value '-1'",
        "m.csv:4: ns: value 'nan': must be a finite number", "m.csv:5: ns: value '-3'",
        "m.csv:6: ns: value 'inf'", "m.csv:7: has 1 columns, not 2", "m.csv:8: has 3 columns, not 2",
        "m.csv:9: logical_bytes: value ''", "m.csv:10: ns: value '4 ns'"})
    BOOST_TEST(mentions(error, line), line);
  BOOST_TEST(!mentions(error, "m.csv:1:"));
}

BOOST_AUTO_TEST_CASE(a_header_names_both_columns) {
  BOOST_TEST(mentions(error_of("bytes,ns\n54,43\n"),
                      "m.csv:1: the header must name the columns logical_bytes and ns"));
  BOOST_TEST(mentions(error_of("logical_bytes,ns,ns\n54,43,4\n"), "m.csv:1: the header"));
}

BOOST_AUTO_TEST_CASE(a_file_without_pairs_is_refused) {
  for (const char* text : {"", "# nothing\n", "logical_bytes,ns\n"})
    BOOST_TEST(mentions(error_of(text), "m.csv: holds no pair"), text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
