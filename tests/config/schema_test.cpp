// SPDX-License-Identifier: Apache-2.0
//
// Every key of the schema does something: set to another value, it shows in the effective configuration and
// nowhere else does anything change.
#include "petal/config/schema.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <sstream>

#include "config_error_text.hpp"
#include "petal/config/effective_config.hpp"
#include "petal/config/scenario_source.hpp"

namespace petal {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Setting {
  std::string value;
  std::set<std::string> follows;        // keys whose default follows from this one, or that come with it
  std::vector<std::string> needs = {};  // what has to be set for the key to be read
};

const std::vector<std::string> kBursts = {"pe_dma.interface=bursts"};
const std::vector<std::string> kSystolic = {"pe_gemm.model=systolic"};
const std::vector<std::string> kWeightStationary = {"pe_gemm.model=systolic", "dataflow=ws"};

// A legal value of every key that is not its default.
const std::map<std::string, Setting>& other_values() {
  static const std::map<std::string, Setting> values = {
      {"kernel", {"gemm", {}}},
      {"model", {"llama3.2-1b", {"head_dim", "hidden", "intermediate"}}},
      {"q_heads", {"64", {}}},
      {"kv_heads", {"4", {}}},
      {"head_dim", {"64", {}}},
      {"kv_len", {"100", {}}},
      {"store_softmax_state", {"true", {}}},
      {"tile", {"32", {}}},
      {"dtype", {"bf16", {"out_dtype"}}},
      {"gemm.m", {"7", {}}},
      {"gemm.k", {"7", {}}},
      {"gemm.n", {"7", {}}},
      {"gemm.out_dtype", {"f32", {}}},
      {"attention.is_causal", {"1", {}}},
      {"attention.scale", {"0.01", {}}},
      {"attention.softcap", {"2.5", {}}},
      {"attention.q_num_heads", {"9", {}}},
      {"attention.kv_num_heads", {"3", {}}},
      {"attention.left_window_size", {"2", {}}},
      {"attention.right_window_size", {"0", {}}},
      {"attention.qk_matmul_output_mode", {"3", {}}},
      {"attention.softmax_precision", {"11", {}}},
      {"attention.row_block", {"16", {}}},
      {"attention.batch", {"2", {}}},
      {"attention.q_len", {"100", {}}},
      {"attention.past_len", {"12", {}}},
      {"attention.v_head_size", {"96", {}}},
      {"attention.nonpad_kv_seqlen", {"50", {}}},
      {"attention.rank", {"3", {}}},
      {"attention.attn_mask", {"boolean", {}}},
      {"attention.attn_mask_axes", {"b1qk", {}}},
      {"kv_splits", {"4", {}}},
      {"layer.tokens", {"2", {}}},
      {"layer.hidden", {"2048", {}}},
      {"layer.intermediate", {"8192", {}}},
      {"layer.norm_eps", {"1e-6", {}}},
      {"compare", {"[opt1, opt2]", {}}},
      {"seed", {"18446744073709551615", {}}},
      {"dispatch_preset", {"tensix-push", {"fixed_per_cmd_cycles", "byte_cycles_recip"}}},
      {"platform.pes", {"3", {}}},
      {"platform.pe.compute_slot", {"shared", {}}},
      {"platform.pe.engines", {"[dma, math]", {}}},
      {"platform.pe.attrs.clock_freq_ghz", {"1.3", {}}},
      {"platform.pe.attrs.pe_cost_model.preset",
       {"tensix-push", {"fixed_per_cmd_cycles", "byte_cycles_recip"}}},
      {"platform.pe.attrs.pe_cost_model.fixed_per_cmd_cycles", {"80", {}}},
      {"platform.pe.attrs.pe_cost_model.byte_cycles_recip", {"0.25", {}}},
      {"platform.pe.attrs.pe_cost_model.max_composite_logical_bytes", {"512", {"queue_bytes"}}},
      {"platform.pe.attrs.pe_cpu.auto_await", {"none", {}}},
      {"platform.pe.attrs.pe_cpu.queue_bytes", {"2048", {}}},
      {"platform.pe.attrs.pe_scheduler.gemm_tile.m", {"16", {}}},
      {"platform.pe.attrs.pe_scheduler.gemm_tile.k", {"16", {}}},
      {"platform.pe.attrs.pe_scheduler.gemm_tile.n", {"16", {}}},
      {"platform.pe.attrs.pe_scheduler.max_in_flight", {"1", {}}},
      {"platform.pe.attrs.pe_scheduler.tile_buffers", {"2", {}}},
      {"platform.pe.attrs.pe_scheduler.plan_cycles_per_op", {"1.5", {}}},
      {"platform.pe.attrs.pe_scheduler.math_head_streaming", {"true", {}}},
      {"platform.pe.attrs.pe_dma.setup_cycles", {"5", {}}},
      {"platform.pe.attrs.pe_dma.outstanding", {"4", {}}},
      {"platform.pe.attrs.pe_dma.interface",
       {"bursts", {"protocol", "burst_bytes", "burst_outstanding", "ragged_bursts", "dmi"}}},
      {"platform.pe.attrs.pe_dma.protocol", {"at", {}, kBursts}},
      {"platform.pe.attrs.pe_dma.burst_bytes", {"64", {}, kBursts}},
      {"platform.pe.attrs.pe_dma.burst_outstanding", {"8", {}, kBursts}},
      {"platform.pe.attrs.pe_dma.ragged_bursts", {"power_of_two", {}, kBursts}},
      {"platform.pe.attrs.pe_dma.dmi", {"off", {}, kBursts}},
      {"platform.pe.attrs.pe_fetch_store.read_gb_per_s", {"256", {}}},
      {"platform.pe.attrs.pe_fetch_store.write_gb_per_s", {"unlimited", {}}},
      {"platform.pe.attrs.pe_fetch_store.setup_cycles", {"2", {}}},
      {"platform.pe.attrs.pe_gemm.model", {"systolic", {"rows", "cols", "dataflow", "preload"}}},
      {"platform.pe.attrs.pe_gemm.macs_per_cycle_f32", {"512", {}}},
      {"platform.pe.attrs.pe_gemm.macs_per_cycle_f16", {"unlimited", {}}},
      {"platform.pe.attrs.pe_gemm.macs_per_cycle_8bit", {"1e4", {}}},
      {"platform.pe.attrs.pe_gemm.m_quantum", {"16", {}}},
      {"platform.pe.attrs.pe_gemm.rows", {"32", {}, kSystolic}},
      {"platform.pe.attrs.pe_gemm.cols", {"32", {}, kSystolic}},
      {"platform.pe.attrs.pe_gemm.dataflow", {"is", {}, kSystolic}},
      {"platform.pe.attrs.pe_gemm.preload", {"overlapped", {}, kWeightStationary}},
      {"platform.pe.attrs.pe_math.lanes", {"128", {}}},
      {"platform.pe.attrs.pe_math.startup_cycles", {"8", {}}},
      {"platform.pe.attrs.pe_math.fast_cycles", {"2", {}}},
      {"platform.pe.attrs.pe_math.slow_cycles", {"16", {}}},
      {"platform.pe.attrs.tcm.arena_bytes", {"4KiB", {}}},
      {"platform.hbm.scope", {"shared", {}}},
      {"platform.hbm.channels", {"16", {}}},
      {"platform.hbm.gb_per_s_per_channel", {"51.2", {}}},
      {"platform.hbm.efficiency", {"0.8", {}}},
      {"platform.hbm.interleave_bytes", {"512", {}}},
      {"platform.hbm.interleave", {"modulo", {}}},
      {"platform.hbm.latency_ns", {"0", {}}},
      {"platform.hbm.capacity", {"1GiB", {}}},
  };
  return values;
}

// Keys that have a structure of their own.
bool has_structure(const std::string& path) {
  return path == "launches" || path == "platform.pes[].name" || path.rfind("sweep.", 0) == 0;
}

// The settings that `entry` needs, and then its own.
std::vector<std::string> sets_for(const SchemaEntry& entry, const std::string& value) {
  std::vector<std::string> sets;
  const auto other = other_values().find(entry.path);
  if (other != other_values().end()) sets = other->second.needs;
  sets.push_back(entry.path + "=" + value);
  return sets;
}

std::string key_of_line(const std::string& line) {
  const std::size_t start = line.find_first_not_of(' ');
  return line.substr(start, line.find(':') - start);
}

// The keys of the lines by which two dumps differ.
std::multiset<std::string> changed_keys(const std::string& before, const std::string& after) {
  std::multiset<std::string> left;
  for (const std::string& line : lines_of(after)) left.insert(line);
  for (const std::string& line : lines_of(before))
    if (const auto same = left.find(line); same != left.end()) left.erase(same);
  std::multiset<std::string> keys;
  for (const std::string& line : left) keys.insert(key_of_line(line));
  return keys;
}

/// A kernel is not dumped without a name; the interface of bursts has five keys of its own; the other GEMM
/// model has as many as the default one.
std::size_t lines_added_by(const std::string& path) {
  if (path == "kernel") return 1;
  return path == "platform.pe.attrs.pe_dma.interface" ? 5 : 0;
}

BOOST_AUTO_TEST_SUITE(schema)

BOOST_AUTO_TEST_CASE(every_key_shows_in_the_dump_and_changes_nothing_else) {
  for (const SchemaEntry& entry : schema_entries()) {
    if (has_structure(entry.path)) continue;
    BOOST_TEST_CONTEXT(entry.path) {
      const auto other = other_values().find(entry.path);
      BOOST_REQUIRE(other != other_values().end());
      const std::string before = effective_yaml(scenario_from_text("{}", other->second.needs));
      const std::string after =
          effective_yaml(scenario_from_text("{}", sets_for(entry, other->second.value)));
      std::multiset<std::string> expected(other->second.follows.begin(), other->second.follows.end());
      expected.insert(entry.path.substr(entry.path.rfind('.') + 1));
      BOOST_TEST(changed_keys(before, after) == expected, boost::test_tools::per_element());
      BOOST_TEST(lines_of(after).size() == lines_of(before).size() + lines_added_by(entry.path));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_dump_has_the_keys_of_the_chosen_gemm_model_alone) {
  const std::string throughput = effective_yaml(scenario_from_text("{}"));
  const std::string systolic = effective_yaml(scenario_from_text("{}", {"pe_gemm.model=systolic"}));
  for (const char* const key :
       {"macs_per_cycle_f32", "macs_per_cycle_f16", "macs_per_cycle_8bit", "m_quantum"}) {
    BOOST_TEST(test::contains(throughput, std::string(key) + ":"), key);
    BOOST_TEST(!test::contains(systolic, std::string(key) + ":"), key);
  }
  for (const char* const key : {"rows", "cols", "dataflow", "preload"}) {
    BOOST_TEST(!test::contains(throughput, std::string(" ") + key + ":"), key);
    BOOST_TEST(test::contains(systolic, std::string(" ") + key + ":"), key);
  }
}

BOOST_AUTO_TEST_CASE(the_documentation_of_a_key_names_the_choice_it_belongs_to) {
  for (const SchemaEntry& entry : schema_entries())
    if (entry.path == "platform.pe.attrs.pe_gemm.rows")
      BOOST_TEST(test::contains(entry.doc, "only with platform.pe.attrs.pe_gemm.model systolic"), entry.doc);
}

BOOST_AUTO_TEST_CASE(every_default_is_a_legal_value) {
  for (const SchemaEntry& entry : schema_entries()) {
    if (has_structure(entry.path)) continue;
    if (entry.path == "kernel" || test::contains(entry.default_text, " the ") ||
        entry.path == "gemm.out_dtype")
      continue;
    if (test::contains(entry.default_text, "the model's")) continue;
    BOOST_TEST(test::error_of("{}", sets_for(entry, entry.default_text)) == "", entry.path);
  }
}

BOOST_AUTO_TEST_CASE(every_key_is_documented_with_type_and_limits) {
  std::set<std::string> paths;
  for (const SchemaEntry& entry : schema_entries()) {
    BOOST_TEST_CONTEXT(entry.path) {
      BOOST_TEST(paths.insert(entry.path).second);
      BOOST_TEST(!entry.type.empty());
      BOOST_TEST(!entry.allowed.empty());
      BOOST_TEST(!entry.default_text.empty());
      BOOST_TEST(!entry.doc.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_text_has_a_line_a_key) {
  const std::string text = schema_text();
  // A heading, the keys, and what is said of anchor holders.
  BOOST_TEST(lines_of(text).size() == schema_entries().size() + 2);
  for (const SchemaEntry& entry : schema_entries())
    BOOST_TEST(test::contains(text, "\n" + entry.path + " "), entry.path);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
