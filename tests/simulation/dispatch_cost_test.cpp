// SPDX-License-Identifier: Apache-2.0
//
// ADR-0064: what PE_CPU pays, as the op_log records it.
#include <boost/test/unit_test.hpp>

#include "simulation/decode_tensors.hpp"
#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Command 1: framing 4, ops 1 + 5 x (1 + 1 + 9 + 8 + 1), rw 1 + 8 = 114 bytes.
void five_op_math_chain(TlContext& tl) {
  CompositeRequest request;
  request.op = "math";
  TensorHandle value = tl.empty({4, 8});
  for (const char* const op : {"neg", "exp", "relu", "tanh"}) {
    const TensorHandle out = tl.empty({4, 8});
    CompositeEntry entry(op, {{"src", value}});
    entry.out = out;
    request.prologue.push_back(entry);
    value = out;
  }
  request.math_op = "copy";
  request.a = value;
  tl.composite(request);
}

void ten_op_recipe(TlContext& tl) {
  DecodeTensors(tl).issue_second_composite(tl);
}

PlatformConfig with_cost(double fixed, double recip) {
  PlatformConfig config;
  config.pes.front().cost.fixed_per_cmd_cycles = fixed;
  config.pes.front().cost.byte_cycles_recip = recip;
  return config;
}

struct CostCase {
  double fixed;
  double recip;
  Kernel kernel;
  std::uint64_t bytes;
  double cycles;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(dispatch_cost)

// ADR-0064 test 1, and 3 for values that are not the defaults.
BOOST_AUTO_TEST_CASE(recorded_dispatch_is_fixed_plus_bytes_times_r) {
  const Kernel one_op = [](TlContext& tl) { gemm_in_tcm(tl, 4, 8, 4); };
  const std::vector<CostCase> cases = {
      {40, 0.0625, one_op, 54, 43.375},               // 40 + 54 / 16
      {40, 0.0625, five_op_math_chain, 114, 47.125},  // 40 + 114 / 16
      {40, 0.0625, ten_op_recipe, 322, 60.125},       // 40 + 322 / 16
      {10, 0.25, one_op, 54, 23.5},
      {10, 0.25, five_op_math_chain, 114, 38.5},
      {10, 0.25, ten_op_recipe, 322, 90.5},
      {0, 0.5, ten_op_recipe, 322, 161},
      {7.5, 0, ten_op_recipe, 322, 7.5},
  };
  std::vector<std::unique_ptr<KernelBench>> benches;
  for (const CostCase& expected : cases) {
    benches.push_back(std::make_unique<KernelBench>(with_cost(expected.fixed, expected.recip)));
    benches.back()->launch(expected.kernel);
  }
  simulate();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const LoggedDispatch& dispatch = benches[i]->log().dispatch_of(1);
    BOOST_TEST_CONTEXT("FIXED " << cases[i].fixed << ", R " << cases[i].recip << ", " << cases[i].bytes
                                << " bytes") {
      BOOST_TEST(dispatch.kind == "CompositeCmd");
      BOOST_TEST(dispatch.segments == 1U);
      BOOST_TEST(dispatch.logical_bytes == cases[i].bytes);
      BOOST_TEST(dispatch.cycles == cases[i].cycles);
      BOOST_TEST(dispatch.end_ps - dispatch.start_ps == std::llround(cases[i].cycles * 1000));  // at 1 GHz
    }
    require_no_violations(benches[i]->op_log());
  }
}

