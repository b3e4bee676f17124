// SPDX-License-Identifier: Apache-2.0
//
// ADR-0064 test 7, SPEC 11.11: a recorded stream costs what the live kernel costs; the op_logs are one to the
// byte.
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "petal/command/command_stream_reader.hpp"
#include "petal/command/command_stream_writer.hpp"
#include "petal/scenario/kernel_launch.hpp"
#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// What the scenario's kernel asks of each PE, saved to text and loaded again. A kernel learns nothing from
/// its sink, so no simulation is needed for it.
CommandStream recording_of(const ScenarioConfig& config, const std::string& kernel) {
  CommandStream stream;
  const NextCompletions next = first_completions(config.platform.pes.size());
  for (const LaunchConfig& launch : config.launches) {
    LaunchRecording& recording = stream.launches.emplace_back();
    recording.pes.resize(config.platform.pes.size());
    const std::vector<PeProgram> programs =
        KernelLaunch(find_kernel(kernel), launch.workload, config.platform).programs(next);
    for (std::size_t pe = 0; pe < programs.size(); ++pe) {
      RecordingSink sink(recording.pes[pe]);
      programs[pe](sink);
    }
  }
  std::stringstream file;
  save_command_stream(stream, file);
  return load_command_stream(file, "recording");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(replay_run)

BOOST_AUTO_TEST_CASE(a_replay_is_the_live_run_in_every_column) {
  std::vector<std::pair<std::unique_ptr<ScenarioBench>, std::unique_ptr<ScenarioBench>>> runs;
  const auto add = [&](const ScenarioConfig& config, const std::string& kernel) {
    runs.emplace_back(std::make_unique<ScenarioBench>(config, kernel),
                      std::make_unique<ScenarioBench>(config, recording_of(config, kernel), kernel));
  };
  for (const std::string& kernel : decode_kernels()) {
    add(small_decode(200), kernel);
    add(small_decode(200, {"max_composite_logical_bytes=68", "auto_await=all"}), kernel);
    add(shipped_scenario("llama3_8b_decode_shared_hbm.yaml",
                         {"platform.pes=3", "q_heads=8", "kv_heads=4", "kv_len=100"}),
        kernel);
  }
  for (const char* const kernel : {"gemm", "gemm_load_ref", "gemm_load_load"})
    add(shipped_scenario("gemm_worked_example.yaml", {"platform.pes=2"}), kernel);
  simulate();
  for (const auto& [live, replayed] : runs) require_same_text(replayed->op_log(), live->op_log(), "replay");
}

// Waits and tl.cycles are part of a recording.
BOOST_AUTO_TEST_CASE(waits_and_kernel_cycles_are_replayed) {
  const Kernel kernel = [](TlContext& tl) {
    const TensorHandle loaded = tl.load(tl.ref(0, {32, 32}, DType::f16));
    tl.cycles(7);
    tl.wait(loaded);
    tl.composite([&] {
      CompositeRequest request;
      request.a = loaded;
      request.b = loaded;
      return request;
    }());
    tl.cycles(11);
  };
  PeRecording recording;
  RecordingSink sink(recording);
  TlContext tl(sink);
  kernel(tl);
  KernelBench live;
  KernelBench replayed;
  live.launch(kernel);
  replayed.launch_program([&](CommandSink& cpu) { replay(recording, cpu); });
  simulate();
  BOOST_TEST(live.log().dispatches.size() == 4U);
  BOOST_TEST(live.log().dispatch_of(2).start_ps == live.log().end_of(1));
  require_same_text(replayed.op_log(), live.op_log(), "replay");
  BOOST_TEST(replayed.end_ps() == live.end_ps());
}

BOOST_AUTO_TEST_SUITE_END()
