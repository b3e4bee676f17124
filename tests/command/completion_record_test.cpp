// SPDX-License-Identifier: Apache-2.0
#include "petal/command/completion_record.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "petal/command/error.hpp"

using namespace petal;

BOOST_AUTO_TEST_SUITE(completion_record)

BOOST_AUTO_TEST_CASE(fields_lie_where_the_layout_says) {
  const std::vector<std::byte> bytes =
      encode_completion_record({0x01020304, 0xABCDEF, CompletionStatus::transfer_error, 0x800000001000});
  const unsigned expected[] = {5, 3, 2, 1, 0xEF, 0xCD, 0xAB, 5, 0, 0x10, 0, 0, 0, 0x80, 0, 0};
  BOOST_REQUIRE(bytes.size() == 16U);
  for (std::size_t at = 0; at < 16; ++at) BOOST_TEST(std::to_integer<unsigned>(bytes[at]) == expected[at]);
}

// A record is never 0 in its first word the first time round, so software that clears the ring can see it
// come.
BOOST_AUTO_TEST_CASE(the_first_word_is_the_number_plus_1_and_wraps) {
  BOOST_TEST(std::to_integer<unsigned>(encode_completion_record({0, 0, CompletionStatus::ok, 0})[0]) == 1U);
  const CompletionRecord last{0xFFFFFFFF, 1, CompletionStatus::ok, 0};
  BOOST_TEST(std::to_integer<unsigned>(encode_completion_record(last)[0]) == 0U);
  BOOST_TEST((decode_completion_record(encode_completion_record(last)) == last));
}

BOOST_AUTO_TEST_CASE(every_status_comes_back) {
  for (std::uint32_t value = 0; value < 256; ++value) {
    std::vector<std::byte> bytes = encode_completion_record({9, 0x123456, CompletionStatus::ok, 42});
    bytes[7] = static_cast<std::byte>(value);
    if (value <= 11) {
      const CompletionRecord expected{9, 0x123456, static_cast<CompletionStatus>(value), 42};
      BOOST_TEST((decode_completion_record(bytes) == expected));
    } else {
      BOOST_CHECK_THROW(decode_completion_record(bytes), DecodeError);
    }
  }
}

BOOST_AUTO_TEST_CASE(another_number_of_bytes_is_no_record) {
  BOOST_CHECK_THROW(decode_completion_record(std::vector<std::byte>(15)), DecodeError);
  BOOST_CHECK_THROW(decode_completion_record(std::vector<std::byte>(17)), DecodeError);
}

BOOST_AUTO_TEST_CASE(statuses_have_numbers_names_and_texts) {
  BOOST_TEST(name_of(CompletionStatus::ok) == "ok");
  BOOST_TEST(name_of(CompletionStatus::dependency_failed) == "dependency_failed");
  BOOST_TEST((completion_status_of(11) == CompletionStatus::execution_error));
  BOOST_TEST(!completion_status_of(12));
  std::set<std::string_view> names;
  std::set<std::string_view> texts;
  for (std::uint32_t value = 0; value <= 11; ++value) {
    names.insert(name_of(*completion_status_of(value)));
    texts.insert(text_of(*completion_status_of(value)));
  }
  BOOST_TEST(names.size() == 12U);
  BOOST_TEST(texts.size() == 12U);
}

BOOST_AUTO_TEST_SUITE_END()
