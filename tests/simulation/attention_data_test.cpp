// SPDX-License-Identifier: Apache-2.0
//
// The ONNX operator Attention in data mode: inputs from files, Y against the vectors, whatever the tile, the
// number of PEs, the awaiting and the queue.
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <filesystem>
#include <memory>

#include "petal/npy/npy_file.hpp"
#include "support/attention_cases.hpp"
#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Sets = std::vector<std::string>;

/// The attributes of the case as a user of the program gives them.
Sets attribute_sets(const AttentionAttributes& attributes) {
  Sets sets;
  const auto add = [&](const char* name, const auto& value) {
    sets.push_back(std::string("attention.") + name + "=" + std::to_string(value));
  };
  add("is_causal", attributes.is_causal ? 1 : 0);
  if (attributes.scale) add("scale", *attributes.scale);
  add("softcap", attributes.softcap);
  if (attributes.q_num_heads) add("q_num_heads", *attributes.q_num_heads);
  if (attributes.kv_num_heads) add("kv_num_heads", *attributes.kv_num_heads);
  add("left_window_size", attributes.left_window_size);
  add("right_window_size", attributes.right_window_size);
  add("qk_matmul_output_mode", attributes.qk_matmul_output_mode);
  add("softmax_precision", attributes.softmax_precision);
  return sets;
}

std::unique_ptr<ScenarioRun> run_of(const AttentionCase& entry, const Sets& more) {
  Sets sets = attribute_sets(entry.attributes);
  sets.insert(sets.end(), more.begin(), more.end());
  ScenarioOptions options;
  options.data = true;
  for (const auto& [name, array] : entry.inputs) options.inputs[name] = folder_of(entry) + name + ".npy";
  return std::make_unique<ScenarioRun>(sc_core::sc_gen_unique_name("attention"),
                                       shipped_scenario("onnx_attention.yaml", sets), options);
}

NpyArray result_of(const ScenarioRun& run) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("petal_attention_" + std::to_string(::getpid()) + ".npy"))
          .string();
  run.write_result("Y", file);
  const NpyArray y = read_npy(file);
  std::filesystem::remove(file);
  return y;
}

void require_vectors(const Sets& more) {
  const std::vector<AttentionCase> cases = read_attention_cases();
  BOOST_TEST(cases.size() == 47U);
  std::vector<std::unique_ptr<ScenarioRun>> runs;
  for (const AttentionCase& entry : cases) runs.push_back(run_of(entry, more));
  simulate();
  for (std::size_t index = 0; index < cases.size(); ++index) BOOST_TEST_CONTEXT(cases[index].name) {
      BOOST_TEST(runs[index]->summary().data.at(0).within_tolerance());
      const NpyArray y = result_of(*runs[index]);
      BOOST_TEST(y.descr == cases[index].y.descr);
      BOOST_TEST((AttentionCase::dims_of(y) == cases[index].y_shape()));
      BOOST_TEST(largest_difference(as_doubles(y), cases[index].y_values()) <= cases[index].tolerance());
    }
}

const std::string kSmallQueue = "queue_bytes=128";
const std::string kSmallCap = "max_composite_logical_bytes=128";

}  // namespace

BOOST_AUTO_TEST_SUITE(attention_data)

BOOST_AUTO_TEST_CASE(vectors_in_tiles_of_4_on_one_pe) {
  require_vectors({"tile=4", "platform.pes=1"});
}

BOOST_AUTO_TEST_CASE(vectors_in_tiles_of_4_on_four_pes_without_awaiting_behind_a_full_queue) {
  require_vectors({"tile=4", "platform.pes=4", "auto_await=none", kSmallQueue, kSmallCap});
}

BOOST_AUTO_TEST_CASE(vectors_in_tiles_of_16_on_one_pe_that_awaits_all_behind_a_full_queue) {
  require_vectors({"tile=16", "platform.pes=1", "auto_await=all", kSmallQueue, kSmallCap});
}

