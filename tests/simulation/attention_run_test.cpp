// SPDX-License-Identifier: Apache-2.0
//
// The attention kernel on the simulated PE, from the scenario's shapes alone.
#include <boost/test/unit_test.hpp>

#include <memory>

#include "petal/command/error.hpp"
#include "petal/scenario/attention_layout.hpp"
#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Sets = std::vector<std::string>;

/// Two query heads over one KV head of 16 elements, 8 causal queries and 12 keys, in blocks of 4 rows and
/// tiles of 4 keys on one PE: of each head rows 0 to 3 see tile 0, rows 4 to 7 tiles 0 and 1, and nobody
/// tile 2.
ScenarioConfig small_causal(const Sets& more = {}) {
  Sets sets = {"platform.pes=1",       "q_heads=2",         "kv_heads=1",
               "head_dim=16",          "kv_len=12",         "tile=4",
               "attention.batch=1",    "attention.q_len=8", "attention.row_block=4",
               "attention.is_causal=1"};
  sets.insert(sets.end(), more.begin(), more.end());
  return shipped_scenario("onnx_attention.yaml", sets);
}

/// A problem of every kind: causal, window, soft-cap, boolean mask, past, three axes, ragged everywhere.
const Sets kEverything = {"attention.rank=3",
                          "attention.past_len=19",
                          "attention.q_len=37",
                          "kv_len=45",
                          "tile=16",
                          "attention.attn_mask=boolean",
                          "attention.softcap=20",
                          "attention.is_causal=1",
                          "attention.left_window_size=30",
                          "attention.attn_mask_axes=hqk"};

}  // namespace

BOOST_AUTO_TEST_SUITE(attention_run)

// Q: 2 heads of 2 blocks of 4 x 16 f16 = 512 bytes. K and V: 3 tiles a head of 2 x 4 x 16 f16 = 1536. A
// boolean mask: 6 tiles of 4 x 4 = 96. Y: 2 x 8 x 16 f16 = 512. MACs: 2 heads, 3 tiles of 4 x 4, 16 + 16
// elements.
BOOST_AUTO_TEST_CASE(only_keys_that_are_seen_are_read) {
  ScenarioBench plain(small_causal(), "attention");
  ScenarioBench masked(small_causal({"attention.attn_mask=boolean"}), "attention");
  simulate();
  BOOST_TEST(plain.summary().total.dma_read.count() == 512U + 1536);
  BOOST_TEST(masked.summary().total.dma_read.count() == 512U + 1536 + 96);
  for (const ScenarioBench* const bench : {&plain, &masked}) {
    BOOST_TEST(bench->summary().total.dma_write.count() == 512U);
    BOOST_TEST(bench->summary().total.macs == 2U * 3 * 16 * 32);
    BOOST_TEST(bench->summary().tiles == 6U);
    require_no_violations(bench->op_log());
  }
}

// 64 rows are two hardware tiles of 32: K and V are streamed twice for each block.
BOOST_AUTO_TEST_CASE(a_block_may_be_larger_than_the_hardware_tile) {
  const Sets shape = {"platform.pes=1",    "q_heads=1",          "kv_heads=1",
                      "head_dim=16",       "kv_len=32",          "tile=32",
                      "attention.batch=1", "attention.q_len=64", "attention.row_block=64"};
  ScenarioBench bench(shipped_scenario("onnx_attention.yaml", shape), "attention");
  simulate();
  const std::uint64_t keys_and_values = 2 * 32 * 16 * 2;
  BOOST_TEST(bench.summary().total.dma_read.count() == 64U * 16 * 2 + 2 * keys_and_values);
  BOOST_TEST(bench.summary().total.macs == 64U * 32 * 32);
  require_no_violations(bench.op_log());
}

// What is computed does not depend on when commands are awaited, nor on the queue; that all of it arrives
// does not either.
BOOST_AUTO_TEST_CASE(awaiting_and_back_pressure_change_time_alone) {
  std::vector<std::unique_ptr<ScenarioBench>> benches;
  for (const char* const await : {"auto_await=primitive", "auto_await=all", "auto_await=none"})
    for (const char* const queue : {"queue_bytes=4096", "queue_bytes=1024"}) {
      Sets sets = kEverything;
      sets.insert(sets.end(), {await, queue});
      benches.push_back(
          std::make_unique<ScenarioBench>(shipped_scenario("onnx_attention.yaml", sets), "attention"));
    }
  simulate();
  const Totals first = benches.front()->summary().total;
  for (const auto& bench : benches) {
    const Totals total = bench->summary().total;
    BOOST_TEST(total.macs == first.macs);
    BOOST_TEST(total.dma_read.count() == first.dma_read.count());
    BOOST_TEST(total.dma_write.count() == first.dma_write.count());
    BOOST_TEST(total.dispatch.commands == first.dispatch.commands);
    require_no_violations(bench->op_log());
  }
  BOOST_TEST(benches.back()->summary().total.cpu_time(CpuState::queue_full).count() > 0);
}

BOOST_AUTO_TEST_CASE(a_cap_of_128_bytes_is_enough) {
  Sets sets = kEverything;
  sets.insert(sets.end(), {"max_composite_logical_bytes=128", "queue_bytes=128", "auto_await=none"});
  ScenarioBench bench(shipped_scenario("onnx_attention.yaml", sets), "attention");
  simulate();
  BOOST_CHECK_NO_THROW(bench.summary());
  BOOST_TEST(bench.summary().total.cpu_time(CpuState::queue_full).count() > 0);
  require_no_violations(bench.op_log());
}

