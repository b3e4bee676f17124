// SPDX-License-Identifier: Apache-2.0
//
// Runs that cannot be finished end with an error that names the command and the reason. Each case is a
// process: an error ends the whole simulation.
#include <boost/test/unit_test.hpp>

#include "petal/command/error.hpp"
#include "support/kernel_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Runs the simulation, which fails with a SimulationError that mentions all of `parts` in one line.
void require_failure(const std::vector<std::string>& parts) {
  BOOST_CHECK_EXCEPTION(simulate(), SimulationError, [&](const SimulationError& error) {
    const std::string text = error.what();
    BOOST_TEST(text.find('\n') == std::string::npos);
    for (const std::string& part : parts)
      BOOST_TEST(text.find(part) != std::string::npos, "'" << text << "' does not mention " << part);
    return true;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(failure)

// 64 bytes at 16 below the end of 1 MiB. What happened before is in the log.
BOOST_AUTO_TEST_CASE(an_address_beyond_the_memory_names_command_and_address) {
  PlatformConfig config;
  config.hbm.capacity = Bytes(1U << 20U);
  KernelBench bench(config);
  bench.launch([](TlContext& tl) {
    tl.wait(tl.load(tl.ref(0x1000, {32}, DType::f16)));
    tl.load(tl.ref(0xFFFF0, {32}, DType::f16));
  });
  require_failure({"command 2", "DmaReadCmd", "0xffff0", "ADDRESS_ERROR"});
  BOOST_TEST(bench.log().completions.size() == 1U);
  BOOST_TEST(bench.log().dispatches.size() == 2U);
  BOOST_TEST(bench.op_log().find(",complete,1,") != std::string::npos);
}

// F32: the high bits of an address are not dropped.
BOOST_AUTO_TEST_CASE(an_address_with_high_bits_is_not_folded) {
  KernelBench bench;
  bench.launch([](TlContext& tl) { tl.load(tl.ref(0x8000000000001000, {32}, DType::f16)); });
  require_failure({"command 1", "0x8000000000001000", "ADDRESS_ERROR"});
}

BOOST_AUTO_TEST_CASE(a_composite_that_writes_beyond_the_memory_names_its_dma_write) {
  PlatformConfig config;
  config.hbm.capacity = Bytes(0x10000);
  KernelBench bench(config);
  bench.launch([](TlContext& tl) {
    CompositeRequest request;
    request.a = tl.empty({64, 32}, DType::f16);
    request.b = tl.empty({32, 32}, DType::f16);
    request.out = tl.ref(0xF000, {64, 32}, DType::f32);  // 8192 bytes, the second tile begins at the end
    tl.composite(request);
  });
  require_failure({"command 1", "CompositeCmd", "DMA_WRITE", "0x10000"});
  BOOST_TEST(bench.log().stages_of(1, StageKind::dma_write).size() == 1U);
}

// F41: the engine is asked for by a command; a scenario's kernel is refused before the run.
BOOST_AUTO_TEST_CASE(a_command_without_its_engine_names_what_it_needs) {
  PlatformConfig config;
  config.pes.front().engines.gemm = false;
  KernelBench bench(config);
  bench.launch([](TlContext& tl) { gemm_in_tcm(tl, 4, 8, 4); });
  require_failure({"command 1", "GEMM", "engines"});
}

BOOST_AUTO_TEST_CASE(a_scenario_without_an_engine_that_its_kernel_needs_is_refused_before_the_run) {
  const auto refusal = [](const std::string& kernel, const EngineSet& engines) {
    ScenarioConfig config;
    config.platform.pes.front().engines = engines;
    config.platform.pes.front().name = "left";
    ScenarioOptions options;
    options.kernel = kernel;
    try {
      const ScenarioRun run(sc_core::sc_gen_unique_name("refused"), config, options);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EngineSet engines;
  engines.gemm = false;
  const std::string without_gemm = refusal("gemm", engines);
  BOOST_TEST(without_gemm.find("'left'") != std::string::npos);
  BOOST_TEST(without_gemm.find("'gemm'") != std::string::npos);
  engines.gemm = true;
  engines.math = false;
  BOOST_TEST(refusal("gqa_decode_opt2", engines).find("'math'") != std::string::npos);
  BOOST_TEST(refusal("gemm", engines) == "accepted");
}

// F07, F47: nobody completes what was never issued. The simulation ends; that it is not done is told.
BOOST_AUTO_TEST_CASE(a_wait_for_what_was_never_issued_is_reported_as_outstanding) {
  KernelBench bench;
  bench.launch_program([](CommandSink& sink) { sink.wait({7}); });
  simulate();
  BOOST_CHECK_EXCEPTION(bench.platform().finish(), SimulationError, [](const SimulationError& error) {
    const std::string text = error.what();
    return text.find("pe0") != std::string::npos && text.find("command 7") != std::string::npos &&
           text.find("never issued") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_platform_that_hangs_does_not_hide_behind_one_that_finishes) {
  KernelBench hangs;
  KernelBench finishes;
  hangs.launch_program([](CommandSink& sink) { sink.wait({1}); });
  finishes.launch([](TlContext& tl) { gemm_in_tcm(tl, 4, 8, 4); });
  simulate();
  BOOST_CHECK_NO_THROW(finishes.platform().finish());
  BOOST_CHECK_THROW(hangs.platform().finish(), SimulationError);
}

// A kernel's own exception comes out as it was thrown.
BOOST_AUTO_TEST_CASE(what_a_kernel_throws_comes_out_of_the_run) {
  KernelBench bench;
  bench.launch([](TlContext&) { throw EmitError("mine", "x", "is wrong", "leave it"); });
  simulate();
  BOOST_CHECK_EXCEPTION(bench.platform().finish(), EmitError,
                        [](const EmitError& error) { return error.op() == "mine"; });
}

BOOST_AUTO_TEST_SUITE_END()
