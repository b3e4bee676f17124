// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/sweep_table.hpp"

#include <boost/test/unit_test.hpp>

#include "config_error.hpp"
#include "sample_sweep.hpp"

namespace petal {
namespace {

using test::config_error_of;
using test::mentions;
using test::sample_failure;
using test::sample_result;

SweepTable table_of_two() {
  SweepTable table(sweep_grid({}, {"tile=32,64"}, {"opt2"}), {"q_heads", "hbm.scope"});
  table.add(0, sample_result("gqa_decode_opt2", 1000, 103.75));
  table.add(1, sample_failure("kv_len: too long, \"really\""));
  return table;
}

BOOST_AUTO_TEST_SUITE(table)

// 1000 ps on two PEs: GEMM busy 500 of 2000, PE_CPU dispatching 1000 of 2000.
BOOST_AUTO_TEST_CASE(a_row_has_the_point_and_the_numbers_of_its_summary) {
  const SweepTable table = table_of_two();
  const TableRow& row = table.rows().at(0);
  const auto text = [&](const char* column) { return table.text(row, column); };
  BOOST_TEST(text("point") == "0");
  BOOST_TEST(text("tile") == "32");
  BOOST_TEST(text("kernel") == "gqa_decode_opt2");
  BOOST_TEST(text("q_heads") == "32");
  BOOST_TEST(text("hbm.scope") == "shared");
  BOOST_TEST(text("status") == "ok");
  BOOST_TEST(text("time_ps") == "1000");
  BOOST_TEST(text("tiles") == "4");
  BOOST_TEST(text("dispatch_commands") == "9");
  BOOST_TEST(text("dispatch_bytes") == "537");
  BOOST_TEST(text("dispatch_cycles") == "393.5625");
  BOOST_TEST(text("dispatch_commands_per_tile") == "2");
  BOOST_TEST(text("dispatch_bytes_per_tile") == "380");
  BOOST_TEST(text("dispatch_cycles_per_tile") == "103.75");
  BOOST_TEST(text("verdict") == "dispatch-bound");
  BOOST_TEST(text("gemm_utilisation") == "0.25");
  BOOST_TEST(text("cpu_dispatching") == "0.5");
  BOOST_TEST(text("hazard_wait") == "0");
  BOOST_TEST(text("dma_read_bytes") == "4096");
  BOOST_TEST(text("dma_write_bytes") == "512");
  BOOST_TEST(text("math_utilisation") == "");  // the summary does not have it
  BOOST_TEST(text("message") == "");
}

BOOST_AUTO_TEST_CASE(a_point_that_failed_has_its_message_and_no_numbers) {
  const SweepTable table = table_of_two();
  const TableRow& row = table.rows().at(1);
  BOOST_TEST(table.text(row, "tile") == "64");
  BOOST_TEST(table.text(row, "status") == "failed");
  BOOST_TEST(table.text(row, "time_ps") == "");
  BOOST_TEST(table.text(row, "message") == "kv_len: too long, \"really\"");
}

BOOST_AUTO_TEST_CASE(the_csv_quotes_what_needs_it) {
  const std::string csv = table_of_two().csv();
  BOOST_TEST(csv.rfind("point,tile,kernel,q_heads,hbm.scope,status,time_ps,", 0) == 0U);
  BOOST_TEST(mentions(csv, "\n0,32,gqa_decode_opt2,32,shared,ok,1000,"));
  BOOST_TEST(mentions(csv, ",\"kv_len: too long, \"\"really\"\"\"\n"));
}

BOOST_AUTO_TEST_CASE(a_point_that_is_not_there_has_no_row) {
  SweepTable table(sweep_grid({}, {"tile=32,64"}, {}), {});
  table.add(0, PointResult());
  table.add(1, sample_result("gemm", 10, 1));
  BOOST_TEST(table.rows().size() == 1U);
  BOOST_TEST(table.text(table.rows().at(0), "kernel") == "gemm");
}

BOOST_AUTO_TEST_CASE(columns_have_units) {
  const SweepTable table(sweep_grid({}, {"fixed_per_cmd_cycles=1", "tile=32"}, {}), {});
  BOOST_TEST(table.unit_of("fixed_per_cmd_cycles") == "cycles/command");
  BOOST_TEST(table.unit_of("tile") == "keys");
  BOOST_TEST(table.unit_of("time_ps") == "ps");
  BOOST_TEST(table.unit_of("verdict") == "");
}

BOOST_AUTO_TEST_CASE(a_column_is_there_once) {
  const SweepGrid grid = sweep_grid({}, {"tile=32"}, {});
  BOOST_TEST(mentions(config_error_of([&] { SweepTable(grid, {"tile"}); }), "tile: the sweep's table has"));
  BOOST_TEST(mentions(config_error_of([&] { SweepTable(grid, {"tyle"}); }), "nearest valid key 'tile'"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