// ADR-0064 test 4: between two commands, the CPU spends n cycles, not n + 40 + 8 / 16.
BOOST_AUTO_TEST_CASE(tl_cycles_costs_exactly_n_cycles_and_no_dispatch) {
  PlatformConfig half_clock;
  half_clock.pes.front().clock = ClockFrequency(0.5);
  KernelBench at_1_ghz;
  KernelBench at_half_ghz(half_clock);
  const Kernel kernel = [](TlContext& tl) {
    gemm_in_tcm(tl, 4, 8, 4);
    tl.cycles(1000);
    tl.cycles(0);
    gemm_in_tcm(tl, 4, 8, 4);
  };
  at_1_ghz.launch(kernel);
  at_half_ghz.launch(kernel);
  simulate();
  const std::vector<LoggedDispatch>& rows = at_1_ghz.log().dispatches;
  BOOST_TEST_REQUIRE(rows.size() == 4U);
  BOOST_TEST(rows[1].is_overhead());
  BOOST_TEST(rows[1].cycles == 1000.0);
  BOOST_TEST(rows[1].start_ps == 43375);
  BOOST_TEST(rows[1].end_ps == 1043375);
  BOOST_TEST(rows[2].end_ps == 1043375);
  BOOST_TEST(rows[3].start_ps == 1043375);
  const Summary summary = at_1_ghz.summary();
  BOOST_TEST(summary.total.cpu_time(CpuState::overhead).count() == 1000000);
  BOOST_TEST(summary.total.cpu_time(CpuState::dispatching).count() == 2 * 43375);
  BOOST_TEST(summary.total.dispatch.commands == 2U);
  BOOST_TEST(summary.total.dispatch.cycles.count() == 86.75);
  // F39: a cycle at 0.5 GHz is 2 ns.
  BOOST_TEST(at_half_ghz.summary().total.cpu_time(CpuState::overhead).count() == 2000000);
}

// ADR-0064 test 5: a stage takes as long whatever its command cost to issue.
BOOST_AUTO_TEST_CASE(engine_latencies_do_not_change_with_the_dispatch_cost) {
  std::vector<std::unique_ptr<ScenarioBench>> benches;
  for (const std::string& kernel : decode_kernels())
    for (const char* const fixed :
         {"fixed_per_cmd_cycles=0", "fixed_per_cmd_cycles=40", "fixed_per_cmd_cycles=400"})
      benches.push_back(std::make_unique<ScenarioBench>(small_decode(200, {fixed}), kernel));
  simulate();
  using Key = std::pair<CompletionId, std::uint64_t>;
  const auto durations = [](const EventLog& log) {
    std::map<Key, std::int64_t> found;
    for (const LoggedStage& stage : log.stages) found[{stage.command, stage.number}] = stage.duration_ps();
    return found;
  };
  for (std::size_t i = 0; i < benches.size(); i += 3) {
    const auto expected = durations(benches[i]->log());
    BOOST_TEST(expected.size() > 100U);
    BOOST_TEST((durations(benches[i + 1]->log()) == expected));
    BOOST_TEST((durations(benches[i + 2]->log()) == expected));
    BOOST_TEST(benches[i]->summary().time.count() < benches[i + 2]->summary().time.count());
  }
}

// F09: 1000 commands of 43.375 cycles, one after another; each is rounded to a picosecond, none is a multiple
// of a rounded period.
BOOST_AUTO_TEST_CASE(a_clock_that_is_no_whole_number_of_picoseconds_does_not_drift) {
  struct ClockCase {
    double gigahertz;
    std::int64_t each_ps;
    double exact_ps;
  };
  const ClockCase cases[] = {
      {1.3, 33365, 33365384.6},        // 43375 / 1.3 = 33365.38
      {0.7, 61964, 61964285.7},        // 43375 / 0.7 = 61964.29
      {1.0 / 3.0, 130125, 130125000},  // 43375 x 3
  };
  std::vector<std::unique_ptr<KernelBench>> benches;
  for (const ClockCase& clock : cases) {
    PlatformConfig config;
    config.pes.front().clock = ClockFrequency(clock.gigahertz);
    config.pes.front().cpu.queue_bytes = Bytes(1U << 20U);
    benches.push_back(std::make_unique<KernelBench>(config));
    benches.back()->launch([](TlContext& tl) {
      for (int i = 0; i < 1000; ++i) {
        const ScratchScope scope = tl.scratch_scope();
        gemm_in_tcm(tl, 1, 1, 1);
      }
    });
  }
  simulate();
  for (std::size_t i = 0; i < benches.size(); ++i) {
    const std::vector<LoggedDispatch>& rows = benches[i]->log().dispatches;
    BOOST_TEST_REQUIRE(rows.size() == 1000U);
    for (std::size_t row = 0; row < rows.size(); ++row)
      BOOST_TEST_REQUIRE(rows[row].start_ps == static_cast<std::int64_t>(row) * cases[i].each_ps);
    BOOST_TEST(rows.back().end_ps == 1000 * cases[i].each_ps);
    BOOST_TEST(std::abs(static_cast<double>(rows.back().end_ps) - cases[i].exact_ps) <= 1000.0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
