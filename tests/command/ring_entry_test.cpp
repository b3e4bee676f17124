// SPDX-License-Identifier: Apache-2.0
#include "petal/command/ring_entry.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace petal;

namespace {

constexpr RingSlotLimits kLimits{7, Bytes(128), Bytes(1024)};

RingEntry sample() {
  RingEntry entry;
  entry.number = 7;
  entry.length = 58;
  entry.first = true;
  entry.last = true;
  entry.completion = 0x030201;
  return entry;
}

ReadRingEntry read_changed(std::size_t at, unsigned value, const RingSlotLimits& limits = kLimits) {
  std::vector<std::byte> header = encode_ring_entry(sample());
  header[at] = static_cast<std::byte>(value);
  return read_ring_entry(header, limits);
}

void expect(const ReadRingEntry& read, CompletionStatus status, const std::string& reason) {
  BOOST_TEST((read.status == status), read.problem);
  BOOST_TEST(read.problem.find(reason) != std::string::npos, read.problem);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ring_entry)

BOOST_AUTO_TEST_CASE(fields_lie_where_the_layout_says) {
  const std::vector<std::byte> header = encode_ring_entry(sample());
  const unsigned expected[] = {7, 0, 0, 0, 58, 0, 0x03, 0x80, 1, 2, 3, 0, 0, 0, 0, 0};
  for (std::size_t at = 0; at < 16; ++at) BOOST_TEST(std::to_integer<unsigned>(header[at]) == expected[at]);
}

BOOST_AUTO_TEST_CASE(a_valid_header_reads_back) {
  for (const bool first : {false, true})
    for (const bool last : {false, true}) {
      RingEntry entry = sample();
      entry.first = first;
      entry.last = last;
      const ReadRingEntry read = read_ring_entry(encode_ring_entry(entry), kLimits);
      BOOST_TEST((read.status == CompletionStatus::ok));
      BOOST_TEST((read.entry == entry));
      BOOST_TEST(read.problem.empty());
    }
}

// F31: what is not marked valid, or is left over from the round before, is no entry.
BOOST_AUTO_TEST_CASE(a_slot_without_valid_or_with_another_number_is_not_valid) {
  expect(read_changed(7, 0), CompletionStatus::descriptor_not_valid, "entry 7 is not marked valid");
  expect(read_changed(0, 3), CompletionStatus::descriptor_not_valid, "holds sequence 3");
  expect(read_changed(3, 1), CompletionStatus::descriptor_not_valid, "sequence 16777223");
  expect(read_ring_entry(std::vector<std::byte>(16), kLimits), CompletionStatus::descriptor_not_valid,
         "valid");
}

BOOST_AUTO_TEST_CASE(a_number_may_be_any_32_bits) {
  RingEntry entry = sample();
  entry.number = 0xFFFFFFFF;
  const ReadRingEntry read = read_ring_entry(encode_ring_entry(entry), {0xFFFFFFFF, Bytes(128), Bytes(1024)});
  BOOST_TEST((read.status == CompletionStatus::ok));
}

BOOST_AUTO_TEST_CASE(a_valid_slot_that_breaks_the_layout_is_malformed) {
  const auto malformed = CompletionStatus::descriptor_malformed;
  expect(read_changed(4, 0), malformed, "has 0 command bytes");
  expect(read_changed(4, 113), malformed, "113 command bytes; it can have 1 to 112");  // the stride less 16
  expect(read_changed(4, 58, {7, Bytes(128), Bytes(57)}), malformed, "1 to 57");       // the cap
  expect(read_changed(6, 7), malformed, "bits that must be 0");
  expect(read_changed(7, 0xC0), malformed, "bits that must be 0");
  expect(read_changed(11, 1), malformed, "24 bits");
  expect(read_changed(12, 1), malformed, "reserved word");
  expect(read_changed(15, 0x80), malformed, "reserved word");
  BOOST_TEST(read_changed(15, 0x80).entry.completion == 0x030201U);  // its record still names it
  BOOST_TEST((read_changed(4, 112).status == CompletionStatus::ok));
  BOOST_TEST((read_changed(4, 1).status == CompletionStatus::ok));
}

BOOST_AUTO_TEST_CASE(the_largest_slot_has_a_length_that_fits_its_field) {
  RingEntry entry = sample();
  entry.length = 65520;
  const ReadRingEntry read = read_ring_entry(encode_ring_entry(entry), {7, Bytes(65536), Bytes(100000)});
  BOOST_TEST((read.status == CompletionStatus::ok));
  BOOST_TEST(read.entry.length == 65520U);
}

BOOST_AUTO_TEST_SUITE_END()
