// SPDX-License-Identifier: Apache-2.0
#include "petal/command/wire_buffer.hpp"

#include <boost/test/unit_test.hpp>

#include "petal/command/error.hpp"

using namespace petal;

namespace {

std::vector<std::byte> written(const ScalarValue& value) {
  WireWriter writer(0);
  writer.scalar(value);
  return writer.take();
}

ScalarValue read_back(const ScalarValue& value) {
  const std::vector<std::byte> bytes = written(value);
  WireReader reader(bytes);
  const ScalarValue result = reader.scalar(type_of(value), "value");
  BOOST_TEST(reader.remaining() == 0U);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wire_buffer)

BOOST_AUTO_TEST_CASE(numbers_are_little_endian) {
  WireWriter writer(15);
  writer.u8(0x01);
  writer.u32(0x05040302U);
  writer.u64(0x0D0C0B0A09080706U);
  const std::vector<std::byte> bytes = writer.take();
  BOOST_REQUIRE(bytes.size() == 13U);
  for (std::size_t index = 0; index < bytes.size(); ++index)
    BOOST_TEST(std::to_integer<std::size_t>(bytes[index]) == index + 1);
  WireReader reader(bytes);
  BOOST_TEST(reader.u8("a") == 0x01);
  BOOST_TEST(reader.u32("b") == 0x05040302U);
  BOOST_TEST(reader.u64("c") == 0x0D0C0B0A09080706U);
}

BOOST_AUTO_TEST_CASE(scalars_of_every_type_come_back) {
  const ScalarValue values[] = {
      std::int32_t{-2}, 1.5F, true, false, std::vector<std::int32_t>{-1, 0, 7}, std::vector<std::int32_t>{},
      Tag{200}};
  for (const ScalarValue& value : values) BOOST_TEST((read_back(value) == value));
  BOOST_TEST(written(std::vector<std::int32_t>{1, 2}).size() == 9U);  // 1 + 4 * 2
  BOOST_TEST(written(true).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_bool_is_zero_or_one) {
  const std::vector<std::byte> two = {std::byte{2}};
  WireReader reader(two);
  BOOST_CHECK_THROW(reader.scalar(ScalarType::boolean, "flag"), DecodeError);
}

BOOST_AUTO_TEST_CASE(reading_past_the_end_is_an_error_that_takes_nothing) {
  const std::vector<std::byte> bytes(3);
  WireReader reader(bytes);
  BOOST_CHECK_THROW(reader.u32("four bytes"), DecodeError);
  BOOST_TEST(reader.position() == 0U);
  BOOST_CHECK_THROW(WireReader(ByteView()).u8("a byte"), DecodeError);
}

BOOST_AUTO_TEST_CASE(a_tuple_that_promises_more_than_there_is_is_an_error) {
  const std::vector<std::byte> bytes(9, std::byte{0xFF});
  WireReader reader(bytes);
  BOOST_CHECK_THROW(reader.scalar(ScalarType::tuple, "axes"), DecodeError);
}

BOOST_AUTO_TEST_SUITE_END()
