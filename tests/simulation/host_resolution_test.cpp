// SPDX-License-Identifier: Apache-2.0
//
// F17: the host chooses SystemC's time resolution; the model works at any and logs its own ledger. The golden
// op_logs were made at 1 ps, and each holds the scenario it came from.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

#include "petal/config/scenario_loader.hpp"
#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

std::string golden_log(const std::string& name) {
  std::ifstream file(std::string(PETAL_GOLDEN_LOGS) + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The scenario in a log's `# config:` line.
ScenarioConfig scenario_of(const std::string& log) {
  const std::string mark = "\n# config: ";
  const std::size_t begin = log.find(mark) + mark.size();
  return scenario_from_text(log.substr(begin, log.find('\n', begin) - begin));
}

/// Runs golden scenarios, lockstep so that the kernel's clock is used at every instant, and one command
/// beside them.
void require_golden_logs() {
  PlatformOptions lockstep;
  lockstep.pacing = Pacing::lockstep;
  std::vector<std::pair<std::string, std::unique_ptr<ScenarioBench>>> runs;
  for (const char* const name :
       {"llama3_8b_decode.opt2.csv", "llama3_8b_decode_shared_hbm.opt2.csv", "gemm_worked_example.csv"}) {
    const std::string expected = golden_log(name);
    BOOST_TEST_REQUIRE(!expected.empty(), name << " is missing; run ./petal regenerate-goldens");
    const ScenarioConfig config = scenario_of(expected);
    runs.emplace_back(expected, std::make_unique<ScenarioBench>(config, *config.kernel, lockstep));
  }
  KernelBench one_command;
  one_command.launch([](TlContext& tl) { gemm_in_tcm(tl, 4, 8, 4); });
  KernelBench transfer;
  transfer.launch([](TlContext& tl) { tl.load(tl.ref(0, {2048}, DType::f16)); });
  simulate();
  for (const auto& [expected, bench] : runs) require_same_text(bench->op_log(), expected, "golden");
  BOOST_TEST(one_command.log().dispatch_of(1).end_ps == 43375);
  // 4 KiB in 16 ns: 256 GB/s at any resolution.
  BOOST_TEST(transfer.log().stages_of(1).front().busy_ps() == 16000);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(host_resolution)

BOOST_AUTO_TEST_CASE(at_10_ps_the_log_is_the_golden_one) {
  sc_core::sc_set_time_resolution(10, sc_core::SC_PS);
  require_golden_logs();
  BOOST_TEST((sc_core::sc_get_time_resolution() == sc_core::sc_time(10, sc_core::SC_PS)));
}

BOOST_AUTO_TEST_CASE(at_1_fs_the_log_is_the_golden_one) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  require_golden_logs();
  BOOST_TEST((sc_core::sc_get_time_resolution() == sc_core::sc_time(1, sc_core::SC_FS)));
}

BOOST_AUTO_TEST_CASE(at_the_default_the_log_is_the_golden_one) {
  require_golden_logs();
}

// The kernel's clock ends at the nearest time it can show: 8.375 ns at 10 ps is 8.38.
BOOST_AUTO_TEST_CASE(the_kernels_clock_ends_at_the_nearest_time_of_the_host) {
  sc_core::sc_set_time_resolution(10, sc_core::SC_PS);
  KernelBench bench;
  bench.launch([](TlContext& tl) { gemm_in_tcm(tl, 32, 64, 32); });
  simulate();
  BOOST_TEST(bench.end_ps() == 83375);  // 43.375 of dispatch, 40 of stages
  BOOST_TEST((sc_core::sc_time_stamp() == sc_core::sc_time(83380, sc_core::SC_PS)));
}

BOOST_AUTO_TEST_SUITE_END()
