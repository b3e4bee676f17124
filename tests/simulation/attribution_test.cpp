// SPDX-License-Identifier: Apache-2.0
//
// Where the time of a run went: the parts add up to it, each wait is named, and no bound is above a run with
// that setting.
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "petal/config/scenario_loader.hpp"
#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

std::int64_t spent(const Summary& summary, TimeCause cause) {
  return summary.attribution.spent(cause).count();
}

/// The large scenarios take minutes in a build with sanitizers, which has nothing new to see in them.
bool is_too_large_here(const std::string& scenario) {
#ifdef __SANITIZE_ADDRESS__
  return scenario.find("llama") != std::string::npos || scenario.find("onnx") != std::string::npos ||
         scenario == "gemm.yaml";
#else
  return scenario.empty();
#endif
}

/// Makes one thing free; the order is that of Free.
const std::vector<std::vector<std::string>> kFreeSettings = {
    {"fixed_per_cmd_cycles=0", "byte_cycles_recip=0"},
    {"gb_per_s_per_channel=unlimited"},
    {"macs_per_cycle_f32=unlimited", "macs_per_cycle_f16=unlimited", "macs_per_cycle_8bit=unlimited"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(attribution)

// One composite of 54 bytes at 1 GHz, everything in TCM: 43.375 cycles of dispatch, then its stages alone.
BOOST_AUTO_TEST_CASE(a_single_command_is_dispatch_and_work) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    CompositeRequest request;
    request.a = tl.empty({32, 64}, DType::f16);
    request.b = tl.empty({64, 32}, DType::f16);
    tl.composite(request);
  });
  simulate();
  const Summary summary = bench.summary();
  BOOST_TEST(spent(summary, TimeCause::dispatch) == 43375);
  // FETCH of two tiles of 4096 bytes at 512 GB/s, 32 x 64 x 32 MACs at 4096 a cycle, STORE of 4096 bytes
  // (f32).
  BOOST_TEST(spent(summary, TimeCause::fetch_store) == 3 * 8000);
  BOOST_TEST(spent(summary, TimeCause::gemm) == 16000);
  BOOST_TEST(summary.attribution.total().count() == summary.time.count());
}

// The second composite reads what the first one writes: it stands at the head from its push on.
BOOST_AUTO_TEST_CASE(a_hazard_is_a_hazard) {
  KernelBench bench(with_free_dispatch());
  bench.launch([](TlContext& tl) {
    const auto product = [&](const TensorHandle& a) {
      CompositeRequest request;
      request.a = a;
      request.b = tl.empty({64, 64}, DType::f16);
      return tl.composite(request);
    };
    product(product(tl.empty({32, 64}, DType::f16)));
  });
  simulate();
  const Summary summary = bench.summary();
  const EventLog& log = bench.log();
  BOOST_TEST(spent(summary, TimeCause::hazard) == log.end_of(1));
  BOOST_TEST(spent(summary, TimeCause::dispatch) == 0);
  BOOST_TEST(summary.attribution.total().count() == summary.time.count());
}

BOOST_AUTO_TEST_CASE(a_full_window_a_full_queue_and_waits_of_the_kernel_have_names) {
  PlatformConfig config = with_free_dispatch();
  config.pes.front().scheduler.max_in_flight = 1;
  KernelBench window(config);
  const auto two_loads = [](TlContext& tl) {
    tl.load(tl.ref(0x0, {1024}, DType::f32));
    tl.load(tl.ref(0x2000, {1024}, DType::f32));
  };
  window.launch(two_loads);
  KernelBench waits(with_free_dispatch());
  waits.launch([](TlContext& tl) {
    tl.wait(tl.load(tl.ref(0x0, {1024}, DType::f32)));
    tl.cycles(100);
  });
  simulate();
  const Summary by_window = window.summary();
  BOOST_TEST(spent(by_window, TimeCause::window) == window.log().end_of(1));
  BOOST_TEST(by_window.attribution.total().count() == by_window.time.count());
  const Summary by_wait = waits.summary();
  BOOST_TEST(spent(by_wait, TimeCause::kernel_wait) == waits.log().end_of(1));
  BOOST_TEST(spent(by_wait, TimeCause::kernel_cycles) == 100000);
  BOOST_TEST(by_wait.attribution.total().count() == by_wait.time.count());
}

