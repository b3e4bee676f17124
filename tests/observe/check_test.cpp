// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <random>
#include <sstream>
#include <string>

#include "observe/sample_log.hpp"
#include "petal/check/check_report.hpp"

namespace {

using namespace petal;
using petal::test::k_tile_log;
using petal::test::SampleLog;
using petal::test::systolic_log;
using petal::test::two_pe_log;

CheckReport report_of(const std::string& text) {
  std::istringstream in(text);
  return check_op_log(in);
}

CheckReport report_of(const SampleLog& log) {
  return report_of(log.text());
}

/// The log must violate `rule` and no other.
void violates_only(const SampleLog& log, const std::string& rule) {
  const CheckReport report = report_of(log);
  BOOST_TEST(report.by_rule.count(rule) == 1U, report_text(report));
  BOOST_TEST(report.by_rule.size() == 1U, report_text(report));
}

/// The log must violate `rule`, whatever follows from that.
void violates(const SampleLog& log, const std::string& rule) {
  const CheckReport report = report_of(log);
  BOOST_TEST(report.by_rule.count(rule) == 1U, report_text(report));
}

/// One of the violations of `rule` must cite that row.
void cites(const SampleLog& log, const std::string& rule, const std::string& label) {
  const CheckReport report = report_of(log);
  const std::uint64_t seq = std::stoull(log.seq_of(label));
  const bool found =
      std::any_of(report.listed.begin(), report.listed.end(), [&](const CheckViolation& violation) {
        return violation.rule == rule && std::count(violation.rows.begin(), violation.rows.end(), seq) != 0;
      });
  BOOST_TEST(found, report_text(report));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(check)

BOOST_AUTO_TEST_CASE(right_logs_have_no_violations) {
  for (const SampleLog& log : {two_pe_log(), k_tile_log(), systolic_log()}) {
    const CheckReport report = report_of(log);
    BOOST_TEST(report.ok(), report_text(report));
  }
  const CheckReport report = report_of(two_pe_log());
  BOOST_TEST(report.rows == 50U);
  BOOST_TEST(report.commands == 8U);
  BOOST_TEST(report.pes == 2U);
  BOOST_TEST(report_text(report) == "50 rows, 8 commands, 2 PEs: no violations\n");
}

BOOST_AUTO_TEST_CASE(pes_may_be_a_list_of_their_own) {
  SampleLog log = two_pe_log();
  log.configure("pes", R"([{"name":"left"},{"name":"right","compute_slot":"shared"}])");
  BOOST_TEST(report_of(log).ok());
}

// --- format ---

BOOST_AUTO_TEST_CASE(format_of_the_head) {
  const std::string good = two_pe_log().text();
  const auto without = [&](const std::string& part, const std::string& instead) {
    std::string text = good;
    text.replace(text.find(part), part.size(), instead);
    return report_of(text).by_rule.count("format");
  };
  BOOST_TEST(without("# petal op_log 1\n", "") == 1U);
  BOOST_TEST(without("# version: test\n", "") == 1U);
  BOOST_TEST(without("seq,pe,event", "seq,event,pe") == 1U);
  BOOST_TEST(report_of("").by_rule.count("format") == 1U);
}

BOOST_AUTO_TEST_CASE(format_of_the_fields) {
  const struct {
    const char *label, *column, *value;
  } kCases[] = {{"load", "event", "dispatched"},
                {"load", "cmd", "one"},
                {"load", "cmd", "-1"},
                {"load", "op", ""},
                {"load", "kind", "LoadCmd"},
                {"load", "engine", "dma_read"},
                {"load", "end_ps", "-5"},
                {"load.dma", "end_ps", "41499"},
                {"load.dma", "kind", "READ"},
                {"load.dma", "engine", "fetch"},
                {"load.dma", "busy_end_ps", "41499"},
                {"load.dma", "bytes", ""},
                {"load.dma", "tile_m", "0"},
                {"load", "cycles", "nan"},
                {"load", "logical_bytes", "25"},
                {"load", "reads", "hbm:0+8192"},
                {"load", "reads", "l2:0x0+8192"},
                {"load", "reads", "hbm:0x0+0"},
                {"load", "writes", "tcm:0xffffffffffffffff+2"},
                {"seg1", "segment", "0/2"},
                {"seg1", "segment", "3/2"},
                {"gemm.wait", "op", "boredom"},
                {"gemm.wait", "waits_on", "1;"},
                {"load.done", "end_ps", "173501"},
                {"load.dma", "macs", "1e3"},
                {"cycles", "logical_bytes", "8"},
                {"load", "start_ps", "0x10"}};
  for (const auto& one : kCases) {
    SampleLog log = two_pe_log();
    const std::string before = log.get(one.label, one.column);
    std::string text = log.text();
    // start_ps is what rows are sorted by, so the text is changed and not the sample.
    if (std::string(one.column) == "start_ps") {
      text.replace(text.find(",0,41500,"), 9, ",0x10,41500,");
    } else {
      log.set(one.label, one.column, one.value);
      text = log.text();
    }
    BOOST_TEST(report_of(text).by_rule.count("format") == 1U,
               one.label << " " << one.column << " " << one.value);
  }
}

BOOST_AUTO_TEST_CASE(format_of_the_rows) {
  const std::string good = two_pe_log().text();
  BOOST_TEST(report_of(good + "a,b,c\n").by_rule.count("format") == 1U);
  std::string renumbered = good;
  renumbered.replace(renumbered.find("\n3,"), 3, "\n4,");
  BOOST_TEST(report_of(renumbered).by_rule.count("format") == 1U);
  const std::size_t second = good.find("\n1,") + 1;
  const std::size_t third = good.find("\n2,") + 1;
  const std::size_t fourth = good.find("\n3,") + 1;
  std::string swapped = good.substr(0, second) + "1" + good.substr(third + 1, fourth - third - 1) + "2" +
                        good.substr(second + 1, third - second - 1) + good.substr(fourth);
  const CheckReport report = report_of(swapped);
  BOOST_TEST(report.by_rule.count("format") == 1U);
  BOOST_TEST(report_text(report).find("sorted") != std::string::npos);
}

// --- config ---

BOOST_AUTO_TEST_CASE(config_must_be_there_and_complete) {
  SampleLog log = two_pe_log();
  log.set_config("{");
  violates_only(log, "config");
  log.set_config("{\"platform\":3}");
  violates_only(log, "config");
  log = two_pe_log();
  log.configure("pes", "1");
  violates_only(log, "config");
  log = two_pe_log();
  log.configure("lanes", "\"many\"");
  violates_only(log, "config");
  log = two_pe_log();
  log.configure("clock_freq_ghz", "0");
  violates_only(log, "config");
  std::string text = two_pe_log().text();
  const std::size_t line = text.find("# config:");
  text.erase(line, text.find('\n', line) + 1 - line);
  BOOST_TEST(report_of(text).by_rule.count("config") == 1U);
}

// --- the CPU ---

BOOST_AUTO_TEST_CASE(dispatch_costs_fixed_plus_bytes_times_r) {
  SampleLog log = two_pe_log();
  log.set("load", "cycles", "41.5000001");  // 2.4e-9 of 41.5; rounds to the same 41500 ps
  violates_only(log, "dispatch");
  cites(log, "dispatch", "load");
}

BOOST_AUTO_TEST_CASE(dispatch_takes_its_cycles_at_the_clock) {
  SampleLog log = two_pe_log();
  log.set("fill", "end_ps", "92562");  // 41062.5 ps round up
  violates_only(log, "dispatch");
  log = two_pe_log();
  log.set("cycles", "cycles", "10.5");
  violates_only(log, "dispatch");
}

BOOST_AUTO_TEST_CASE(no_slice_of_a_composite_exceeds_the_cap) {
  SampleLog log = two_pe_log();
  log.configure("max_composite_logical_bytes", "81");  // the load's and fills' 109 bytes are no composites
  violates_only(log, "cap");
  cites(log, "cap", "gemm");
}

BOOST_AUTO_TEST_CASE(the_cpu_does_one_thing_at_a_time) {
  SampleLog log = two_pe_log();
  log.shift("fill", -1000);
  violates_only(log, "cpu-serial");
  cites(log, "cpu-serial", "cycles");
}

BOOST_AUTO_TEST_CASE(a_queue_wait_follows_its_dispatch) {
  SampleLog log = two_pe_log();
  log.set("last.queue", "start_ps", "312002");
  violates_only(log, "cpu-serial");
}

// --- the queue ---

BOOST_AUTO_TEST_CASE(ids_rise) {
  SampleLog log = two_pe_log();
  for (const char* const label : {"write", "write.wait", "write.dma", "write.done"})
    log.set(label, "cmd", "9");
  violates_only(log, "order");
  cites(log, "order", "last");
}

BOOST_AUTO_TEST_CASE(an_id_is_dispatched_once) {
  SampleLog log = two_pe_log();
  log.set("last", "cmd", "6");
  violates(log, "order");
}

BOOST_AUTO_TEST_CASE(no_stage_before_its_command_is_taken) {
  SampleLog log = two_pe_log();
  log.shift("last.math", -100);
  violates_only(log, "order");
  cites(log, "order", "last.math");
}

BOOST_AUTO_TEST_CASE(no_stage_before_its_command_is_planned) {
  SampleLog log = two_pe_log();
  log.configure("plan_cycles_per_op", "1");
  violates(log, "order");
  cites(log, "order", "fill.math");
}

BOOST_AUTO_TEST_CASE(a_head_wait_begins_at_the_head) {
  SampleLog log = two_pe_log();
  log.set("write.wait", "start_ps", "265187");
  violates_only(log, "order");
}

BOOST_AUTO_TEST_CASE(a_head_wait_ends_with_a_completion) {
  SampleLog log = two_pe_log();
  log.set("write.wait", "end_ps", "365501");
  violates(log, "order");
  cites(log, "order", "write.wait");
}

BOOST_AUTO_TEST_CASE(a_head_wait_is_for_an_earlier_command_until_it_completes) {
  SampleLog log = two_pe_log();
  log.set("write.wait", "waits_on", "7");
  violates_only(log, "order");
  log.set("write.wait", "waits_on", "99");
  violates_only(log, "order");
  log = two_pe_log();
  log.set("gemm.wait", "waits_on", "1;2");
  BOOST_TEST(report_of(log).ok());
  for (const char* const label : {"fill.math", "fill.store", "fill.done"})
    log.shift(label, 77437);  // done at 175500
  violates(log, "order");
  cites(log, "order", "gemm.wait");
}

BOOST_AUTO_TEST_CASE(pushed_bytes_fit_the_queue) {
  SampleLog log = two_pe_log();
  log.remove("last.queue");  // then pushed at 312001 onto command 6's 24 bytes: 133 of 128
  violates_only(log, "queue-capacity");
  cites(log, "queue-capacity", "last");
  log = two_pe_log();
  log.configure("queue_bytes", "108");  // command 7 alone has 109
  violates_only(log, "queue-capacity");
}

BOOST_AUTO_TEST_CASE(commands_in_flight_fit_the_window) {
  SampleLog log = two_pe_log();
  log.configure("max_in_flight", "1");
  violates_only(log, "window");
  cites(log, "window", "fill");
}

// --- engines ---

BOOST_AUTO_TEST_CASE(a_port_executes_one_stage_at_a_time) {
  SampleLog log = two_pe_log();
  log.shift("gemm.dma1", -100);  // at 189400, the channel is free at 189500
  violates_only(log, "engine-exclusive");
  cites(log, "engine-exclusive", "gemm.dma0");
}

BOOST_AUTO_TEST_CASE(gemm_and_math_exclude_each_other_in_a_shared_slot) {
  SampleLog log = two_pe_log();
  log.shift("seg2.math", 75812);  // 300000 .. 305000, during the first GEMM
  log.shift("seg2.store", 75812);
  log.shift("seg2.done", 75812);
  BOOST_TEST(report_of(log).ok(), report_text(report_of(log)));
  log.configure("compute_slot", "\"shared\"");
  violates_only(log, "engine-exclusive");
}

BOOST_AUTO_TEST_CASE(transfers_in_flight_are_bounded) {
  SampleLog log = two_pe_log();
  log.configure("outstanding", "1");
  violates_only(log, "dma-outstanding");
  cites(log, "dma-outstanding", "gemm.dma1");
}

// --- hazards ---

BOOST_AUTO_TEST_CASE(hazard_read_after_write) {
  SampleLog log = two_pe_log();
  log.remove("write.wait");  // then taken at 265188, while command 3 writes what it reads
  violates_only(log, "hazard");
  cites(log, "hazard", "gemm");
}

BOOST_AUTO_TEST_CASE(hazard_write_after_read) {
  SampleLog log = two_pe_log();
  log.set("last", "writes", "tcm:0x4f00+256");  // command 6 reads it and runs
  log.set("last.store", "writes", "tcm:0x4f00+256");
  violates_only(log, "hazard");
  BOOST_TEST(report_text(report_of(log)).find("WAR") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(hazard_write_after_write) {
  SampleLog log = two_pe_log();
  log.set("last", "writes", "hbm:0x20fff+1");
  log.set("last.store", "writes", "hbm:0x20fff+1");
  violates_only(log, "hazard");
  BOOST_TEST(report_text(report_of(log)).find("WAW") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(ranges_that_touch_do_not_conflict) {
  SampleLog log = two_pe_log();
  log.set("last", "writes", "hbm:0x21000+16");
  log.set("last.store", "writes", "hbm:0x21000+16");
  BOOST_TEST(report_of(log).ok(), report_text(report_of(log)));
}

BOOST_AUTO_TEST_CASE(hazard_of_what_stages_touch_beyond_what_was_declared) {
  SampleLog log = two_pe_log();
  log.set("last.store", "writes", "tcm:0x4000+256");
  violates(log, "hazard");
  violates(log, "ranges");
}

BOOST_AUTO_TEST_CASE(a_composite_with_a_hazard_waits_for_all_earlier_commands) {
  SampleLog log = two_pe_log();
  for (const char* const label : {"fill.math", "fill.store", "fill.done"})
    log.shift(label, 77437);  // done at 175500
  violates_only(log, "hazard");
  cites(log, "hazard", "fill");
}

BOOST_AUTO_TEST_CASE(stages_stay_within_the_declared_ranges) {
  SampleLog log = two_pe_log();
  log.set("gemm.store", "writes", "tcm:0x6000+4096");
  violates_only(log, "ranges");
  log = two_pe_log();
  log.set("gemm.a1", "reads", "tcm:0x1000+4097");
  violates_only(log, "ranges");
}

// --- completion ---

BOOST_AUTO_TEST_CASE(a_command_completes_once_when_its_last_stage_ends) {
  SampleLog log = two_pe_log();
  log.remove("write.done");
  violates_only(log, "completion");
  cites(log, "completion", "write");
  log = two_pe_log();
  log.duplicate("write.done");
  violates_only(log, "completion");
  log = two_pe_log();
  log.shift("write.done", 1);
  violates_only(log, "completion");
  log = two_pe_log();
  for (const char* const label : {"last", "last.queue"}) log.remove(label);
  violates(log, "completion");
}

BOOST_AUTO_TEST_CASE(a_command_without_stages_completes_when_it_is_taken) {
  SampleLog log = two_pe_log();
  log.remove("last.math");
  log.remove("last.store");
  log.shift("last.done", 365500 - 371000);
  BOOST_TEST(report_of(log).ok(), report_text(report_of(log)));
  log.shift("last.done", 1);
  violates_only(log, "completion");
}

BOOST_AUTO_TEST_CASE(segments_are_consecutive) {
  SampleLog log = two_pe_log();
  log.set("seg1", "segment", "");
  violates_only(log, "segment-chain");
  log = two_pe_log();
  log.set("seg2", "segment", "");
  violates_only(log, "segment-chain");
  log = two_pe_log();
  log.set("last", "segment", "1/2");
  violates_only(log, "segment-chain");
}

BOOST_AUTO_TEST_CASE(a_segment_is_taken_after_the_one_before_completed) {
  SampleLog log = two_pe_log();
  for (const char* const label : {"seg1.fetch", "seg1.math", "seg1.store", "seg1.done"})
    log.shift(label, 40000);
  violates(log, "segment-chain");
  cites(log, "segment-chain", "seg2");
}

// --- within a command ---

BOOST_AUTO_TEST_CASE(stages_of_an_op_go_in_order) {
  const struct {
    const char* label;
    long long by;
    const char* problem;
  } kCases[] = {{"seg1.math", -1, "MATH needs its FETCH"},
                {"seg1.store", -1, "STORE needs the MATH"},
                {"other.a", -1, "a FETCH needs the data of its DMA_READ"},
                {"other.b", -1, "a FETCH needs the data of its DMA_READ"},
                {"gemm.b0", -1, "a FETCH needs the data of its DMA_READ"},
                {"other.gemm", -1, "GEMM needs its FETCHes"},
                {"other.store", -1, "STORE follows the last K step's GEMM"},
                {"other.write", -1, "DMA_WRITE needs the STORE"},
                {"gemm.add", -1, "MATH needs its FETCH"},
                {"gemm.store", -1, "STORE follows the ops of its tile"}};
  for (const auto& one : kCases) {
    SampleLog log = two_pe_log();
    log.shift(one.label, one.by);
    cites(log, "stage-order", one.label);
    BOOST_TEST(report_text(report_of(log)).find(one.problem) != std::string::npos, one.label);
  }
}

BOOST_AUTO_TEST_CASE(an_output_tile_op_follows_the_last_gemm) {
  SampleLog log = two_pe_log();
  log.shift("gemm.add", -10000);
  BOOST_TEST(report_text(report_of(log)).find("an OUTPUT_TILE op follows") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(ops_run_one_after_another) {
  SampleLog log = two_pe_log();
  log.set("seg2.math", "op_index", "2");
  log.set("seg2.store", "op_index", "2");
  BOOST_TEST(report_of(log).ok(), report_text(report_of(log)));
  log.set("seg2.math", "op_index", "0");  // now what runs after the FETCH belongs to the op before it
  cites(log, "stage-order", "seg2.fetch");
}

BOOST_AUTO_TEST_CASE(gemms_go_in_tile_order_each_once) {
  SampleLog log = k_tile_log();
  log.set("m0k0.gemm", "tile_k", "1");
  log.set("m0k1.gemm", "tile_k", "0");
  BOOST_TEST(report_text(report_of(log)).find("GEMMs go in tile order") != std::string::npos);
  log = k_tile_log();
  log.remove("m1k1.gemm");
  BOOST_TEST(report_text(report_of(log)).find("has 0 GEMM stages") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_k_tile_op_stands_between_its_gemm_and_the_next) {
  SampleLog log = k_tile_log();
  log.shift("m0k1.relu", -1);
  BOOST_TEST(report_text(report_of(log)).find("a K_TILE op follows") != std::string::npos);
  log = k_tile_log();
  log.shift("m0k1.relu", 2001);  // into the next GEMM, which starts 2000 ps after it
  BOOST_TEST(report_text(report_of(log)).find("the next K step's GEMM follows") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(fetches_are_at_most_one_step_ahead) {
  SampleLog log = k_tile_log();
  // Step 1's may run during GEMM 0; step 2's may not start before GEMM 0 has ended at 47500.
  log.shift("m0k2.a", 44500 + 2999 - std::stoll(log.get("m0k2.a", "start_ps")));
  BOOST_TEST(report_text(report_of(log)).find("FETCHes are at most one step ahead") != std::string::npos);
  log.shift("m0k2.a", 1);
  BOOST_TEST(report_text(report_of(log)).find("FETCHes are at most one step ahead") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_out_tile_is_stored_once) {
  SampleLog log = k_tile_log();
  log.duplicate("m0.store");
  violates(log, "stage-order");
}

BOOST_AUTO_TEST_CASE(slots_in_use_are_bounded) {
  SampleLog log = two_pe_log();
  log.configure("tile_buffers", "1");  // the second step's DMA_READ starts before the first one's FETCH ended
  violates_only(log, "staging");
  cites(log, "staging", "gemm.dma1");
  log = k_tile_log();
  log.configure("tile_buffers", "1");  // the second STORE comes while the first DMA_WRITE runs
  violates_only(log, "staging");
  cites(log, "staging", "m1.store");
}

// --- durations ---

BOOST_AUTO_TEST_CASE(each_engine_takes_what_its_formula_says) {
  for (const char* const label : {"gemm.a0", "gemm.gemm1", "last.math", "last.store", "write.dma"}) {
    SampleLog log = two_pe_log();
    const auto later = [&](const char* column) {
      log.set(label, column, std::to_string(std::stoll(log.get(label, column)) + 2));
    };
    later("end_ps");
    if (std::string(label) != "write.dma") later("busy_end_ps");
    cites(log, "duration", label);
  }
}

BOOST_AUTO_TEST_CASE(a_transfer_is_no_faster_than_all_channels) {
  SampleLog log = two_pe_log();
  log.set("write.dma", "busy_end_ps", "381498");
  log.set("write.dma", "end_ps", "481498");
  log.set("write.done", "start_ps", "481498");
  log.set("write.done", "end_ps", "481498");
  violates_only(log, "duration");
}

// The memory behind bursts is somebody else's: only the set-up is the PE's.
BOOST_AUTO_TEST_CASE(bursts_take_what_their_memory_takes) {
  SampleLog log = two_pe_log();
  log.configure("interface", R"("bursts")");
  log.configure("latency_ns", "90");
  log.configure("channels", "1");
  BOOST_TEST(report_of(log).ok(), report_text(report_of(log)));
  log.set("write.dma", "busy_end_ps", log.get("write.dma", "start_ps"));
  BOOST_TEST(report_of(log).ok(), report_text(report_of(log)));
  log.configure("interface", R"("closed_form")");
  violates_only(log, "duration");
}

BOOST_AUTO_TEST_CASE(every_parameter_of_a_duration_counts) {
  const struct {
    const char *key, *value;
  } kCases[] = {{"read_gb_per_s", "500"},
                {"write_gb_per_s", "500"},
                {"macs_per_cycle_f16", "4000"},
                {"lanes", "32"},
                {"startup_cycles", "5"},
                {"fast_cycles", "2"},
                {"gb_per_s_per_channel", "16"},
                {"latency_ns", "90"},
                {"channels", "4"}};
  for (const auto& one : kCases) {
    SampleLog log = two_pe_log();
    log.configure(one.key, one.value);
    violates_only(log, "duration");
  }
}

BOOST_AUTO_TEST_CASE(exp_like_ops_are_slow) {
  SampleLog log = two_pe_log();
  for (const char* const label : {"last.math", "last.store"}) log.set(label, "op", "exp_diff");
  violates_only(log, "duration");
  log.configure("slow_cycles", "1");
  BOOST_TEST(report_of(log).ok());
}

BOOST_AUTO_TEST_CASE(a_systolic_gemm_takes_its_folds) {
  for (const char* const label : {"m0k0.gemm", "m1k2.gemm"}) {
    SampleLog log = systolic_log();
    for (const char* const column : {"end_ps", "busy_end_ps"})
      log.set(label, column, std::to_string(std::stoll(log.get(label, column)) - 2));
    violates_only(log, "duration");
    cites(log, "duration", label);
  }
  SampleLog log = systolic_log();
  log.set("m0k1.gemm", "busy_end_ps", "1");
  violates(log, "format");  // the port is free before the stage begins
}

// Of 16 x 16 x 16, in nanoseconds.
BOOST_AUTO_TEST_CASE(every_parameter_of_an_array_counts) {
  const struct {
    const char *dataflow, *rows, *cols, *preload;
    long long gemm_ps;
  } kCases[] = {
      {"os", "16", "16", "exposed", 46000},   {"os", "8", "16", "exposed", 76000},  // 2 x (16 + 8 + 16 - 2)
      {"os", "16", "4", "exposed", 136000},                                         // 4 x (16 + 16 + 4 - 2)
      {"ws", "8", "4", "exposed", 272000},                                          // 8 x (16 + 16 + 4 - 2)
      {"ws", "8", "4", "overlapped", 216000},  // 8 + 8 x (16 + 8 + 4 - 2)
      {"is", "5", "16", "exposed", 160000},    // 4 x (16 + 10 + 16 - 2)
  };
  for (const auto& one : kCases) {
    const auto log_of = [&](long long gemm_ps) {
      SampleLog log = systolic_log(gemm_ps);
      log.configure("dataflow", "\"" + std::string(one.dataflow) + "\"");
      log.configure("rows", one.rows);
      log.configure("cols", one.cols);
      log.configure("preload", "\"" + std::string(one.preload) + "\"");
      return log;
    };
    BOOST_TEST(report_of(log_of(one.gemm_ps)).ok(), report_text(report_of(log_of(one.gemm_ps))));
    violates_only(log_of(one.gemm_ps + 1000), "duration");
  }
}

// The log says 512 bytes and 4096 MACs: 16 x 16 x 16 of two-byte elements, or 8 x 64 x 8 of one byte, or 32 x
// 4 x 32 of four bytes, and so on. Only the first fits whole tiles of 16 x 16 x 16.
BOOST_AUTO_TEST_CASE(whole_tiles_tell_the_size_of_an_element) {
  violates_only(systolic_log(94000), "duration");  // 8 x 64 x 8: 64 + 16 + 16 - 2
  SampleLog log = systolic_log(94000);
  // With tiles that are all the last of their direction in n, and not whole in any, it cannot be told.
  for (int m = 0; m < 2; ++m)
    for (int k = 0; k < 3; ++k)
      for (const char* const stage : {"a", "b", "gemm", "relu"})
        if (m != 0 || k != 0) log.remove("m" + std::to_string(m) + "k" + std::to_string(k) + "." + stage);
  for (const char* const key : {"m", "k", "n"}) log.configure(key, "64");
  BOOST_TEST(report_of(log).by_rule.count("duration") == 0U, report_text(report_of(log)));
  log.configure("rows", "19");  // no element sizes give 94 cycles there
  BOOST_TEST(report_of(log).by_rule.count("duration") == 1U);
}

BOOST_AUTO_TEST_CASE(a_systolic_gemm_needs_operands_that_make_a_tile) {
  SampleLog log = systolic_log();
  for (const char* const label : {"m0k0.a", "m0k0.b"}) log.set(label, "bytes", "510");
  BOOST_TEST(report_text(report_of(log)).find("no element sizes make tiles") != std::string::npos);
  log = systolic_log();
  log.set("m0k0.gemm", "macs", "0");
  cites(log, "duration", "m0k0.gemm");
  log = systolic_log();
  log.remove("m0k1.b");
  BOOST_TEST(report_text(report_of(log)).find("has 1 FETCHes, must have those of a and b") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_systolic_log_needs_the_arrays_parameters) {
  const struct {
    const char *key, *value;
  } kCases[] = {{"rows", "0"},       {"cols", "-1"},       {"dataflow", "\"rs\""},
                {"preload", "true"}, {"k", "\"sixteen\""}, {"model", "\"magic\""}};
  for (const auto& one : kCases) {
    SampleLog log = systolic_log();
    log.configure(one.key, one.value);
    violates_only(log, "config");
  }
}

// --- any text ---

BOOST_AUTO_TEST_CASE(violations_are_all_counted_and_the_first_hundred_listed) {
  SampleLog log = two_pe_log();
  std::string text = log.text();
  for (int line = 0; line < 250; ++line) text += "nonsense\n";
  const CheckReport report = report_of(text);
  BOOST_TEST(report.violations == 250U);
  BOOST_TEST(report.listed.size() == 100U);
  BOOST_TEST(report_text(report).find("... and 150 more") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(any_text_gives_a_report) {
  const std::string good = two_pe_log().text();
  for (std::size_t length = 0; length < good.size() - 1; length += 7)
    BOOST_TEST(!report_of(good.substr(0, length)).ok(), length);
  std::string nested = good;
  const std::size_t config = nested.find("# config: ") + 10;
  nested.insert(config, std::string(100000, '['));
  BOOST_TEST(report_of(nested).by_rule.count("config") == 1U);
  BOOST_TEST(!report_of(std::string("\0,\xff\xfe,,\n\r\n,,,", 12)).ok());
}

BOOST_AUTO_TEST_CASE(a_damaged_log_gives_a_report) {
  constexpr unsigned kSeed = 20240607;
  std::mt19937 random(kSeed);
  const std::string logs[] = {two_pe_log().text(), systolic_log().text()};
  const std::string bytes = "0123456789,;:+x/\n-#{}[]\"abz\xff";
  for (int round = 0; round < 3000; ++round) {
    std::string text = logs[round % 2];
    for (unsigned change = 0; change < 1 + random() % 8; ++change)
      text[random() % text.size()] = bytes[random() % bytes.size()];
    const CheckReport report = report_of(text);
    BOOST_TEST(report.rows <= 50U, "seed " << kSeed << " round " << round);
  }
}

BOOST_AUTO_TEST_SUITE_END()
