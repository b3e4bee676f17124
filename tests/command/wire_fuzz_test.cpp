// SPDX-License-Identifier: Apache-2.0
//
// Hostile bytes: whatever arrives is a command or a DecodeError, and what decodes is what would have been
// encoded.
#include <boost/test/unit_test.hpp>
#include <limits>

#include "command_equality.hpp"
#include "petal/command/command_rules.hpp"
#include "petal/command/error.hpp"
#include "petal/command/wire_codec.hpp"
#include "random_command.hpp"
#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr std::uint32_t kSeed = 20240614;

/// Tensors that end where the address space does, so that no offset but 0 is valid and bytes are the only
/// spelling.
TensorTable tensors_at_the_top(std::size_t count) {
  TensorTable table;
  for (std::size_t size = 1; size <= count; ++size)
    table.append(in_tcm(std::numeric_limits<std::uint64_t>::max() - 4 * size, {size}));
  return table;
}

/// The command that `bytes` are, if they are one. Any other exception than DecodeError fails the test.
std::optional<PeCommand> decoded(const std::vector<std::byte>& bytes, const TensorTable& table) {
  try {
    return decode(bytes, table);
  } catch (const DecodeError&) {
    return std::nullopt;
  }
}

void mutate(std::vector<std::byte>& bytes, RandomCommands& random) {
  const std::size_t at = bytes.empty() ? 0 : random.below(bytes.size());
  switch (random.below(4)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                   static_cast<std::byte>(random.below(256)));
      break;
    default:
      if (!bytes.empty()) bytes[at] = static_cast<std::byte>(random.below(random.below(2) == 0 ? 8 : 256));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wire_fuzz)

BOOST_AUTO_TEST_CASE(random_bytes_are_a_command_or_an_error) {
  RandomCommands random(kSeed);
  TensorTable table = tensors_at_the_top(8);
  std::size_t commands = 0;
  for (int round = 0; round < 60000; ++round) {
    std::vector<std::byte> bytes(random.below(60));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(random.below(4) == 0 ? 256 : 8));
    if (!bytes.empty() && random.below(2) == 0) bytes[0] = static_cast<std::byte>(1 + random.below(6));
    const auto command = decoded(bytes, table);
    if (!command) continue;
    ++commands;
    find_command_error(*command);  // must not trust it either
    BOOST_TEST_CONTEXT("seed " << kSeed << ", round " << round) {
      BOOST_REQUIRE(encode(*command, table) == bytes);
    }
  }
  BOOST_TEST(commands > 100U);  // else the bytes were too wild to test anything
}

BOOST_AUTO_TEST_CASE(damaged_commands_are_a_command_or_an_error) {
  RandomCommands random(kSeed + 1);
  TensorTable table;
  std::size_t commands = 0;
  for (int round = 0; round < 15000; ++round) {
    std::vector<std::byte> bytes = encode(random.command(), table);
    for (std::uint64_t count = 1 + random.below(4); count > 0; --count) mutate(bytes, random);
    const auto command = decoded(bytes, table);
    if (!command) continue;
    ++commands;
    find_command_error(*command);
    // A reference may have become one with an offset, which is entered as a tensor of its own: compare the
    // commands.
    BOOST_TEST_CONTEXT("seed " << kSeed + 1 << ", round " << round) {
      BOOST_REQUIRE_EQUAL(logical_bytes(*command).count(), bytes.size());
      BOOST_REQUIRE(same_command(decode(encode(*command, table), table), *command));
    }
  }
  BOOST_TEST(commands > 100U);
}

BOOST_AUTO_TEST_CASE(every_truncation_of_a_command_without_optional_fields_is_an_error) {
  for (const PeCommand& command : one_of_each_kind()) {
    TensorTable table;
    const std::vector<std::byte> bytes = encode(command, table);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      BOOST_CHECK_THROW(decode(ByteView(bytes.data(), size), table), DecodeError);
  }
}

BOOST_AUTO_TEST_SUITE_END()
