// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_access.hpp"

#include <boost/test/unit_test.hpp>

#include "device/payload.hpp"

namespace petal {
namespace {

tlm::tlm_response_status status_of(tlm::tlm_command command, std::uint64_t address, std::size_t bytes) {
  const Payload payload(command, address, std::vector<unsigned char>(bytes));
  const RegisterAccess access = register_access_of(payload.generic);
  BOOST_TEST((access.count != 0) == (access.status == tlm::TLM_OK_RESPONSE));
  return access.status;
}

tlm::tlm_response_status read_status(std::uint64_t address, std::size_t bytes) {
  return status_of(tlm::TLM_READ_COMMAND, address, bytes);
}

tlm::tlm_response_status write_status(std::uint64_t address, std::size_t bytes) {
  return status_of(tlm::TLM_WRITE_COMMAND, address, bytes);
}

tlm::tlm_response_status status_with_enables(const std::vector<unsigned char>& pattern) {
  Payload payload = write_payload(0x080, std::vector<unsigned char>(8));
  payload.set_byte_enables(pattern);
  return register_access_of(payload.generic).status;
}

void check_part(const RegisterPart& part, RegisterId id, std::size_t data_offset, std::size_t register_offset,
                std::size_t bytes) {
  BOOST_TEST((part.id == id));
  BOOST_TEST(part.data_offset == data_offset);
  BOOST_TEST(part.register_offset == register_offset);
  BOOST_TEST(part.bytes == bytes);
}

BOOST_AUTO_TEST_SUITE(register_access)

BOOST_AUTO_TEST_CASE(four_bytes_are_a_register) {
  const RegisterAccess access = register_access_of(write_payload(0x09C, {1, 2, 3, 4}).generic);
  BOOST_TEST(access.status == tlm::TLM_OK_RESPONSE);
  BOOST_REQUIRE(access.count == 1);
  check_part(access.parts[0], RegisterId::doorbell, 0, 0, 4);
}

BOOST_AUTO_TEST_CASE(eight_bytes_are_two_registers_the_lower_first) {
  const RegisterAccess access = register_access_of(read_payload(0x050, 8).generic);
  BOOST_REQUIRE(access.count == 2);
  check_part(access.parts[0], RegisterId::error_address_lo, 0, 0, 4);
  check_part(access.parts[1], RegisterId::error_address_hi, 4, 0, 4);
}

// F33: a 2-byte read at offset 2.
BOOST_AUTO_TEST_CASE(reads_of_one_and_two_bytes_are_parts_of_a_register) {
  const RegisterAccess two = register_access_of(read_payload(0x002, 2).generic);
  BOOST_REQUIRE(two.count == 1);
  check_part(two.parts[0], RegisterId::id, 0, 2, 2);
  const RegisterAccess one = register_access_of(read_payload(0x047, 1).generic);
  BOOST_REQUIRE(one.count == 1);
  check_part(one.parts[0], RegisterId::status, 0, 3, 1);
}

// F33: a 4-byte read at offset 1.
BOOST_AUTO_TEST_CASE(lengths_and_alignments_that_are_refused) {
  BOOST_TEST(read_status(0x001, 4) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(read_status(0x002, 4) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(read_status(0x001, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(read_status(0x084, 8) == tlm::TLM_BURST_ERROR_RESPONSE);
  for (const std::size_t bytes : {0, 3, 5, 6, 7, 12, 16, 64})
    BOOST_TEST(read_status(0x080, bytes) == tlm::TLM_BURST_ERROR_RESPONSE, bytes);
  BOOST_TEST(write_status(0x080, 1) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(write_status(0x080, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(write_status(0x082, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
}

// F33: unmapped. F32: all address bits count, and an access may not leave the block.
BOOST_AUTO_TEST_CASE(addresses_where_no_register_is) {
  BOOST_TEST(read_status(0xFF0, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(write_status(0xFF0, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(read_status(0x028, 1) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  // TABLE_SIZE is the lower half, nothing the upper.
  BOOST_TEST(write_status(0x0A8, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(read_status(0x1000, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(read_status(0xFFC, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(read_status(0x1'0000'0000, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(read_status(0x8000'0000'0000'0000, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(read_status(0xFFFF'FFFF'FFFF'FFFC, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

BOOST_AUTO_TEST_CASE(a_streaming_width_below_the_length_is_refused) {
  Payload payload = read_payload(0x080, 8);
  payload.generic.set_streaming_width(4);
  BOOST_TEST(register_access_of(payload.generic).status == tlm::TLM_BURST_ERROR_RESPONSE);
  payload.generic.set_streaming_width(0);
  BOOST_TEST(register_access_of(payload.generic).status == tlm::TLM_BURST_ERROR_RESPONSE);
  payload.generic.set_streaming_width(16);
  BOOST_TEST(register_access_of(payload.generic).status == tlm::TLM_OK_RESPONSE);
}

BOOST_AUTO_TEST_CASE(byte_enables_take_or_leave_whole_registers) {
  Payload payload = write_payload(0x080, std::vector<unsigned char>(8));
  payload.set_byte_enables({0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF});
  const RegisterAccess upper = register_access_of(payload.generic);
  BOOST_TEST(upper.status == tlm::TLM_OK_RESPONSE);
  BOOST_REQUIRE(upper.count == 1);
  check_part(upper.parts[0], RegisterId::ring_base_hi, 4, 0, 4);
  // A pattern shorter than the data is repeated.
  BOOST_TEST(status_with_enables({0xFF}) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(status_with_enables({0}) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(status_with_enables({0xFF, 0xFF, 0xFF, 0}) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  BOOST_TEST(status_with_enables({0xFF, 0}) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  BOOST_TEST(status_with_enables({0, 0, 0, 0, 0, 0, 0, 0xFF}) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  // Neither of the standard's values, and no pattern at all.
  BOOST_TEST(status_with_enables({1}) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  payload.generic.set_byte_enable_length(0);
  BOOST_TEST(register_access_of(payload.generic).status == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

BOOST_AUTO_TEST_CASE(a_part_of_a_register_is_enabled_or_disabled_as_a_whole) {
  Payload payload = read_payload(0x002, 2);
  payload.set_byte_enables({0xFF, 0});
  BOOST_TEST(register_access_of(payload.generic).status == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  payload.set_byte_enables({0});
  const RegisterAccess nothing = register_access_of(payload.generic);
  BOOST_TEST(nothing.status == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(nothing.count == 0);
}

BOOST_AUTO_TEST_CASE(without_data_there_is_no_access) {
  Payload payload = read_payload(0x000, 4);
  payload.generic.set_data_ptr(nullptr);
  BOOST_TEST(register_access_of(payload.generic).status == tlm::TLM_GENERIC_ERROR_RESPONSE);
}

BOOST_AUTO_TEST_CASE(debug_transport_has_neither_byte_enables_nor_streaming_width) {
  Payload payload = read_payload(0x080, 8);
  payload.generic.set_streaming_width(0);
  payload.set_byte_enables({0, 1, 0xFF});
  const RegisterAccess access = register_debug_access_of(payload.generic);
  BOOST_TEST(access.status == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(access.count == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
