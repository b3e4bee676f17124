// SPDX-License-Identifier: Apache-2.0
#include "petal/config/number_text.hpp"

#include <boost/test/unit_test.hpp>

namespace petal {
namespace {

BOOST_AUTO_TEST_SUITE(number_text)

BOOST_AUTO_TEST_CASE(a_real_is_a_decimal_with_point_and_exponent) {
  BOOST_TEST(parse_real("8e1").value() == 80.0);
  BOOST_TEST(parse_real("0.0625").value() == 0.0625);
  BOOST_TEST(parse_real("-5").value() == -5.0);
  BOOST_TEST(parse_real("+3").value() == 3.0);
  BOOST_TEST(parse_real(".5").value() == 0.5);
  BOOST_TEST(parse_real("5.").value() == 5.0);
  BOOST_TEST(parse_real("0").value() == 0.0);
  BOOST_TEST(parse_real("1E+20").value() == 1e20);
  BOOST_TEST(parse_real("25e-2").value() == 0.25);
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_real) {
  for (const char* text :
       {"",      " ",    "-",     "+",   ".",    "e1",    "1e",     "1e+",    "1e1.5",    "0,125",  "1_000",
        "1 000", "0x10", "0x1p3", "nan", ".nan", "inf",   ".inf",   "-.inf",  "infinity", "eighty", "1.2.3",
        "--1",   "+-1",  "1f",    " 1",  "1 ",   "1e999", "-1e999", "1e-999", "4O"})
    BOOST_TEST(!parse_real(text).has_value(), "'" << text << "' was taken for a number");
}

BOOST_AUTO_TEST_CASE(leading_zeros_are_refused) {
  for (const char* text : {"010", "00", "00.5", "-010", "+07"}) {
    BOOST_TEST(!parse_real(text).has_value(), text);
    BOOST_TEST(!parse_unsigned(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(a_whole_number_may_be_written_as_a_real) {
  BOOST_TEST(parse_unsigned("80").value() == 80U);
  BOOST_TEST(parse_unsigned("8e1").value() == 80U);
  BOOST_TEST(parse_unsigned("80.0").value() == 80U);
  BOOST_TEST(parse_unsigned("0").value() == 0U);
  BOOST_TEST(parse_unsigned("18446744073709551615").value() == 18446744073709551615U);
}

BOOST_AUTO_TEST_CASE(a_fraction_a_sign_or_too_many_digits_are_no_whole_number) {
  for (const char* text :
       {"80.5", "-1", "-0.0001", "1e-1", "18446744073709551616", "1e17", "1e300", "4 KiB", ""})
    BOOST_TEST(!parse_unsigned(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(bytes_take_binary_units) {
  BOOST_TEST(parse_byte_size("4096").value() == 4096U);
  BOOST_TEST(parse_byte_size("4KiB").value() == 4096U);
  BOOST_TEST(parse_byte_size("4 KiB").value() == 4096U);
  BOOST_TEST(parse_byte_size("1.5 KiB").value() == 1536U);
  BOOST_TEST(parse_byte_size("1MiB").value() == 1048576U);
  BOOST_TEST(parse_byte_size("16GiB").value() == 17179869184U);
}

BOOST_AUTO_TEST_CASE(bytes_take_no_other_units) {
  for (const char* text :
       {"4K", "4KB", "4kib", "4  KiB", "KiB", " KiB", "-1KiB", "0.3KiB", "1e9GiB", "4KiB "})
    BOOST_TEST(!parse_byte_size(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
