// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/summary.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "observe/sample_slices.hpp"
#include "petal/observe/quantity_text.hpp"
#include "petal/observe/summary_collector.hpp"
#include "petal/observe/summary_json.hpp"
#include "petal/observe/summary_text.hpp"

namespace {

using namespace petal;
using petal::test::load_64_bytes;
using petal::test::slice_of;

Picoseconds ps(std::int64_t time) {
  return Picoseconds(time);
}

StageEvent stage(PeIndex pe, StageKind kind, std::int64_t start, std::int64_t busy_end, std::int64_t end) {
  StageEvent event;
  event.pe = pe;
  event.kind = kind;
  event.op = "gemm";
  event.start = ps(start);
  event.busy_end = ps(busy_end);
  event.end = ps(end);
  return event;
}

/// Two PEs. pe0 dispatches two loads around 100 cycles of its own and finishes at 1000; pe1 does one load,
/// finishes at 1500. The run ends at 1600.
SummaryCollector two_pes() {
  SummaryCollector collector({"left", "right"});
  const CommandSlice load = slice_of(load_64_bytes(), 1);
  OverheadCmd cycles;
  cycles.cycles = 100;
  const CommandSlice overhead = slice_of(cycles, kNoCompletion);
  const auto enter = [&](PeIndex pe, CpuState state, std::int64_t at) {
    collector.on_cpu_state({pe, state, ps(at)});
  };
  enter(0, CpuState::dispatching, 0);
  collector.on_dispatch({0, load, Cycles(41.5), ps(0), ps(200)});
  enter(0, CpuState::overhead, 200);
  collector.on_dispatch({0, overhead, Cycles(100), ps(200), ps(300)});
  enter(0, CpuState::dispatching, 300);
  collector.on_dispatch({0, load, Cycles(41.5), ps(300), ps(450)});
  enter(0, CpuState::queue_full, 450);
  enter(0, CpuState::waiting, 500);
  enter(1, CpuState::dispatching, 100);
  collector.on_dispatch({1, load, Cycles(41.5), ps(100), ps(300)});
  enter(1, CpuState::waiting, 300);

  StageEvent read = stage(0, StageKind::dma_read, 500, 600, 700);
  read.bytes = 64;
  collector.on_stage(read);
  read.pe = 1;
  collector.on_stage(read);
  StageEvent gemm = stage(0, StageKind::gemm, 700, 900, 900);
  gemm.macs = 4096;
  collector.on_stage(gemm);
  StageEvent write = stage(1, StageKind::dma_write, 1000, 1010, 1110);
  write.bytes = 32;
  collector.on_stage(write);
  collector.on_hazard_wait({0, load, HeadWait::hazard, {1}, ps(500), ps(560)});
  collector.on_hazard_wait({0, load, HeadWait::window, {1}, ps(600), ps(605)});
  collector.on_queue_level({0, 48, 2, ps(450)});
  collector.on_queue_level({0, 24, 1, ps(500)});

  CriticalPath left;
  left.add(PathCause::dispatch, ps(1000));
  CriticalPath right;
  right.add(PathCause::dma_latency, ps(900));
  right.add(PathCause::gemm, ps(600));
  collector.on_finish({1, ps(1500), right});
  collector.on_finish({0, ps(1000), left});
  return collector;
}

RunFacts facts() {
  RunFacts facts;
  facts.kernel = "gqa_decode_opt2";
  facts.tiles = 2;
  facts.end = ps(1600);
  facts.config_json = "{\"kernel\":\"gqa_decode_opt2\"}";
  facts.version = "1.2.3";
  facts.staging_bytes = {4096, 8192};
  return facts;
}

std::int64_t cpu_sum(const Totals& totals) {
  std::int64_t sum = 0;
  for (const Picoseconds part : totals.cpu) sum += part.count();
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(summary)

BOOST_AUTO_TEST_CASE(cpu_states_add_up_to_the_run_on_every_pe) {
  const Summary found = two_pes().summary(facts());
  const Totals& left = found.pes[0].totals;
  BOOST_TEST(left.cpu_time(CpuState::dispatching).count() == 350);  // 200 + 150
  BOOST_TEST(left.cpu_time(CpuState::overhead).count() == 100);
  BOOST_TEST(left.cpu_time(CpuState::queue_full).count() == 50);
  BOOST_TEST(left.cpu_time(CpuState::waiting).count() == 500);  // 500 .. 1000
  BOOST_TEST(left.cpu_time(CpuState::idle).count() == 600);     // 1000 .. 1600
  const Totals& right = found.pes[1].totals;
  BOOST_TEST(right.cpu_time(CpuState::dispatching).count() == 200);
  BOOST_TEST(right.cpu_time(CpuState::waiting).count() == 1200);  // 300 .. 1500
  BOOST_TEST(right.cpu_time(CpuState::idle).count() == 200);      // 0 .. 100 and 1500 .. 1600
  for (const PeSummary& pe : found.pes) {
    BOOST_TEST(pe.time.count() == 1600);
    BOOST_TEST(cpu_sum(pe.totals) == 1600);
  }
  BOOST_TEST(cpu_sum(found.total) == 3200);
}

BOOST_AUTO_TEST_CASE(a_pe_that_does_nothing_is_idle_throughout) {
  const Summary found = SummaryCollector({"pe0"}).summary(facts());
  BOOST_TEST(found.pes[0].totals.cpu_time(CpuState::idle).count() == 1600);
  BOOST_TEST(!found.pes[0].finished);
}

BOOST_AUTO_TEST_CASE(overhead_commands_are_not_dispatch) {
  const Summary found = two_pes().summary(facts());
  const DispatchTotals& left = found.pes[0].totals.dispatch;
  BOOST_TEST(left.commands == 2U);
  BOOST_TEST(left.logical_bytes.count() == 48U);  // 2 x 24
  BOOST_TEST(left.cycles.count() == 83.0);        // 2 x 41.5
  BOOST_TEST(found.total.dispatch.commands == 3U);
  BOOST_TEST(found.total.dispatch.cycles.count() == 124.5);
}

BOOST_AUTO_TEST_CASE(an_engine_is_busy_until_its_port_is_free_not_until_the_memory_answered) {
  const Summary found = two_pes().summary(facts());
  BOOST_TEST(found.pes[0].totals.engine(EnginePort::dma_read).busy.count() == 100);
  BOOST_TEST(found.pes[0].totals.engine(EnginePort::gemm).busy.count() == 200);
  BOOST_TEST(found.total.engine(EnginePort::dma_read).busy.count() == 200);
  BOOST_TEST(found.total.engine(EnginePort::dma_read).stages == 2U);
  BOOST_TEST(found.total.dma_read.count() == 128U);
  BOOST_TEST(found.total.dma_write.count() == 32U);
  BOOST_TEST(found.total.macs == 4096U);
  BOOST_TEST(found.total.hazard_wait().count() == 65);  // 60 + 5
  BOOST_TEST(found.total.staging_bytes == 12288U);
  BOOST_TEST(found.pes[0].peak_queue_bytes == 48U);
  BOOST_TEST(found.pes[0].peak_queue_entries == 2U);
}

BOOST_AUTO_TEST_CASE(the_critical_path_is_that_of_the_pe_that_finished_last) {
  const Summary found = two_pes().summary(facts());
  BOOST_REQUIRE(found.critical_pe.has_value());
  BOOST_TEST(*found.critical_pe == 1U);
  BOOST_TEST(found.critical_path.spent(PathCause::dma_latency).count() == 900);
  // gemm's 600 is dependency: the right PE's GEMM port did nothing.
  BOOST_TEST(found.verdict.share(Bound::memory_latency) == 0.6);
  BOOST_TEST(found.verdict.share(Bound::dependency) == 0.4);
}

BOOST_AUTO_TEST_CASE(per_tile_numbers_are_the_steady_state_where_it_is_known) {
  RunFacts known = facts();
  BOOST_TEST(two_pes().summary(known).per_tile()->commands == 1.5);  // 3 commands over 2 tiles
  known.steady_state = PerTile{2, 380, 103.75};
  const Summary found = two_pes().summary(known);
  BOOST_TEST(found.per_tile()->cycles == 103.75);
  BOOST_TEST(found.mean_per_tile()->logical_bytes == 36.0);  // 72 / 2
  known.steady_state.reset();
  known.tiles = 0;
  BOOST_TEST(!two_pes().summary(known).per_tile());
}

BOOST_AUTO_TEST_CASE(json_has_the_keys_of_schema_1) {
  const nlohmann::ordered_json json = summary_json(two_pes().summary(facts()));
  BOOST_TEST(json.at("schema") == 1);
  BOOST_TEST(json.at("time_ps") == 1600);
  BOOST_TEST(json.at("kernel") == "gqa_decode_opt2");
  BOOST_TEST(json.at("tiles") == 2);
  BOOST_TEST(json.at("verdict") == "memory-latency-bound");
  BOOST_TEST(json.at("version") == "1.2.3");
  BOOST_TEST(json.at("config").at("kernel") == "gqa_decode_opt2");
  BOOST_TEST(json.at("note") == kProvisionalNote);
  BOOST_TEST(json.at("critical_pe") == "right");
  BOOST_TEST(json.at("critical_path").at("dma_latency") == 900);
  BOOST_TEST(json.at("dispatch_per_tile").at("commands") == 1.5);
  const auto& left = json.at("pes").at(0);
  BOOST_TEST(left.at("name") == "left");
  BOOST_TEST(left.at("time_ps") == 1600);
  BOOST_TEST(left.at("finished_ps") == 1000);
  BOOST_TEST(left.at("dispatch").at("commands") == 2);
  BOOST_TEST(left.at("dispatch").at("logical_bytes") == 48);
  BOOST_TEST(left.at("dispatch").at("cycles") == 83.0);
  BOOST_TEST(left.at("cpu").at("queue_full_ps") == 50);
  BOOST_TEST(left.at("engines").at("gemm").at("busy_ps") == 200);
  BOOST_TEST(left.at("engines").at("fetch").at("stages") == 0);
  BOOST_TEST(left.at("dma").at("read_bytes") == 64);
  BOOST_TEST(left.at("macs") == 4096);
  BOOST_TEST(left.at("hazard_wait_ps") == 65);
  BOOST_TEST(json.at("total").at("dispatch").at("logical_bytes") == 72);
  BOOST_TEST(json.at("total").at("cpu").at("dispatching_ps") == 550);
}

BOOST_AUTO_TEST_CASE(a_config_that_is_not_json_is_refused) {
  RunFacts bad = facts();
  bad.config_json = "{";
  BOOST_CHECK_THROW(summary_json(two_pes().summary(bad)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(text_gives_times_shares_and_the_verdict) {
  const std::string text = summary_text(two_pes().summary(facts()));
  const auto says = [&](const char* part) { return text.find(part) != std::string::npos; };
  BOOST_TEST(says("time               1.600 ns  (1,600 ps)\n"));
  BOOST_TEST(says("memory-latency-bound: 60.0 % of the critical path is the memory's latency"));
  // 550 of 2 x 1600 ps = 17.2 %
  BOOST_TEST(says("  dispatching                550 ps   17.2 %\n"));
  BOOST_TEST(says("  DMA read                   200 ps    6.2 %          2 stages\n"));
  BOOST_TEST(says("3 commands, 72 bytes, 124.500 cycles"));
  BOOST_TEST(says("1.5 commands, 36 bytes, 62.25 cycles (mean)"));
  BOOST_TEST(says("Absolute latencies are provisional"));
}

BOOST_AUTO_TEST_CASE(numbers_for_people_are_grouped) {
  BOOST_TEST(grouped(std::uint64_t{0}) == "0");
  BOOST_TEST(grouped(std::uint64_t{999}) == "999");
  BOOST_TEST(grouped(std::uint64_t{1234567}) == "1,234,567");
  BOOST_TEST(grouped(1234.5, 2) == "1,234.50");
  BOOST_TEST(grouped(-123.0, 0) == "-123");
  BOOST_TEST(time_text(ps(999)) == "999 ps");
  BOOST_TEST(time_text(ps(36914250)) == "36.914 us");
  BOOST_TEST(time_text(ps(43375)) == "43.375 ns");
  BOOST_TEST(time_text(ps(2500000000000000)) == "2,500.000 s");
}

BOOST_AUTO_TEST_SUITE_END()
