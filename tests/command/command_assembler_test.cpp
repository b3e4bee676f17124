// SPDX-License-Identifier: Apache-2.0
#include "petal/command/command_assembler.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>

#include "command_equality.hpp"
#include "petal/command/error.hpp"
#include "petal/command/fetched_tensors.hpp"
#include "petal/command/recording_checker.hpp"
#include "petal/command/wire_codec.hpp"
#include "random_command.hpp"
#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Lengths = std::vector<std::size_t>;
using Faults = std::vector<CommandFault>;

/// Entries of commands on their way to an assembler, numbered as a device does.
class Ring {
 public:
  CommandAssembler assembler;

  /// Gives `command` with completion id `tag`, cut into slices of `lengths`; all in one if there are none.
  Faults give(PeCommand command, std::uint32_t tag, Lengths lengths = {}) {
    framing_of(command).completion = tag;
    const std::vector<std::byte> bytes = encode(command, table_);
    if (lengths.empty()) lengths = {bytes.size()};
    BOOST_REQUIRE(std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}) == bytes.size());
    Faults faults;
    std::size_t at = 0;
    for (std::size_t index = 0; index < lengths.size(); ++index) {
      const auto id = static_cast<std::uint32_t>((tag + index) % kWireCompletionModulus);
      for (CommandFault& fault :
           give_slice({bytes.data() + at, lengths[index]}, id, index == 0, index + 1 == lengths.size()))
        faults.push_back(std::move(fault));
      at += lengths[index];
    }
    return faults;
  }

  Faults give_slice(ByteView bytes, std::uint32_t id, bool first, bool last) {
    return assembler.take(++completion_, header(bytes.size, id, first, last), bytes);
  }

  CommandFault reject(std::uint32_t id) {
    return assembler.reject(++completion_, header(0, id, false, false),
                            CompletionStatus::descriptor_malformed, "the header is bad");
  }

  /// Reads the tensors that are asked for and nothing else, then assembles.
  AssembledCommand assemble() {
    BOOST_REQUIRE(assembler.complete());
    FetchedTensors tensors;
    for (const std::uint32_t index : assembler.tensors()) tensors.set(index, table_.entries().at(index));
    auto assembled = assembler.assemble(tensors);
    BOOST_TEST(!assembler.holds_entries());
    BOOST_TEST(!assembler.complete());
    BOOST_REQUIRE(std::holds_alternative<AssembledCommand>(assembled));
    return std::get<AssembledCommand>(std::move(assembled));
  }

 private:
  RingEntry header(std::size_t length, std::uint32_t id, bool first, bool last) const {
    return {static_cast<std::uint32_t>(completion_), static_cast<std::uint16_t>(length), first, last, id};
  }

  TensorTable table_;
  CompletionId completion_ = 0;
};

void expect_fault(const Faults& faults, const std::vector<EntryName>& entries, const std::string& reason) {
  BOOST_REQUIRE(faults.size() == 1U);
  BOOST_TEST((faults[0].status == CompletionStatus::descriptor_malformed));
  BOOST_TEST(faults[0].problem.find(reason) != std::string::npos, faults[0].problem);
  BOOST_TEST(faults[0].problem.find('\n') == std::string::npos);
  BOOST_TEST((faults[0].entries == entries));
}

