// SPDX-License-Identifier: Apache-2.0
//
// Files that are not one map of keys, and the parts of YAML that reach beyond plain maps.
#include <filesystem>
#include <fstream>

#include <boost/test/unit_test.hpp>

#include "config_error_text.hpp"

namespace petal {
namespace {

using test::contains;
using test::error_of;

std::string load_error(const std::string& path) {
  try {
    load_scenario(path);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

double clock_of(const std::string& text, std::size_t pe = 0) {
  return scenario_from_text(text).platform.pes.at(pe).clock.gigahertz();
}

BOOST_AUTO_TEST_SUITE(yaml_shape)

BOOST_AUTO_TEST_CASE(a_missing_file_and_a_directory_are_named) {
  BOOST_TEST(load_error("no/such/file.yaml") == "no/such/file.yaml: no such file");
  BOOST_TEST(contains(load_error("."), ".: is a directory"));
}

BOOST_AUTO_TEST_CASE(a_file_is_read_and_named_in_its_errors) {
  const auto path = std::filesystem::temp_directory_path() / "petal_yaml_shape_test.yaml";
  std::ofstream(path) << "kv_len: 5\n";
  BOOST_TEST(load_scenario(path.string()).workload.kv_len == 5U);
  std::ofstream(path) << "\nkv_len: five\n";
  BOOST_TEST(contains(load_error(path.string()), path.string() + ":2: kv_len: value 'five'"));
  std::filesystem::resize_file(path, (std::uintmax_t{4} << 20U) + 1);
  BOOST_TEST(contains(load_error(path.string()), "is larger than 4 MiB"));
  std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(an_empty_file_is_refused) {
  for (const char* text : {"", "\n\n", "# only a comment\n"})
    BOOST_TEST(error_of(text) == "s.yaml: the file is empty; write a map of keys", text);
  BOOST_TEST(contains(error_of("---\n"), "s.yaml:"));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_map_is_refused) {
  BOOST_TEST(error_of("clock_freq_ghz 1.0\n") ==
             "s.yaml:1: the file holds 'clock_freq_ghz 1.0', not a map of keys (is a ':' missing?)");
  BOOST_TEST(contains(error_of("- kv_len: 1\n"), "s.yaml:1: the file holds a list of 1"));
}

BOOST_AUTO_TEST_CASE(a_list_or_a_scalar_is_no_map) {
  BOOST_TEST(error_of("platform:\n  pe: [1, 2]\n") ==
             "s.yaml:2: platform.pe: value a list of 2: must be a map of keys");
  BOOST_TEST(contains(error_of("platform: 8"), "platform: value '8': must be a map of keys"));
  BOOST_TEST(contains(error_of("platform:\n"), "platform: value nothing: must be a map of keys"));
  BOOST_TEST(contains(error_of("platform: {pes: {a: 1}}"), "platform.pes: value a map"));
  BOOST_TEST(contains(error_of("launches: 3"), "launches: value '3': must be a list"));
}

BOOST_AUTO_TEST_CASE(a_map_is_no_scalar) {
  BOOST_TEST(contains(error_of("kv_len: {a: 1}"), "kv_len: value a map: must be a whole number"));
  BOOST_TEST(contains(error_of("kernel: [a]"), "kernel: value a list of 1: must be a text"));
}

BOOST_AUTO_TEST_CASE(a_second_document_is_refused) {
  BOOST_TEST(contains(error_of("kv_len: 1\n---\nkv_len: 2\n"), "s.yaml:2: a second document"));
  BOOST_TEST(error_of("---\nkv_len: 1\n...\n") == "");
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_accepted) {
  BOOST_TEST(scenario_from_text("\xef\xbb\xbfkv_len: 7\n").workload.kv_len == 7U);
}

BOOST_AUTO_TEST_CASE(carriage_returns_are_accepted) {
  const WorkloadConfig work = scenario_from_text("kv_len: 7\r\n\r\ndtype: f32\r\n").workload;
  BOOST_TEST(work.kv_len == 7U);
  BOOST_TEST((work.dtype == DType::f32));
}

BOOST_AUTO_TEST_CASE(a_tab_is_no_indentation) {
  BOOST_TEST(error_of("platform:\n\tpes: 2\n") ==
             "s.yaml:2: the line is indented by a tab; YAML wants spaces");
  BOOST_TEST(error_of("kv_len: 1\t# a tab elsewhere\n\t\n\t# and before a comment\n") == "");
}

BOOST_AUTO_TEST_CASE(broken_yaml_names_a_line) {
  BOOST_TEST(contains(error_of("kv_len: 1\ntile: [1, 2\n"), "s.yaml:"));
  BOOST_TEST(contains(error_of("a: b: c\n"), "s.yaml:1: not YAML"));
  BOOST_TEST(contains(error_of("kv_len: *nowhere\n"), "s.yaml:1: not YAML"));
  BOOST_TEST(contains(error_of(std::string(100000, '[')), "s.yaml:1: not YAML"));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_are_refused) {
  BOOST_TEST(error_of(std::string("\x00\x01\x02\xff\xfe\x80", 6)) != "");
  BOOST_TEST(error_of(std::string(1000, '\0')) != "");
}

BOOST_AUTO_TEST_CASE(tags_and_keys_that_are_no_words_are_refused) {
  BOOST_TEST(contains(error_of("kv_len: !!int 5\n"), "the tag"));
  BOOST_TEST(contains(error_of("kv_len: !!str 5\n"), "without quotes"));
  BOOST_TEST(contains(error_of("[a, b]: 1\n"), "s.yaml:1: a key must be a plain word, not a list of 2"));
  BOOST_TEST(contains(error_of("~: 1\n"), "a key must be a plain word"));
}

BOOST_AUTO_TEST_CASE(an_alias_stands_for_what_it_names) {
  const ScenarioConfig config = scenario_from_text("kv_len: &n 96\ntile: *n\n");
  BOOST_TEST(config.workload.tile == 96U);
}

BOOST_AUTO_TEST_CASE(a_merge_key_is_applied) {
  const std::string text =
      "x-base: &b {clock_freq_ghz: 1.3}\n"
      "platform:\n"
      "  pes:\n"
      "    - {name: a, attrs: {<<: *b, tcm: {arena_bytes: 256KiB}}}\n"
      "    - {name: b, attrs: {<<: *b, clock_freq_ghz: 2}}\n"
      "    - {name: c, attrs: {clock_freq_ghz: 3, <<: *b}}\n";
  BOOST_TEST(clock_of(text, 0) == 1.3);
  BOOST_TEST(scenario_from_text(text).platform.pes[0].tcm.arena.count() == 262144U);
  BOOST_TEST(clock_of(text, 1) == 2.0);
  BOOST_TEST(clock_of(text, 2) == 3.0);
}

BOOST_AUTO_TEST_CASE(of_a_list_of_merged_maps_the_first_wins) {
  const std::string text =
      "x-a: &a {clock_freq_ghz: 1.1}\nx-b: &b {<<: *a, tcm: {arena_bytes: 128}}\nx-c: &c {clock_freq_ghz: "
      "1.2}\n"
      "platform: {pe: {attrs: {<<: [*c, *b]}}}\n";
  BOOST_TEST(clock_of(text) == 1.2);
  BOOST_TEST(scenario_from_text(text).platform.pes[0].tcm.arena.count() == 128U);
}

BOOST_AUTO_TEST_CASE(a_merged_mistake_is_reported_where_it_is_written) {
  const std::string error = error_of("x-a: &a {clock_freq: 2}\nplatform: {pe: {attrs: {<<: *a}}}\n");
  BOOST_TEST(contains(error, "s.yaml:1: platform.pe.attrs.clock_freq: value '2': no such key"), error);
}

BOOST_AUTO_TEST_CASE(a_merge_key_takes_maps) {
  BOOST_TEST(contains(error_of("<<: 5\n"), "s.yaml:1: the merge key '<<' takes a map"));
  BOOST_TEST(contains(error_of("x-a: &a [1]\n<<: [*a]\n"), "the merge key '<<' takes a map"));
  BOOST_TEST(contains(error_of("x-a: &a {}\n<<: *a\n<<: *a\n"), "a second merge key"));
}

BOOST_AUTO_TEST_CASE(an_anchor_holder_is_a_root_key_only) {
  BOOST_TEST(contains(error_of("base: {kv_len: 3}\n"), "base: value a map: no such key"));
  BOOST_TEST(contains(error_of("platform: {x-base: {}}\n"), "no such key"));
}

BOOST_AUTO_TEST_CASE(recursion_is_an_error_and_no_hang) {
  BOOST_TEST(contains(error_of("platform: &p {pe: *p}\n"), "an alias stands inside what it names"));
  BOOST_TEST(contains(error_of("platform: &p {<<: *p}\n"), "s.yaml:1:"));
}

BOOST_AUTO_TEST_CASE(an_alias_bomb_costs_no_more_than_its_text) {
  std::string lists = "x-0: &a0 [1]\n";
  std::string maps = "x-m0: &m0 {k: 1}\n";
  for (int i = 1; i < 60; ++i) {
    const std::string previous = std::to_string(i - 1);
    const std::string here = std::to_string(i);
    lists += "x-" + here + ": &a" + here + " [*a" + previous + ", *a" + previous + "]\n";
    maps +=
        "x-m" + here + ": &m" + here + " {<<: [*m" + previous + ", *m" + previous + "], k" + here + ": 1}\n";
  }
  BOOST_TEST(contains(error_of(lists + "compare: *a59\n"), "compare: value a list of 2"));
  BOOST_TEST(contains(error_of(maps + "platform: *m59\n"), "platform.k"));
}

BOOST_AUTO_TEST_CASE(merges_that_grow_with_the_square_of_the_text_are_refused) {
  std::string text = "x-0: &m0 {k: 1}\n";
  for (int i = 1; i < 3000; ++i)
    text += "x-" + std::to_string(i) + ": &m" + std::to_string(i) + " {<<: *m" + std::to_string(i - 1) +
            ", k" + std::to_string(i) + ": 1}\n";
  BOOST_TEST(contains(error_of(text), "add up to more than a million keys"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
