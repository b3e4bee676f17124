// SPDX-License-Identifier: Apache-2.0
#include "petal/command/fetched_tensors.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "command_equality.hpp"
#include "petal/command/error.hpp"
#include "petal/command/wire_codec.hpp"
#include "random_command.hpp"
#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

BOOST_AUTO_TEST_SUITE(fetched_tensors)

BOOST_AUTO_TEST_CASE(a_reference_is_an_index_and_an_offset) {
  BOOST_TEST(table_index_of(0x0000004000000001U) == 1U);
  BOOST_TEST(byte_offset_of(0x0000004000000001U) == 0x40U);
  BOOST_TEST(make_reference(1, 0x40) == 0x0000004000000001U);
}

BOOST_AUTO_TEST_CASE(entries_are_found_by_their_index_in_the_whole_table) {
  FetchedTensors tensors;
  tensors.set(70000, in_tcm(64, {4}));
  tensors.set(3, in_tcm(0, {4}));
  tensors.set(3, in_tcm(32, {4}));
  BOOST_TEST(tensors.size() == 2U);
  BOOST_TEST(tensors.resolve(3).same_tensor(in_tcm(32, {4})));
  BOOST_TEST(tensors.resolve(make_reference(70000, 8)).same_tensor(in_tcm(72, {4})));
  BOOST_CHECK_THROW(tensors.resolve(4), DecodeError);
  tensors.clear();
  BOOST_CHECK_THROW(tensors.resolve(3), DecodeError);
}

BOOST_AUTO_TEST_CASE(an_offset_that_leaves_the_address_space_is_refused) {
  FetchedTensors tensors;
  tensors.set(0, in_hbm(std::numeric_limits<std::uint64_t>::max() - 8, {4}));  // 8 bytes that end at the top
  BOOST_TEST(tensors.resolve(0).bytes().count() == 8U);
  BOOST_CHECK_THROW(tensors.resolve(make_reference(0, 1)), DecodeError);
}

// The second composite of opt2 names 10 tensors, O seven times.
BOOST_AUTO_TEST_CASE(a_command_names_each_table_entry_once) {
  TensorTable table;
  table.intern(in_tcm(0x9000, {1}));  // an entry that the command does not name
  const std::vector<std::byte> bytes = encode(merge_values_composite(), table);
  const std::vector<std::uint32_t> indices = referenced_tensors(bytes);
  const std::vector<std::uint32_t> expected = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  BOOST_TEST(indices == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_command_name_nothing) {
  BOOST_CHECK_THROW(referenced_tensors(std::vector<std::byte>(5, std::byte{7})), DecodeError);
  BOOST_CHECK_THROW(referenced_tensors(ByteView()), DecodeError);
}

BOOST_AUTO_TEST_CASE(a_command_decodes_with_nothing_but_the_entries_it_names) {
  constexpr std::uint32_t kSeed = 20261130;
  RandomCommands random(kSeed);
  TensorTable table;
  for (int round = 0; round < 2000; ++round) {
    const PeCommand command = random.command();
    const std::vector<std::byte> bytes = encode(command, table);
    FetchedTensors tensors;
    for (const std::uint32_t index : referenced_tensors(bytes)) tensors.set(index, table.entries()[index]);
    BOOST_TEST_CONTEXT("seed " << kSeed << ", round " << round) {
      BOOST_REQUIRE(same_command(decode(bytes, tensors), with_wire_completion(command)));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