// Long latency and two slots: the channel stands idle until a slot is free. With many slots it never does.
BOOST_AUTO_TEST_CASE(too_few_staging_slots_show) {
  const auto run_with = [](const char* slots) {
    return small_decode(2048, {std::string("tile_buffers=") + slots, "latency_ns=1000"});
  };
  ScenarioBench few(run_with("1"), "gqa_decode_opt2");
  ScenarioBench many(run_with("64"), "gqa_decode_opt2");
  simulate();
  BOOST_TEST(few.summary().critical_path.spent(PathCause::staging_slot).count() > 0);
  BOOST_TEST(many.summary().critical_path.spent(PathCause::staging_slot).count() == 0);
  BOOST_TEST(few.summary().attribution.total().count() == few.summary().time.count());
}

BOOST_AUTO_TEST_CASE(the_parts_add_up_on_every_shipped_scenario_and_kernel) {
  std::vector<std::unique_ptr<ScenarioBench>> benches;
  std::size_t number = 0;
  for (const auto& file : std::filesystem::directory_iterator(PETAL_SHIPPED_SCENARIOS)) {
    if (file.path().extension() != ".yaml") continue;
    ++number;
    if (is_too_large_here(file.path().filename().string())) continue;
    const ScenarioConfig config = load_scenario(file.path().string());
    benches.push_back(std::make_unique<ScenarioBench>(config, ScenarioOptions()));
  }
  for (const std::string& kernel : decode_kernels())
    for (const char* const await : {"auto_await=none", "auto_await=all", "queue_bytes=1024"})
      benches.push_back(
          std::make_unique<ScenarioBench>(small_decode(1000, {await, "max_in_flight=2"}), kernel));
  simulate();
  BOOST_TEST(number >= 8U);
  for (const auto& bench : benches) {
    const Summary summary = bench->summary();
    BOOST_TEST(summary.attribution.total().count() == summary.time.count(), summary.kernel);
    BOOST_TEST(summary.critical_path.total().count() == summary.time.count(), summary.kernel);
  }
}

BOOST_AUTO_TEST_CASE(no_bound_is_above_the_time_of_a_run_with_that_setting) {
  struct Pair {
    std::unique_ptr<ScenarioBench> as_is;
    std::vector<std::unique_ptr<ScenarioBench>> free;
  };
  std::vector<Pair> pairs;
  for (const char* const name :
       {"gemm_worked_example.yaml", "llama3_8b_decode.yaml", "llama3_8b_decode_shared_hbm.yaml",
        "llama3_8b_split_kv.yaml", "small_layer.yaml"}) {
    if (is_too_large_here(name)) continue;
    Pair& pair = pairs.emplace_back();
    pair.as_is = std::make_unique<ScenarioBench>(shipped_scenario(name), ScenarioOptions());
    for (const std::vector<std::string>& sets : kFreeSettings)
      pair.free.push_back(std::make_unique<ScenarioBench>(shipped_scenario(name, sets), ScenarioOptions()));
  }
  simulate();
  for (const Pair& pair : pairs) {
    const Summary summary = pair.as_is->summary();
    BOOST_TEST_REQUIRE(summary.what_if.size() == kFreeSettings.size());
    for (std::size_t index = 0; index < kFreeSettings.size(); ++index) {
      const WhatIf& bound = summary.what_if[index];
      BOOST_TEST(bound.at_least.count() > 0, summary.kernel << ", " << label_of(bound.free));
      BOOST_TEST(bound.at_least.count() <= pair.free[index]->summary().time.count(),
                 summary.kernel << ", " << label_of(bound.free));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
