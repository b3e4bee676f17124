// SPDX-License-Identifier: Apache-2.0
//
// Recordings that are cut short or damaged: a DecodeError that names file and line, never a stream that hangs
// a replay.
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <vector>

#include "petal/command/command_stream_reader.hpp"
#include "petal/command/command_stream_writer.hpp"
#include "petal/command/error.hpp"
#include "random_command.hpp"
#include "sample_stream.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// The lines of a file, to be changed one by one.
///
/// Line 1 is the header, 2 the section of launch 0, PE 0, 3 and 4 the tensors of the DMA in line 5.
struct DamagedFile {
  std::vector<std::string> lines;

  DamagedFile() : DamagedFile(sample_stream()) {}

  explicit DamagedFile(const CommandStream& stream) {
    std::stringstream file;
    save_command_stream(stream, file);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
  }

  std::string& line(std::size_t number) { return lines.at(number - 1); }

  /// The number of the first line that holds `text`.
  std::size_t find(const std::string& text) const {
    for (std::size_t index = 0; index < lines.size(); ++index)
      if (lines[index].find(text) != std::string::npos) return index + 1;
    throw std::logic_error("no line has " + text);
  }

  void replace(std::size_t number, const std::string& from, const std::string& to) {
    const std::size_t at = line(number).find(from);
    if (at == std::string::npos) throw std::logic_error("line without " + from + ": " + line(number));
    line(number).replace(at, from.size(), to);
  }

  std::string text() const {
    std::string all;
    for (const std::string& each : lines) all += each + "\n";
    return all;
  }

  void expect_error(std::size_t number, const std::string& reason) const {
    std::istringstream in(text());
    const std::string place = "run.petal:" + std::to_string(number) + ": ";
    BOOST_CHECK_EXCEPTION(load_command_stream(in, "run.petal"), DecodeError, [&](const DecodeError& error) {
      const std::string what = error.what();
      BOOST_TEST(what.find(place) == 0U, what << " does not name " << place);
      BOOST_TEST(what.find(reason) != std::string::npos, what << " does not say " << reason);
      BOOST_TEST(what.find('\n') == std::string::npos);
      return true;
    });
  }
};

