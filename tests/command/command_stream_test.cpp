// SPDX-License-Identifier: Apache-2.0
#include "petal/command/command_stream.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <stdexcept>

#include "command_equality.hpp"
#include "petal/command/command_stream_reader.hpp"
#include "petal/command/command_stream_writer.hpp"
#include "sample_commands.hpp"
#include "sample_stream.hpp"

using namespace petal;
using namespace petal::test;

namespace {

std::string saved(const CommandStream& stream) {
  std::ostringstream out;
  save_command_stream(stream, out);
  return out.str();
}

CommandStream loaded(const std::string& text) {
  std::istringstream in(text);
  return load_command_stream(in, "run.petal");
}

void expect_same(const IssueRequest& a, const IssueRequest& b) {
  BOOST_TEST(same_command(*a.slice.command, *b.slice.command));
  BOOST_TEST(a.slice.completion == b.slice.completion);
  BOOST_TEST(a.slice.logical_bytes.count() == b.slice.logical_bytes.count());
  BOOST_TEST(a.slice.first_op == b.slice.first_op);
  BOOST_TEST(a.slice.last_op == b.slice.last_op);
  BOOST_TEST(a.slice.segment == b.slice.segment);
  BOOST_TEST(a.slice.segments == b.slice.segments);
  BOOST_TEST(a.pending_inputs == b.pending_inputs);
  BOOST_TEST(a.is_primitive == b.is_primitive);
}

void expect_same(const PeRecording& a, const PeRecording& b) {
  BOOST_REQUIRE_EQUAL(a.steps.size(), b.steps.size());
  for (std::size_t index = 0; index < a.steps.size(); ++index) {
    BOOST_REQUIRE_EQUAL(a.steps[index].index(), b.steps[index].index());
    if (const auto* issue = std::get_if<IssueRequest>(&a.steps[index]))
      expect_same(*issue, std::get<IssueRequest>(b.steps[index]));
    else if (const auto* wait = std::get_if<WaitStep>(&a.steps[index]))
      BOOST_TEST(wait->completions == std::get<WaitStep>(b.steps[index]).completions);
    else
      BOOST_TEST(same_command(std::get<OverheadCmd>(a.steps[index]), std::get<OverheadCmd>(b.steps[index])));
  }
}

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(command_stream)

BOOST_AUTO_TEST_CASE(a_recorder_passes_on_what_it_records) {
  const PeRecording source = sample_recording();
  PeRecording first;
  PeRecording second;
  RecordingSink last(second);
  RecordingSink sink(first, &last);
  replay(source, sink);
  expect_same(first, source);
  expect_same(second, source);
}

BOOST_AUTO_TEST_CASE(what_is_saved_loads_as_it_was) {
  const CommandStream stream = sample_stream();
  const CommandStream back = loaded(saved(stream));
  BOOST_TEST(back.header_json == R"({"tile":64,"kernel":"gqa_decode_opt2"})");
  BOOST_REQUIRE_EQUAL(back.launches.size(), stream.launches.size());
  for (std::size_t launch = 0; launch < stream.launches.size(); ++launch) {
    BOOST_REQUIRE_EQUAL(back.launches[launch].pes.size(), stream.launches[launch].pes.size());
    for (std::size_t pe = 0; pe < stream.launches[launch].pes.size(); ++pe)
      expect_same(back.launches[launch].pes[pe], stream.launches[launch].pes[pe]);
  }
}

BOOST_AUTO_TEST_CASE(a_loaded_stream_saves_to_the_same_bytes) {
  const std::string text = saved(sample_stream());
  BOOST_TEST(saved(loaded(text)) == text);
}

BOOST_AUTO_TEST_CASE(completions_come_back_whole) {
  CommandStream stream;
  stream.launches = {{{recording_of(one_of_each_kind(), (CompletionId{1} << 40U) + 5)}}};
  const CommandStream back = loaded(saved(stream));
  const auto& issue = std::get<IssueRequest>(back.launches[0].pes[0].steps[0]);
  BOOST_TEST(framing_of(*issue.slice.command).completion == (CompletionId{1} << 40U) + 5);
}

BOOST_AUTO_TEST_CASE(slices_of_a_composite_share_one_command_that_is_stored_once) {
  CommandStream stream;
  stream.launches = {{{sliced_recording()}}};
  const std::string text = saved(stream);
  BOOST_TEST(occurrences(text, "\"wire\"") == 1U);
  const CommandStream back = loaded(text);
  const std::vector<RecordedStep>& steps = back.launches[0].pes[0].steps;
  BOOST_REQUIRE_EQUAL(steps.size(), 3U);
  const auto command = std::get<IssueRequest>(steps[0]).slice.command;
  BOOST_TEST(std::get<IssueRequest>(steps[1]).slice.command == command);
  BOOST_TEST(std::get<IssueRequest>(steps[2]).slice.command == command);
}

BOOST_AUTO_TEST_CASE(tensors_are_listed_once_for_the_whole_file) {
  CommandStream stream;
  stream.launches = {{{sliced_recording(), sliced_recording()}}, {{sliced_recording(), sliced_recording()}}};
  // s, m, l, O, m_loc, m_new, corr, P, l_loc, V
  BOOST_TEST(occurrences(saved(stream), "\"tensor\"") == 10U);
}

BOOST_AUTO_TEST_CASE(a_stream_without_launches_is_one) {
  const CommandStream back = loaded(saved(CommandStream{}));
  BOOST_TEST(back.launches.empty());
  BOOST_TEST(back.header_json == "{}");
}

BOOST_AUTO_TEST_CASE(streams_that_could_not_be_read_back_are_not_written) {
  CommandStream ragged;
  ragged.launches = {{{PeRecording{}, PeRecording{}}}, {{PeRecording{}}}};
  BOOST_CHECK_THROW(saved(ragged), std::invalid_argument);
  CommandStream header;
  header.header_json = "tile: 64";
  BOOST_CHECK_THROW(saved(header), std::invalid_argument);
  CommandStream incomplete;
  incomplete.launches = {{{sliced_recording()}}};
  incomplete.launches[0].pes[0].steps.pop_back();
  BOOST_CHECK_THROW(saved(incomplete), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