/// What a recording may hold, the device may issue: another judge of slices.
void expect_checker_agrees(const AssembledCommand& assembled) {
  RecordingChecker checker;
  for (const CommandSlice& slice : assembled.slices) {
    IssueRequest request;
    request.slice = slice;
    const auto problem = checker.find_error(request);
    BOOST_TEST(!problem, problem.value_or(""));
  }
  BOOST_TEST(!checker.find_end_error());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(command_assembler)

BOOST_AUTO_TEST_CASE(a_command_of_one_entry_is_whole_at_once) {
  for (const PeCommand& command : one_of_each_kind()) {
    Ring ring;
    BOOST_TEST(ring.give(command, 0xABCDEF).empty());
    const AssembledCommand assembled = ring.assemble();
    PeCommand expected = command;
    framing_of(expected).completion = 1;  // the device's own count
    BOOST_REQUIRE(assembled.slices.size() == 1U);
    const CommandSlice& slice = assembled.slices[0];
    BOOST_TEST(same_command(*slice.command, expected), kind_name(command));
    BOOST_TEST(slice.completion == 1U);
    BOOST_TEST(slice.logical_bytes.count() == logical_bytes(command).count());
    BOOST_TEST(slice.segment == 0U);
    BOOST_TEST(slice.segments == 1U);
    BOOST_TEST((assembled.entries == std::vector<EntryName>{{1, 0xABCDEF}}));
    if (!std::holds_alternative<OverheadCmd>(command)) expect_checker_agrees(assembled);
  }
}

// SPEC 2.1 with a cap of 68: 30 + 24 | 28 + 28 | 32 + 24 | 36 + 32 | 20 | 68. The ids run over 2^24 - 1.
BOOST_AUTO_TEST_CASE(slices_become_the_ops_they_hold) {
  Ring ring;
  ring.give(one_of_each_kind()[0], 5);
  ring.assemble();
  BOOST_TEST(ring.give(merge_values_composite(), 0xFFFFFE, {54, 56, 56, 68, 20, 68}).empty());
  const AssembledCommand assembled = ring.assemble();
  const std::uint32_t ends[] = {1, 3, 5, 7, 8, 10};
  const std::uint32_t tags[] = {0xFFFFFE, 0xFFFFFF, 0, 1, 2, 3};
  const std::uint64_t bytes[] = {54, 56, 56, 68, 20, 68};
  BOOST_REQUIRE(assembled.slices.size() == 6U);
  for (std::uint32_t index = 0; index < 6; ++index) {
    const CommandSlice& slice = assembled.slices[index];
    BOOST_TEST(slice.first_op == (index == 0 ? 0 : ends[index - 1]));
    BOOST_TEST(slice.last_op == ends[index]);
    BOOST_TEST(slice.segment == index);
    BOOST_TEST(slice.segments == 6U);
    BOOST_TEST(slice.completion == 2U + index);
    BOOST_TEST(slice.logical_bytes.count() == bytes[index]);
    BOOST_TEST(slice.command == assembled.slices[0].command);
    BOOST_TEST((assembled.entries[index] == EntryName{2U + index, tags[index]}));
  }
  expect_checker_agrees(assembled);
}

BOOST_AUTO_TEST_CASE(the_first_slice_may_hold_the_header_alone) {
  Ring ring;
  BOOST_TEST(ring.give(merge_values_composite(), 1, {30, 292}).empty());
  const AssembledCommand assembled = ring.assemble();
  BOOST_TEST(assembled.slices[0].last_op == 0U);
  BOOST_TEST(assembled.slices[1].last_op == 10U);
  expect_checker_agrees(assembled);
}

BOOST_AUTO_TEST_CASE(a_cut_that_is_not_between_ops_fails_all_entries) {
  const std::vector<EntryName> both = {{1, 9}, {2, 10}};
  Ring ring;
  expect_fault(ring.give(merge_values_composite(), 9, {53, 269}), both, "slice 0 of 53 bytes");
  expect_fault(Ring().give(merge_values_composite(), 9, {29, 293}), both, "slice 0 of 29 bytes");
  expect_fault(Ring().give(merge_values_composite(), 9, {321, 1}), both, "slice 0 of 321 bytes");
  BOOST_TEST(!ring.assembler.holds_entries());
  BOOST_TEST(ring.give(merge_values_composite(), 9).empty());  // the next one is judged afresh
  BOOST_TEST(ring.assemble().slices[0].completion == 3U);
}

BOOST_AUTO_TEST_CASE(a_gemm_is_not_cut_from_its_tile_ops) {
  // 30 + 224 is the prologue, 40 more the GEMM without the 28 of its add.
  expect_fault(Ring().give(merge_values_composite(), 9, {294, 28}), {{1, 9}, {2, 10}}, "tile op");
}

BOOST_AUTO_TEST_CASE(primitives_are_not_cut) {
  expect_fault(Ring().give(one_of_each_kind()[0], 9, {20, 4}), {{1, 9}, {2, 10}},
               "a DmaReadCmd is sent whole, not in 2 slices");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_command_fail) {
  const std::vector<std::byte> bytes(40, std::byte{0xEE});
  expect_fault(Ring().give_slice(bytes, 7, true, true), {{1, 7}}, "command kind 110");
}

BOOST_AUTO_TEST_CASE(the_framing_names_the_first_entry) {
  TensorTable table;
  const std::vector<std::byte> bytes = encode(one_of_each_kind()[1], table);  // completion 2
  expect_fault(Ring().give_slice(bytes, 3, true, true), {{1, 3}},
               "completion id 2, but its first entry has 3");
}

BOOST_AUTO_TEST_CASE(ids_of_a_commands_slices_follow_each_other) {
  const std::vector<std::byte> bytes(30);
  Ring ring;
  BOOST_TEST(ring.give_slice(bytes, 5, true, false).empty());
  expect_fault(ring.give_slice(bytes, 7, false, true), {{1, 5}, {2, 7}},
               "id 7; that of its command's next slice is 6");
}

BOOST_AUTO_TEST_CASE(an_entry_that_continues_nothing_fails_alone) {
  const std::vector<std::byte> bytes(30);
  Ring ring;
  expect_fault(ring.give_slice(bytes, 5, false, false), {{1, 5}}, "none has been started");
  expect_fault(ring.give_slice(bytes, 6, false, true), {{2, 6}}, "none has been started");
  BOOST_TEST(ring.give(one_of_each_kind()[2], 7).empty());
  BOOST_TEST(ring.assemble().slices[0].completion == 3U);
}

BOOST_AUTO_TEST_CASE(a_first_entry_ends_a_command_that_was_not_whole) {
  const std::vector<std::byte> bytes(30);
  Ring ring;
  ring.give_slice(bytes, 5, true, false);
  ring.give_slice(bytes, 6, false, false);
  expect_fault(ring.give(one_of_each_kind()[2], 9), {{1, 5}, {2, 6}}, "before the one before it has ended");
  BOOST_TEST(ring.assemble().slices[0].completion == 3U);
}

BOOST_AUTO_TEST_CASE(one_entry_may_fail_two_commands) {
  const std::vector<std::byte> bytes(30);
  Ring ring;
  ring.give_slice(bytes, 5, true, false);
  const Faults faults = ring.give_slice(bytes, 6, true, true);
  BOOST_REQUIRE(faults.size() == 2U);
  BOOST_TEST((faults[0].entries == std::vector<EntryName>{{1, 5}}));
  BOOST_TEST((faults[1].entries == std::vector<EntryName>{{2, 6}}));
}

BOOST_AUTO_TEST_CASE(an_entry_with_a_bad_header_fails_the_command_it_is_in) {
  Ring ring;
  ring.give_slice(std::vector<std::byte>(30), 5, true, false);
  const CommandFault fault = ring.reject(6);
  BOOST_TEST((fault.entries == std::vector<EntryName>{{1, 5}, {2, 6}}));
  BOOST_TEST(fault.problem == "the header is bad");
  BOOST_TEST((ring.reject(7).entries == std::vector<EntryName>{{3, 7}}));
}

BOOST_AUTO_TEST_CASE(memory_is_bounded) {
  Ring slices;
  for (std::uint32_t id = 0; id < 256; ++id)
    BOOST_REQUIRE(slices.give_slice(std::vector<std::byte>(1), id, id == 0, false).empty());
  const Faults too_many = slices.give_slice(std::vector<std::byte>(1), 256, false, false);
  BOOST_REQUIRE(too_many.size() == 1U);
  BOOST_TEST(too_many[0].entries.size() == 257U);
  BOOST_TEST(too_many[0].problem.find("more than 256 slices") != std::string::npos);

  Ring bytes;
  BOOST_TEST(bytes.give_slice(std::vector<std::byte>(40000), 1, true, false).empty());
  expect_fault(bytes.give_slice(std::vector<std::byte>(25537), 2, false, true), {{1, 1}, {2, 2}},
               "more than 65536 bytes");
}

BOOST_AUTO_TEST_CASE(tensors_that_cannot_be_read_fail_the_command) {
  Ring ring;
  ring.give(merge_values_composite(), 4, {54, 268});
  const CommandFault fault = ring.assembler.drop(CompletionStatus::fetch_error, "no memory at 0x1000");
  BOOST_TEST((fault.status == CompletionStatus::fetch_error));
  BOOST_TEST((fault.entries == std::vector<EntryName>{{1, 4}, {2, 5}}));
  BOOST_TEST(!ring.assembler.complete());
}

BOOST_AUTO_TEST_CASE(a_reference_that_the_table_refuses_is_a_fault) {
  Ring ring;
  ring.give(one_of_each_kind()[0], 4);
  const auto assembled = ring.assembler.assemble(FetchedTensors());
  BOOST_REQUIRE(std::holds_alternative<CommandFault>(assembled));
  expect_fault({std::get<CommandFault>(assembled)}, {{1, 4}}, "src: tensor index 0");
  BOOST_TEST(!ring.assembler.holds_entries());
}

BOOST_AUTO_TEST_CASE(after_a_reset_nothing_is_left) {
  Ring ring;
  ring.give_slice(std::vector<std::byte>(30), 5, true, false);
  ring.assembler.clear();
  BOOST_TEST(!ring.assembler.holds_entries());
  expect_fault(ring.give_slice(std::vector<std::byte>(30), 6, false, true), {{2, 6}},
               "none has been started");
}

// Entries of any flags, ids and bytes: each is reported once, as failed or as part of a command.
BOOST_AUTO_TEST_CASE(every_entry_is_accounted_for_once) {
  constexpr std::uint32_t kSeed = 20261203;
  RandomCommands random(kSeed);
  TensorTable table;
  CommandAssembler assembler;
  CompletionId given = 0;
  std::vector<CompletionId> reported;
  std::size_t commands = 0;
  const auto report = [&reported](const std::vector<EntryName>& entries) {
    for (const EntryName& entry : entries) reported.push_back(entry.completion);
  };
  for (int round = 0; round < 20000; ++round) {
    PeCommand command = random.command();
    const auto tag = static_cast<std::uint32_t>(random.below(4));
    framing_of(command).completion = tag;
    std::vector<std::byte> bytes = encode(command, table);
    if (random.below(4) == 0) bytes.resize(random.below(bytes.size()) + 1);
    RingEntry entry;
    entry.first = random.below(4) != 0;
    entry.last = random.below(4) != 0;
    entry.completion = random.below(4) == 0 ? tag + 1 : tag;
    for (const CommandFault& fault : assembler.take(++given, entry, bytes)) report(fault.entries);
    if (!assembler.complete()) continue;
    ++commands;
    const auto assembled = assembler.assemble(table);
    BOOST_REQUIRE(std::holds_alternative<AssembledCommand>(assembled));
    report(std::get<AssembledCommand>(assembled).entries);
  }
  if (assembler.holds_entries()) report(assembler.drop(CompletionStatus::descriptor_malformed, "").entries);
  BOOST_TEST(commands > 1000U);
  BOOST_TEST_CONTEXT("seed " << kSeed) {
    BOOST_REQUIRE(reported.size() == given);
    for (std::size_t index = 0; index < reported.size(); ++index) BOOST_REQUIRE(reported[index] == index + 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()