/// One PE with the sliced composite; the slices are the last three lines.
struct DamagedSlices : DamagedFile {
  DamagedSlices() : DamagedFile(one_pe()) {}
  std::size_t slice(std::size_t index) const { return lines.size() - 2 + index; }
  static CommandStream one_pe() {
    CommandStream stream;
    stream.launches = {{{sliced_recording()}}};
    return stream;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(damaged_stream)

BOOST_FIXTURE_TEST_CASE(the_untouched_file_loads, DamagedFile) {
  std::istringstream in(text());
  BOOST_CHECK_NO_THROW(load_command_stream(in, "run.petal"));
}

BOOST_FIXTURE_TEST_CASE(an_empty_file, DamagedFile) {
  lines.clear();
  expect_error(0, "empty");
}

BOOST_FIXTURE_TEST_CASE(another_format_or_schema, DamagedFile) {
  replace(1, "petal-command-stream", "something-else");
  expect_error(1, "petal-command-stream");
  line(1) = R"({"format":"petal-command-stream","schema":2,"launches":0,"pes":0,"config":{}})";
  expect_error(1, "'schema' is 2");
  line(1) = "seq,pe,event";
  expect_error(1, "not JSON");
}

BOOST_FIXTURE_TEST_CASE(every_cut_is_noticed, DamagedFile) {
  const std::vector<std::string> whole = lines;
  for (std::size_t count = 1; count < whole.size(); ++count) {
    lines.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(count));
    expect_error(count, "cut short");
  }
}

BOOST_FIXTURE_TEST_CASE(a_line_that_is_cut_or_no_object, DamagedFile) {
  line(4).pop_back();
  expect_error(4, "not JSON");
  line(4) = "[1,2]";
  expect_error(4, "not a JSON object");
  line(4) = "";
  expect_error(4, "not JSON");
}

BOOST_FIXTURE_TEST_CASE(nesting_without_end, DamagedFile) {
  replace(1, R"({"tile":64)", R"({"tile":)" + std::string(100000, '['));
  expect_error(1, "nested deeper");
}

BOOST_FIXTURE_TEST_CASE(fields_missing_doubled_unknown_or_of_another_type, DamagedFile) {
  const std::string good = line(5);
  replace(5, R"("segments":1,)", "");
  expect_error(5, "'segments' is missing");
  line(5) = good;
  replace(5, R"("segments":1,)", R"("segments":1,"segments":1,)");
  expect_error(5, "'segments' stands twice");
  line(5) = good;
  replace(5, R"("segments":1,)", R"("segments":1,"colour":1,)");
  expect_error(5, "'colour' does not belong");
  line(5) = good;
  replace(5, R"("segments":1,)", R"("segments":-1,)");
  expect_error(5, "'segments' is a JSON number; it must be an integer of 0 or more");
  line(5) = good;
  replace(5, R"("segments":1,)", R"("segments":4294967297,)");
  expect_error(5, "'segments' is 4294967297; it must be at most 4294967295");
  line(5) = good;
  replace(5, R"("primitive":true)", R"("primitive":1)");
  expect_error(5, "'primitive' is a JSON number");
  line(5) = good;
  replace(5, R"("pending":[])", R"("pending":["x"])");
  expect_error(5, "'pending' is a JSON string");
}

BOOST_FIXTURE_TEST_CASE(wire_bytes_that_are_no_command, DamagedFile) {
  const std::string good = line(5);
  replace(5, R"("wire":"81)", R"("wire":"8)");
  expect_error(5, "hex digits");
  line(5) = good;
  replace(5, R"("wire":"81)", R"("wire":"8g)");
  expect_error(5, "no hex digit");
  line(5) = good;
  replace(5, R"("wire":"81)", R"("wire":"8f)");
  expect_error(5, "command kind 15");
  line(5) = good;
  replace(5, R"("wire":"81)", R"("wire":"82)");
  expect_error(5, "dma_write: src");
  line(5) = good;
  replace(5, R"("command":1,)", R"("command":2,)");
  expect_error(5, "modulo");
}

BOOST_FIXTURE_TEST_CASE(tensors_that_are_none, DamagedFile) {
  const std::string good = line(4);
  replace(4, R"("tensor":1)", R"("tensor":2)");
  expect_error(4, "the next is 1");
  line(4) = good;
  replace(4, R"("space":"tcm")", R"("space":"sram")");
  expect_error(4, "'sram'");
  line(4) = good;
  replace(4, R"("dtype":"f16")", R"("dtype":"f64")");
  expect_error(4, "'f64'");
  line(4) = good;
  replace(4, R"("shape":[64,128])", R"("shape":[64,128,1,1,1])");
  expect_error(4, "at most 4 axes");
  line(4) = good;
  replace(4, R"("strides":[128,1])", R"("strides":[128])");
  expect_error(4, "2 axes has 1 strides");
  line(4) = good;
  replace(4, R"("address":32768)", R"("address":18446744073709551615)");
  expect_error(4, "end of the 64-bit address space");
}

BOOST_FIXTURE_TEST_CASE(a_tensor_line_that_is_gone, DamagedFile) {
  lines.erase(lines.begin() + 3);
  expect_error(4, "tensor index 1 is outside the table");
}

BOOST_FIXTURE_TEST_CASE(sections_out_of_order_or_too_many, DamagedFile) {
  const std::size_t second = find(R"({"launch":0,"pe":1,)");
  const std::string good = line(second);
  replace(second, R"("pe":1)", R"("pe":2)");
  expect_error(second, "launch 0, PE 1 belongs");
  line(second) = good;
  replace(1, R"("launches":2)", R"("launches":1)");
  expect_error(find(R"({"launch":1,"pe":0,)"), "follows the last of 1 launches");
}

BOOST_FIXTURE_TEST_CASE(more_or_fewer_steps_than_said, DamagedFile) {
  const std::string good = line(2);
  replace(2, R"("steps":8)", R"("steps":9)");
  expect_error(find(R"({"launch":0,"pe":1,)"), "ends 1 steps early");
  line(2) = good;
  replace(2, R"("steps":8)", R"("steps":7)");
  expect_error(find(R"({"launch":0,"pe":1,)") - 1, "none is due");
}

BOOST_FIXTURE_TEST_CASE(a_step_before_any_section, DamagedFile) {
  const std::string step = line(5);
  line(2) = step;
  expect_error(2, "none is due");
}

BOOST_FIXTURE_TEST_CASE(waits_for_what_was_never_issued, DamagedFile) {
  const std::size_t wait = find(R"({"step":"wait")");
  const std::string good = line(wait);
  replace(wait, "[1,3]", "[1,77]");
  expect_error(wait, "completion 77");
  line(wait) = good;
  replace(wait + 1, R"("pending":[5,2])", R"("pending":[5,10])");
  expect_error(wait + 1, "completion 10");
}

BOOST_FIXTURE_TEST_CASE(completions_that_are_none_or_used, DamagedFile) {
  const std::size_t last = find(R"("completion":10,)");
  const std::string good = line(last);
  replace(last, R"("completion":10,)", R"("completion":1,)");
  expect_error(last, "completion 1 was issued before");
  line(last) = good;
  replace(last, R"("completion":10,)", R"("completion":0,)");
  expect_error(last, "completion 0");
}

BOOST_FIXTURE_TEST_CASE(an_unknown_step_and_commands_in_the_wrong_one, DamagedFile) {
  const std::size_t overhead = find(R"({"step":"overhead")");
  const std::string good = line(overhead);
  replace(overhead, "overhead", "sleep");
  expect_error(overhead, "'sleep'");
  line(overhead) = good;
  replace(overhead, R"("wire":"86)", R"("wire":"87)");
  expect_error(overhead, "command kind 7");
  const std::string wire = good.substr(good.find(R"("wire")"));
  line(overhead) =
      R"({"step":"issue","completion":20,"segment":0,"segments":1,"first_op":0,"last_op":0,"bytes":8,)"
      R"("primitive":true,"pending":[],)" +
      wire;
  expect_error(overhead, "an OverheadCmd was issued");
}

BOOST_FIXTURE_TEST_CASE(slices_that_do_not_join, DamagedSlices) {
  const std::string good = line(slice(1));
  replace(slice(1), R"("segments":3)", R"("segments":4)");
  expect_error(slice(1), "segment 1 of 4 does not follow segment 0 of 3");
  line(slice(1)) = good;
  replace(slice(1), R"("first_op":0)", R"("first_op":1)");
  expect_error(slice(1), "starts at op 1, but the one before it ends at op 0");
  line(slice(1)) = good;
  replace(slice(1), R"("completion":2)", R"("completion":9)");
  expect_error(slice(1), "has completion 9");
  line(slice(1)) = good;
  replace(slice(1), R"("last_op":8)", R"("last_op":11)");
  expect_error(slice(1), "not a range");
  line(slice(1)) = good;
  replace(slice(1), R"("last_op":8)", R"("last_op":0)");
  expect_error(slice(1), "has no ops");
  line(slice(1)) = good;
  replace(slice(1), R"("bytes":224)", R"("bytes":223)");
  expect_error(slice(1), "223 logical bytes, but its fields make 224");
}

BOOST_FIXTURE_TEST_CASE(a_gemm_cut_from_its_tile_op, DamagedSlices) {
  replace(slice(2), R"("first_op":8)", R"("first_op":9)");
  expect_error(slice(2), "not cut from its tile ops");
}

BOOST_FIXTURE_TEST_CASE(a_composite_without_its_first_or_last_slice, DamagedSlices) {
  const std::vector<std::string> whole = lines;
  lines.erase(lines.end() - 3);
  replace(2, R"("steps":3)", R"("steps":2)");
  expect_error(slice(1), "no command");
  lines = whole;
  lines.pop_back();
  replace(2, R"("steps":3)", R"("steps":2)");
  expect_error(lines.size(), "ends after segment 1 of 3");
}

BOOST_FIXTURE_TEST_CASE(a_primitive_in_slices, DamagedFile) {
  replace(5, R"("segments":1)", R"("segments":2)");
  expect_error(5, "issued whole");
}

BOOST_FIXTURE_TEST_CASE(any_changed_byte_is_a_stream_or_an_error, DamagedFile) {
  constexpr std::uint32_t kSeed = 20240615;
  RandomCommands random(kSeed);
  const std::string whole = text();
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = whole;
    damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    std::istringstream in(damaged);
    try {
      const CommandStream stream = load_command_stream(in, "run.petal");
      std::ostringstream again;
      BOOST_TEST_CONTEXT("seed " << kSeed << ", round " << round) {
        BOOST_REQUIRE_NO_THROW(save_command_stream(stream, again));
      }
    } catch (const DecodeError&) {
      continue;
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
