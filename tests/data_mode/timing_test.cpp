// SPDX-License-Identifier: Apache-2.0
//
// Data mode takes no time and no order of the work takes part in its results: one op_log with and without it,
// one result whatever the knobs are.
#include <boost/test/unit_test.hpp>

#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/scenario/kernel_launch.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

ScenarioOptions options_of(const std::string& kernel, bool data) {
  ScenarioOptions options;
  options.kernel = kernel;
  options.op_log = true;
  options.data = data;
  return options;
}

/// A small, ragged piece of work for a kernel of `family`: a scenario and what to change of it.
struct Work {
  const char* scenario;
  std::vector<std::string> sets;
};

Work work_for(KernelFamily family) {
  switch (family) {
    case KernelFamily::gemm:
      return {"gemm_worked_example.yaml", {"gemm.m=70", "gemm.k=150", "gemm.n=50"}};
    case KernelFamily::attention:
      return {"onnx_attention.yaml",
              {"q_heads=4", "kv_heads=2", "head_dim=24", "kv_len=70", "tile=32", "attention.batch=1",
               "attention.q_len=40", "attention.row_block=16", "platform.pes=1"}};
    case KernelFamily::split_decode:
      return {"llama3_8b_split_kv.yaml",
              {"q_heads=8", "kv_heads=2", "head_dim=72", "kv_len=150", "platform.pes=1", "hbm.channels=8"}};
    case KernelFamily::decoder_layer:
      return {"small_layer.yaml", {"platform.pes=1"}};
    case KernelFamily::decode:
      break;
  }
  return {"llama3_8b_decode.yaml",
          {"q_heads=8", "kv_heads=2", "head_dim=72", "kv_len=150", "platform.pes=1"}};
}

ScenarioConfig work_for(const KernelEntry& kernel, const std::vector<std::string>& sets) {
  Work work = work_for(kernel.family());
  work.sets.insert(work.sets.end(), sets.begin(), sets.end());
  return shipped_scenario(work.scenario, work.sets);
}

/// The bytes of every result.
std::vector<std::byte> results_of(ScenarioBench& bench, const ScenarioConfig& config,
                                  const KernelEntry& kernel) {
  std::vector<std::byte> all;
  for (const ScenarioTensor& tensor :
       KernelLaunch(kernel, config.launches.front().workload, config.platform).tensors()) {
    if (tensor.role != TensorRole::output) continue;
    std::vector<std::byte> bytes(tensor.bytes());
    bench.platform().read_hbm(tensor.address, bytes.data(), bytes.size());
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

const std::vector<std::vector<std::string>> kKnobs = {
    {},
    {"auto_await=all"},
    {"auto_await=none"},
    {"auto_await=none", "max_composite_logical_bytes=128", "queue_bytes=128"},
    {"auto_await=none", "fixed_per_cmd_cycles=0", "byte_cycles_recip=0"},
    {"max_in_flight=1"},
    {"tile_buffers=1"},
    {"compute_slot=shared", "tile_buffers=2"},
    {"platform.pes=2"},
    {"platform.pes=8"},
    {"platform.pes=2", "hbm.scope=shared", "hbm.channels=1"},
    {"pe_scheduler.gemm_tile.m=8", "pe_scheduler.gemm_tile.k=16", "pe_scheduler.gemm_tile.n=24"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(data_mode_timing)

// Every kernel of the catalog under every knob: the op_log with data mode is the one without, byte for byte;
// results are within tolerance, and their bits are those of the default platform.
BOOST_AUTO_TEST_CASE(data_mode_changes_no_time_and_knobs_change_no_result) {
  struct Case {
    const KernelEntry* kernel;
    ScenarioConfig config;
    std::unique_ptr<ScenarioBench> with_data, without;
    std::string what;
  };
  std::vector<Case> cases;
  for (const KernelEntry& kernel : kernel_catalog())
    for (const std::vector<std::string>& sets : kKnobs) {
      const ScenarioConfig config = work_for(kernel, sets);
      const std::string name(kernel.name);
      cases.push_back({&kernel, config, std::make_unique<ScenarioBench>(config, options_of(name, true)),
                       std::make_unique<ScenarioBench>(config, options_of(name, false)), name});
      for (const std::string& set : sets) cases.back().what += " " + set;
    }
  simulate();
  for (std::size_t index = 0; index < cases.size(); ++index) {
    Case& here = cases[index];
    Case& base = cases[index - index % kKnobs.size()];
    BOOST_TEST_CONTEXT(here.what) {
      require_same_text(here.with_data->op_log(), here.without->op_log(), here.what);
      const Summary summary = here.with_data->summary();
      BOOST_TEST_REQUIRE(!summary.data.empty());
      for (const TensorError& error : summary.data) BOOST_TEST(error.within_tolerance());
      BOOST_TEST((results_of(*here.with_data, here.config, *here.kernel) ==
                  results_of(*base.with_data, base.config, *base.kernel)));
    }
  }
}

// F26, in one process: two runs of the same scenario give the same bits. tests/cli compares processes.
BOOST_AUTO_TEST_CASE(two_runs_give_the_same_bits) {
  const KernelEntry& kernel = find_kernel("gqa_decode_opt2");
  const ScenarioConfig config = shipped_scenario("llama3_8b_decode_shared_hbm.yaml", {"kv_len=256"});
  ScenarioBench first(config, options_of("gqa_decode_opt2", true));
  ScenarioBench second(config, options_of("gqa_decode_opt2", true));
  simulate();
  BOOST_TEST((results_of(first, config, kernel) == results_of(second, config, kernel)));
  BOOST_TEST(!first.summary().data.empty());
}

BOOST_AUTO_TEST_SUITE_END()