BOOST_AUTO_TEST_CASE(vectors_in_tiles_of_16_on_four_pes) {
  require_vectors({"tile=16", "platform.pes=4"});
}

BOOST_AUTO_TEST_CASE(vectors_in_tiles_of_64_on_one_pe_without_awaiting) {
  require_vectors({"tile=64", "platform.pes=1", "auto_await=none"});
}

BOOST_AUTO_TEST_CASE(vectors_in_tiles_of_64_on_four_pes_with_a_memory_each) {
  require_vectors({"tile=64", "platform.pes=4", "hbm.scope=per_pe"});
}

// Hardware tiles smaller than blocks, tiles and heads: masks and bands lie across output tiles.
BOOST_AUTO_TEST_CASE(vectors_in_hardware_tiles_of_3) {
  require_vectors({"tile=64", "platform.pes=1", "gemm_tile.m=3", "gemm_tile.k=3", "gemm_tile.n=3"});
}

// Generated inputs against the reference: blocks of 64 rows over hardware tiles of 32, everything at once.
BOOST_AUTO_TEST_CASE(a_prefill_of_everything_is_near_its_reference) {
  std::vector<std::unique_ptr<ScenarioRun>> runs;
  for (const char* const mask : {"boolean", "additive"})
    for (const char* const axes : {"k", "qk", "hqk", "b1qk", "bhqk"}) {
      ScenarioOptions options;
      options.data = true;
      const Sets sets = {"q_heads=4",
                         "kv_heads=2",
                         "kv_len=150",
                         "attention.q_len=140",
                         "attention.past_len=70",
                         "attention.v_head_size=40",
                         "attention.is_causal=1",
                         "attention.left_window_size=90",
                         "attention.softcap=1.5",
                         std::string("attention.attn_mask=") + mask,
                         std::string("attention.attn_mask_axes=") + axes,
                         std::string("attention.rank=") + (*mask == 'b' ? "3" : "4")};
      runs.push_back(std::make_unique<ScenarioRun>(sc_core::sc_gen_unique_name("prefill"),
                                                   shipped_scenario("onnx_attention.yaml", sets), options));
    }
  simulate();
  for (const auto& run : runs) {
    BOOST_TEST(run->summary().data.at(0).tensor == "Y");
    BOOST_TEST(run->summary().data.at(0).max_relative < 2e-3);
  }
}

BOOST_AUTO_TEST_CASE(files_that_do_not_go_together_are_refused_before_the_run) {
  const std::vector<AttentionCase> cases = read_attention_cases();
  const auto refusal = [&](const TensorFiles& files) -> std::string {
    ScenarioOptions options;
    options.data = true;
    options.inputs = files;
    try {
      const ScenarioRun run("refused", shipped_scenario("onnx_attention.yaml"), options);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto file = [&](const std::string& name) {
    return std::string(PETAL_TEST_DATA "/onnx_attention/") + name;
  };
  const auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  BOOST_TEST(contains(refusal({{"Q", file("4d/Q.npy")}}), "K is not given"));
  TensorFiles good = {{"Q", file("4d/Q.npy")}, {"K", file("4d/K.npy")}, {"V", file("4d/V.npy")}};
  good["mask"] = file("4d_attn_mask/attn_mask.npy");
  BOOST_TEST(contains(refusal(good), "--in mask"));
  good.erase("mask");
  good["attn_mask"] = file("3d/Q.npy");
  BOOST_TEST(contains(refusal(good), "attn_mask"));
  good["attn_mask"] = file("4d_causal_nonpad_batch_prefill/nonpad_kv_seqlen.npy");
  BOOST_TEST(contains(refusal(good), "its elements are '<i8'"));
  good.erase("attn_mask");
  good["nonpad_kv_seqlen"] = file("4d/Q.npy");
  BOOST_TEST(contains(refusal(good), "one axis of i64"));
}

BOOST_AUTO_TEST_SUITE_END()
