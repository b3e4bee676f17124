// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/verdict.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace {

using namespace petal;

constexpr Picoseconds kRun{1000};

struct Run {
  CriticalPath path;
  std::array<Picoseconds, kEnginePorts> busy{};

  Run& spend(PathCause cause, std::int64_t time) {
    path.add(cause, Picoseconds(time));
    return *this;
  }
  Run& keep_busy(EnginePort port, std::int64_t time) {
    busy[static_cast<std::size_t>(port)] = Picoseconds(time);
    return *this;
  }
  Verdict verdict() const { return verdict_of(path, kRun, busy); }
  std::string name() const { return name_of(verdict().bound); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)

BOOST_AUTO_TEST_CASE(the_largest_share_wins) {
  const Verdict found = Run()
                            .spend(PathCause::dispatch, 500)
                            .spend(PathCause::dma_latency, 300)
                            .spend(PathCause::plan, 200)
                            .verdict();
  BOOST_TEST(name_of(found.bound) == std::string("dispatch-bound"));
  BOOST_TEST(found.share(Bound::dispatch) == 0.5);
  BOOST_TEST(found.share(Bound::memory_latency) == 0.3);
  BOOST_TEST(found.share(Bound::dependency) == 0.2);
  BOOST_TEST(
      found.sentence ==
      "dispatch-bound: 50.0 % of the critical path is PE_CPU paying for commands; the rest is memory latency "
      "30.0 %, dependency 20.0 %.");
}

BOOST_AUTO_TEST_CASE(memory_latency_needs_no_busy_engine) {
  BOOST_TEST(Run().spend(PathCause::dma_latency, 600).spend(PathCause::dispatch, 400).name() ==
             "memory-latency-bound");
}

BOOST_AUTO_TEST_CASE(memory_bandwidth_bounds_from_60_percent_busy) {
  Run run;
  run.spend(PathCause::dma_busy, 1000);
  BOOST_TEST(run.keep_busy(EnginePort::dma_read, 600).name() == "memory-bandwidth-bound");
  BOOST_TEST(run.keep_busy(EnginePort::dma_read, 599).name() == "dependency-bound");
  BOOST_TEST(run.keep_busy(EnginePort::dma_write, 600).name() == "memory-bandwidth-bound");
}

BOOST_AUTO_TEST_CASE(compute_is_gemm_and_math_each_if_its_own_port_is_busy) {
  Run run;
  run.spend(PathCause::gemm, 300).spend(PathCause::math, 300).spend(PathCause::dispatch, 400);
  BOOST_TEST(run.name() == "dependency-bound");  // neither counts: 600 of dependency
  BOOST_TEST(run.keep_busy(EnginePort::gemm, 700).name() ==
             "dispatch-bound");  // 400, compute 300, dependency 300
  BOOST_TEST(run.keep_busy(EnginePort::math, 700).name() == "compute-bound");  // 600
}

BOOST_AUTO_TEST_CASE(kernel_cycles_planning_and_tcm_ports_are_dependency) {
  Run run;
  run.spend(PathCause::overhead, 200).spend(PathCause::plan, 200).spend(PathCause::fetch_store, 200);
  run.spend(PathCause::dispatch, 400).keep_busy(EnginePort::fetch, 1000);
  BOOST_TEST(run.name() == "dependency-bound");
  BOOST_TEST(run.verdict().share(Bound::dependency) == 0.6);
}

BOOST_AUTO_TEST_CASE(a_tie_goes_to_dispatch_then_bandwidth_then_compute_then_latency) {
  Run run;
  run.keep_busy(EnginePort::dma_read, 1000).keep_busy(EnginePort::gemm, 1000);
  run.spend(PathCause::plan, 200).spend(PathCause::dma_latency, 200);
  BOOST_TEST(run.name() == "memory-latency-bound");
  BOOST_TEST(run.spend(PathCause::gemm, 200).name() == "compute-bound");
  BOOST_TEST(run.spend(PathCause::dma_busy, 200).name() == "memory-bandwidth-bound");
  BOOST_TEST(run.spend(PathCause::dispatch, 200).name() == "dispatch-bound");
}

BOOST_AUTO_TEST_CASE(a_run_without_a_path_has_no_shares) {
  const Verdict found = Run().verdict();
  BOOST_TEST(name_of(found.bound) == std::string("dependency-bound"));
  for (const double share : found.shares) BOOST_TEST(share == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
