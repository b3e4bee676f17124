// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/op_log.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <stdexcept>

#include "observe/sample_slices.hpp"

namespace {

using namespace petal;
using petal::test::load_64_bytes;
using petal::test::slice_of;

const std::string kHead =
    "# petal op_log 1\n"
    "# version: 1.2.3\n"
    "# config: {\"kernel\":\"gemm\"}\n"
    "seq,pe,event,cmd,op,kind,engine,tile_m,tile_n,tile_k,bytes,elements,start_ps,end_ps,busy_end_ps,op_"
    "index,"
    "segment,logical_bytes,cycles,reads,writes,waits_on,macs\n";

std::string text_of(const OpLog& log) {
  std::ostringstream out;
  log.write(out, {"1.2.3", "{\"kernel\":\"gemm\"}"});
  return out.str();
}

StageEvent gemm_stage(CompletionId command, std::uint64_t number, std::int64_t start, std::int64_t end) {
  StageEvent event;
  event.command = command;
  event.stage = number;
  event.kind = StageKind::gemm;
  event.op = "gemm";
  event.op_index = 8;
  event.has_tile = true;
  event.tile = {1, 2, 3};
  event.macs = 8192;
  event.start = Picoseconds(start);
  event.busy_end = Picoseconds(end);
  event.end = Picoseconds(end);
  return event;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(op_log)

BOOST_AUTO_TEST_CASE(a_log_without_events_is_its_head) {
  BOOST_TEST(text_of(OpLog()) == kHead);
}

BOOST_AUTO_TEST_CASE(a_dispatch_row_has_bytes_cycles_and_hazard_ranges) {
  OpLog log;
  const CommandSlice slice = slice_of(load_64_bytes(), 5);
  // 40 + 24 / 16 = 41.5 cycles
  log.on_dispatch({2, slice, Cycles(41.5), Picoseconds(100), Picoseconds(41600)});
  BOOST_TEST(text_of(log) ==
             kHead +
                 "0,2,dispatch,5,dma_read,DmaReadCmd,,,,,24,,100,41600,,,,24,41.5,hbm:0x1000+64,"
                 "tcm:0x40+64,,\n");
}

BOOST_AUTO_TEST_CASE(an_overhead_row_has_cycles_and_no_logical_bytes) {
  OpLog log;
  OverheadCmd overhead;
  overhead.cycles = 100;
  const CommandSlice slice = slice_of(overhead, kNoCompletion);
  log.on_dispatch({0, slice, Cycles(100), Picoseconds(0), Picoseconds(100000)});
  BOOST_TEST(text_of(log) == kHead + "0,0,dispatch,0,cycles,OverheadCmd,,,,,,,0,100000,,,,,100,,,,\n");
}

BOOST_AUTO_TEST_CASE(cycles_are_printed_as_the_shortest_number_that_reads_back) {
  OpLog log;
  const CommandSlice slice = slice_of(load_64_bytes(), 1);
  log.on_dispatch({0, slice, Cycles(0.1 + 0.2), Picoseconds(0), Picoseconds(300)});
  BOOST_TEST(text_of(log).find(",24,0.30000000000000004,") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(waits_name_what_held_the_slice_and_the_slices_it_waited_for) {
  OpLog log;
  const CommandSlice slice = slice_of(load_64_bytes(), 9);
  const std::vector<CompletionId> waits_on = {6, 8};
  log.on_queue_wait({0, slice, Picoseconds(10), Picoseconds(30)});
  log.on_hazard_wait({0, slice, HeadWait::hazard, waits_on, Picoseconds(30), Picoseconds(70)});
  BOOST_TEST(text_of(log) == kHead +
                                 "0,0,queue_wait,9,dma_read,DmaReadCmd,,,,,,,10,30,,,,,,,,,\n"
                                 "1,0,hazard_wait,9,hazard,DmaReadCmd,,,,,,,30,70,,,,,,,,6;8,\n");
}

BOOST_AUTO_TEST_CASE(a_stage_row_has_engine_tile_and_ranges) {
  OpLog log;
  StageEvent dma;
  dma.command = 4;
  dma.kind = StageKind::dma_read;
  dma.op = "gemm";
  dma.has_tile = true;
  dma.bytes = 4096;
  dma.reads[0] = {Space::hbm, 0x2000, 0x3000};
  dma.read_count = 1;
  dma.writes[0] = {Space::tcm, 0x100000, 0x101000};
  dma.write_count = 1;
  dma.start = Picoseconds(1000);
  dma.busy_end = Picoseconds(17000);
  dma.end = Picoseconds(117000);
  log.on_stage(dma);
  StageEvent gemm = gemm_stage(4, 1, 120000, 122000);
  gemm.segment = 1;
  gemm.segments = 3;
  log.on_stage(gemm);
  StageEvent math;
  math.command = 4;
  math.stage = 2;
  math.kind = StageKind::math;
  math.op = "exp_diff";
  math.elements = 256;
  math.op_index = 3;
  math.start = Picoseconds(130000);
  math.busy_end = math.end = Picoseconds(150000);
  log.on_stage(math);
  BOOST_TEST(text_of(log) ==
             kHead +
                 "0,0,stage,4,gemm,DMA_READ,dma_read,0,0,0,4096,0,1000,117000,17000,0,,,,hbm:0x2000+4096,"
                 "tcm:0x100000+4096,,0\n"
                 "1,0,stage,4,gemm,GEMM,gemm,1,2,3,0,0,120000,122000,122000,8,2/3,,,,,,8192\n"
                 "2,0,stage,4,exp_diff,MATH,math,,,,0,256,130000,150000,150000,3,,,,,,,0\n");
}

BOOST_AUTO_TEST_CASE(completion_is_an_instant) {
  OpLog log;
  CommandSlice slice = slice_of(load_64_bytes(), 3);
  slice.segment = 0;
  slice.segments = 2;
  log.on_complete({0, slice, Picoseconds(50), Picoseconds(80), CriticalPath()});
  BOOST_TEST(text_of(log) == kHead + "0,0,complete,3,dma_read,DmaReadCmd,,,,,,,80,80,,,1/2,,,,,,\n");
}

BOOST_AUTO_TEST_CASE(rows_are_sorted_by_start_pe_event_command_and_stage) {
  OpLog log;
  const CommandSlice first = slice_of(load_64_bytes(), 1);
  const CommandSlice second = slice_of(load_64_bytes(), 2);
  const auto at = [](std::int64_t time) { return Picoseconds(time); };
  // Reported in the reverse of what must come out.
  log.on_stage(gemm_stage(2, 0, 500, 600));
  log.on_dispatch({1, second, Cycles(1), at(100), at(200)});
  log.on_complete({0, first, at(0), at(100), CriticalPath()});
  log.on_stage(gemm_stage(2, 1, 100, 200));
  log.on_stage(gemm_stage(1, 7, 100, 200));
  log.on_stage(gemm_stage(1, 6, 100, 200));
  log.on_hazard_wait({0, second, HeadWait::window, {1}, at(100), at(100)});
  log.on_queue_wait({0, second, at(100), at(100)});
  log.on_dispatch({0, second, Cycles(1), at(100), at(200)});
  log.on_dispatch({1, first, Cycles(1), at(0), at(100)});
  std::istringstream rows(text_of(log).substr(kHead.size()));
  std::vector<std::string> starts;
  for (std::string row; std::getline(rows, row);) starts.push_back(row.substr(0, row.find(",gemm")));
  const std::vector<std::string> expected = {
      "0,1,dispatch,1,", "1,0,dispatch,2,", "2,0,queue_wait,2,", "3,0,hazard_wait,2,", "4,0,stage,1",
      "5,0,stage,1",     "6,0,stage,2",     "7,0,complete,1,",   "8,1,dispatch,2,",    "9,0,stage,2"};
  BOOST_REQUIRE(starts.size() == expected.size());
  for (std::size_t index = 0; index < expected.size(); ++index)
    BOOST_TEST(starts[index].substr(0, expected[index].size()) == expected[index]);
}

BOOST_AUTO_TEST_CASE(stages_of_one_command_at_one_instant_keep_plan_order) {
  OpLog log;
  StageEvent later = gemm_stage(1, 7, 100, 100);
  later.tile = {0, 0, 7};
  StageEvent earlier = gemm_stage(1, 6, 100, 100);
  earlier.tile = {0, 0, 6};
  log.on_stage(later);
  log.on_stage(earlier);
  const std::string text = text_of(log);
  BOOST_TEST(text.find(",0,0,6,") < text.find(",0,0,7,"));
}

BOOST_AUTO_TEST_CASE(a_config_of_two_lines_is_refused) {
  std::ostringstream out;
  BOOST_CHECK_THROW(OpLog().write(out, {"1", "{\n}"}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
