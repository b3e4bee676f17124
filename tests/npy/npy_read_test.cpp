// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "npy/npy_bytes.hpp"
#include "petal/npy/npy_file.hpp"

namespace {

using namespace petal;
using namespace petal::test;

NpyArray read(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_npy(in, "q.npy");
}

/// Reading fails with a message that names the file and holds each of `parts`.
void check_refused(const std::string& bytes, const std::vector<std::string>& parts) {
  try {
    read(bytes);
    BOOST_ERROR("was read, expected: " << parts.front());
  } catch (const NpyError& error) {
    const std::string text = error.what();
    BOOST_TEST(text.rfind("'q.npy': ", 0) == 0U, text);
    BOOST_TEST(text.find("; ") != std::string::npos, text);  // the remedy
    BOOST_TEST(text.find('\n') == std::string::npos, text);
    for (const std::string& part : parts)
      BOOST_TEST(text.find(part) != std::string::npos, part << " in: " << text);
  }
}

const std::string kSixFloats = raw<float>({0, 1, 2, 3, 4, 5});

void check_header_refused(const std::string& header, const std::string& part) {
  check_refused(npy_bytes(header, kSixFloats), {part, "numpy.save"});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(npy_read)

BOOST_AUTO_TEST_CASE(a_matrix_in_c_order) {
  const NpyArray array = read(npy_bytes(header_of("<f4", "(2, 3)"), kSixFloats));
  BOOST_TEST(array.descr == "<f4");
  BOOST_TEST(array.shape == (Shape{2, 3}), boost::test_tools::per_element());
  BOOST_TEST(as_doubles(array) == (Doubles{0, 1, 2, 3, 4, 5}), boost::test_tools::per_element());
}

// Stored column by column: [[0, 2, 4], [1, 3, 5]].
BOOST_AUTO_TEST_CASE(a_matrix_in_fortran_order_is_put_into_c_order) {
  const NpyArray array = read(npy_bytes(header_of("<f4", "(2, 3)", "True"), kSixFloats));
  BOOST_TEST(array.shape == (Shape{2, 3}), boost::test_tools::per_element());
  BOOST_TEST(as_doubles(array) == (Doubles{0, 2, 4, 1, 3, 5}), boost::test_tools::per_element());
}

// Element [i, j, k] of shape [2, 3, 2] lies at i + 2 * j + 6 * k.
BOOST_AUTO_TEST_CASE(three_axes_in_fortran_order) {
  std::vector<std::int32_t> numbers;
  for (std::int32_t number = 0; number < 12; ++number) numbers.push_back(number);
  const NpyArray array = read(npy_bytes(header_of("<i4", "(2, 3, 2)", "True"), raw(numbers)));
  BOOST_TEST(as_doubles(array) == (Doubles{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_axes_are_one_element_and_an_axis_of_zero_is_none) {
  const NpyArray scalar = read(npy_bytes(header_of("<f8", "()"), raw<double>({2.5})));
  BOOST_TEST(scalar.shape.empty());
  BOOST_TEST(as_doubles(scalar) == (Doubles{2.5}), boost::test_tools::per_element());
  for (const char* order : {"False", "True"}) {
    const NpyArray empty = read(npy_bytes(header_of("<f4", "(4, 0, 9223372036854775808)", order), ""));
    BOOST_TEST(empty.shape == (Shape{4, 0, 9223372036854775808U}), boost::test_tools::per_element());
    BOOST_TEST(as_doubles(empty).empty());
  }
}

BOOST_AUTO_TEST_CASE(headers_of_every_version) {
  for (const int major : {2, 3}) {
    const NpyArray array = read(npy_bytes_of_version(major, header_of("<f4", "(6,)"), kSixFloats));
    BOOST_TEST(array.shape == (Shape{6}), boost::test_tools::per_element());
  }
  for (const int major : {0, 4, 255})
    check_refused(npy_bytes_of_version(major, header_of("<f4", "(6,)"), kSixFloats),
                  {"version", "1.0, 2.0 and 3.0"});
}

// Other writers order the keys otherwise, use other quotes and leave commas and spaces off.
BOOST_AUTO_TEST_CASE(any_spelling_of_the_dictionary) {
  for (const char* header : {"{\"shape\":(6,),\"descr\":\"<f4\",\"fortran_order\":False}",
                             "  { 'fortran_order' :False , 'shape' : ( 6 ) , 'descr':'<f4' , }   \n",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }          \n"}) {
    const NpyArray array = read(npy_bytes(header, kSixFloats));
    BOOST_TEST(array.shape == (Shape{6}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(damaged_headers_are_named) {
  check_header_refused("", "no '{'");
  check_header_refused("{'descr': '<f4', 'fortran_order': False}", "no 'shape'");
  check_header_refused("{'descr': '<f4', 'shape': (6,)}", "no 'fortran_order'");
  check_header_refused("{'fortran_order': False, 'shape': (6,)}", "no 'descr'");
  check_header_refused("{'descr': '<f4', 'descr': '<f4', }", "'descr' twice");
  check_header_refused("{'colour': 'red'}", "unknown key 'colour'");
  check_header_refused("{'descr': '<f4', 'fortran_order': 0, }", "neither True nor False");
  check_header_refused("{'descr': '<f4', 'shape': (6,), 'fortran_order': False", "no ',' or '}'");
  check_header_refused("{'descr': '<f4' 'shape': (6,), 'fortran_order': False}", "no ',' or '}'");
  check_header_refused("{'descr': <f4, }", "no text in quotes as the value of 'descr'");
  check_header_refused("{'descr: ", "no text in quotes as a key");
  check_header_refused("{'shape': [6], }", "no '('");
  check_header_refused("{'shape': (-6,), }", "no tuple of sizes");
  check_header_refused("{'shape': (6.0,), }", "no tuple of sizes");
  check_header_refused("{'shape': (2 3), }", "no tuple of sizes");
  check_header_refused("{'shape': (, ), }", "no tuple of sizes");
  check_header_refused("{'shape': (2,3", "no tuple of sizes");
  check_header_refused("{'shape': (18446744073709551616,), }", "more than 2^64");
  check_header_refused(header_of("<f4", "(6,)") + "x", "after its header's '}'");
}

BOOST_AUTO_TEST_CASE(sizes_that_overflow_are_refused_without_reading) {
  check_refused(npy_bytes(header_of("<f4", "(4611686018427387904,)"), kSixFloats), {"more than 2^64 bytes"});
  check_refused(npy_bytes(header_of("<f4", "(4294967296, 4294967296)"), kSixFloats),
                {"more than 2^64 bytes"});
  // 2^60 bytes are countable: memory is not taken for them.
  check_refused(npy_bytes(header_of("<f4", "(288230376151711744,)"), kSixFloats),
                {"ends after 24 of its 1152921504606846976 bytes"});
}

BOOST_AUTO_TEST_CASE(element_types_that_cannot_be_read_are_named_with_what_to_do) {
  check_refused(npy_bytes(header_of(">f4", "(6,)"), kSixFloats), {"'>f4'", "big-endian", ".astype('<f4')"});
  check_refused(npy_bytes(header_of("|O", "(6,)"), kSixFloats), {"'|O'", "Python objects"});
  check_refused(npy_bytes(header_of("<V2", "(6,)"), kSixFloats), {"'<V2'", "bf16", ".astype('<f4')"});
  check_refused(npy_bytes(header_of("<c8", "(3,)"), kSixFloats), {"'<c8'", "<f4, <f2, <f8"});
  check_refused(npy_bytes(header_of("<u4", "(6,)"), kSixFloats), {"'<u4'", "<i4"});
  check_refused(npy_bytes(header_of("", "(6,)"), kSixFloats), {"''"});
  check_refused(npy_bytes("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }", kSixFloats),
                {"structured", "one field"});
}

BOOST_AUTO_TEST_CASE(every_truncation_is_refused) {
  const std::string whole = npy_bytes(header_of("<f4", "(6,)"), kSixFloats);
  for (std::size_t length = 0; length < whole.size(); ++length)
    BOOST_CHECK_THROW(read(whole.substr(0, length)), NpyError);
  check_refused(whole.substr(0, 5), {"no .npy file"});
  check_refused(whole.substr(0, 30), {"ends within its header"});
  check_refused(whole.substr(0, whole.size() - 1), {"ends after 23 of its 24 bytes"});
  check_refused(whole + "x", {"goes on after its 24 bytes"});
}

BOOST_AUTO_TEST_CASE(what_is_no_npy_file_is_refused) {
  check_refused("", {"no .npy file"});
  check_refused("PK\x03\x04 an .npz file", {"no .npy file"});
  check_refused(std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 12), {"header of 4294967295 bytes"});
}

// Whatever one byte becomes, there is an array or an error.
BOOST_AUTO_TEST_CASE(no_damaged_byte_does_harm) {
  const std::string whole = npy_bytes(header_of("<f4", "(2, 3)", "True"), kSixFloats);
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (unsigned value = 0; value < 256; ++value) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(value);
      try {
        const NpyArray array = read(damaged);
        BOOST_REQUIRE(array.data.size() == array.elements() * *npy_item_bytes(array.descr));
      } catch (const NpyError&) {
      }
    }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_is_named) {
  BOOST_CHECK_EXCEPTION(read_npy("no_such_folder/q.npy"), NpyError, [](const NpyError& error) {
    return std::string(error.what()).find("'no_such_folder/q.npy': cannot be read") == 0;
  });
}

BOOST_AUTO_TEST_SUITE_END()