BOOST_AUTO_TEST_CASE(every_pe_takes_its_share_of_row_blocks) {
  ScenarioBench bench(shipped_scenario("onnx_attention.yaml", {"attention.batch=1", "platform.pes=3"}),
                      "attention");
  simulate();
  // 16 heads of 128 queries in blocks of 64: 32 blocks, 11 + 11 + 10.
  const std::uint64_t block = 64 * 256 * 128;
  BOOST_TEST(bench.summary().pes.at(0).totals.macs == 11U * block);
  BOOST_TEST(bench.summary().pes.at(1).totals.macs == 11U * block);
  BOOST_TEST(bench.summary().pes.at(2).totals.macs == 10U * block);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(attention_tensors_in_hbm)

BOOST_AUTO_TEST_CASE(forms_follow_from_the_workload) {
  const AttentionInputs inputs =
      attention_inputs(shipped_scenario("onnx_attention.yaml", kEverything).workload);
  BOOST_TEST((inputs.forms.at("Q").shape == Dims{2, 37, 1024}));
  BOOST_TEST((inputs.forms.at("K").shape == Dims{2, 45, 256}));
  BOOST_TEST((inputs.forms.at("past_value").shape == Dims{2, 4, 19, 64}));
  BOOST_TEST((inputs.forms.at("attn_mask").shape == Dims{16, 37, 64}));
  BOOST_TEST((inputs.forms.at("attn_mask").dtype == DType::boolean));
  BOOST_TEST((inputs.forms.at("V").dtype == DType::f16));
  BOOST_TEST(inputs.attributes.q_num_heads.value() == 16U);
  BOOST_TEST(!inputs.nonpad_kv_seqlen.has_value());
}

BOOST_AUTO_TEST_CASE(every_mask_form_and_padding_can_be_asked_for) {
  const auto mask_of = [](const std::string& axes) {
    const Sets sets = {"attention.attn_mask=additive", "attention.attn_mask_axes=" + axes,
                       "attention.nonpad_kv_seqlen=200", "attention.v_head_size=48"};
    const WorkloadConfig workload = shipped_scenario("onnx_attention.yaml", sets).workload;
    const AttentionInputs inputs = attention_inputs(workload);
    const AttentionArguments arguments =
        attention_layout(workload, inputs, Bytes(std::uint64_t{1} << 30U)).arguments;
    BOOST_TEST((arguments.problem.visible_keys == std::vector<std::uint64_t>{200, 200}));
    BOOST_TEST((arguments.problem.y.shape == Dims{2, 16, 128, 48}));
    BOOST_TEST((arguments.problem.mask->dtype == DType::f16));
    return inputs.forms.at("attn_mask").shape;
  };
  BOOST_TEST((mask_of("k") == Dims{256}));
  BOOST_TEST((mask_of("qk") == Dims{128, 256}));
  BOOST_TEST((mask_of("hqk") == Dims{16, 128, 256}));
  BOOST_TEST((mask_of("b1qk") == Dims{2, 1, 128, 256}));
  BOOST_TEST((mask_of("bhqk") == Dims{2, 16, 128, 256}));
}

// 4096-byte steps: Q and Y have 2 x 8 x 16 f16 = 512 bytes, K and V 1 x 12 x 16 f16 = 384.
BOOST_AUTO_TEST_CASE(tensors_lie_one_after_the_other) {
  const WorkloadConfig workload = small_causal({"attention.attn_mask=additive"}).workload;
  const AttentionArguments arguments =
      attention_layout(workload, attention_inputs(workload), Bytes(5 * 4096)).arguments;
  BOOST_TEST(arguments.problem.q.address == 0U);
  BOOST_TEST(arguments.problem.k.address == 4096U);
  BOOST_TEST(arguments.problem.v.address == 8192U);
  BOOST_TEST(arguments.problem.mask->address == 12288U);
  BOOST_TEST(arguments.y == 16384U);
  BOOST_TEST(arguments.tile == 4U);
  BOOST_TEST(arguments.row_block == 4U);
  BOOST_CHECK_THROW(attention_layout(workload, attention_inputs(workload), Bytes(4 * 4096)), ConfigError);
}

// The forms of files take the place of the workload's, whatever its keys say.
BOOST_AUTO_TEST_CASE(forms_of_files_win) {
  const WorkloadConfig workload = small_causal().workload;
  AttentionInputs inputs;
  inputs.attributes = workload.attention.attributes;
  inputs.forms = {{"Q", {{3, 4, 5, 8}, DType::f32}},
                  {"K", {{3, 2, 7, 8}, DType::f32}},
                  {"V", {{3, 2, 7, 6}, DType::f32}}};
  inputs.nonpad_kv_seqlen = {7, 0, 3};
  const AttentionArguments arguments = attention_layout(workload, inputs, Bytes(1U << 20U)).arguments;
  BOOST_TEST((arguments.problem.y.shape == Dims{3, 4, 5, 6}));
  BOOST_TEST((arguments.problem.visible_keys == std::vector<std::uint64_t>{7, 0, 3}));
  BOOST_TEST(arguments.problem.bands[2].high == -2);
}

BOOST_AUTO_TEST_SUITE_END()
