// SPDX-License-Identifier: Apache-2.0
//
// The CPU runs small programs (programs/); a device sees what they do, and when. One instruction takes 1 ns.
#include <boost/test/unit_test.hpp>
#include <vector>

#include "vp/cpu_bench.hpp"

using namespace petal::vp;
using namespace petal::vp::test;
using Values = std::vector<std::uint64_t>;

namespace {

/// The accesses of accesses.S: instruction n starts at n ns.
void check_accesses(const CpuBench& bench) {
  const std::vector<SeenAccess> expected = {{ns(3), true, 0, 8, 0x11223344}, {ns(4), true, 8, 4, 0x11223344},
                                            {ns(6), true, 12, 2, 0x3344},    {ns(7), true, 14, 1, 0x44},
                                            {ns(8), false, 16, 8, 16},       {ns(9), false, 24, 4, 24},
                                            {ns(10), false, 32, 2, 32},      {ns(11), false, 40, 1, 40}};
  BOOST_TEST(bench.device.seen == expected, boost::test_tools::per_element());
  BOOST_TEST(bench.cpu.general_register(11) == 16U);
  BOOST_TEST(bench.cpu.general_register(14) == 40U);
  BOOST_TEST(bench.finisher.exit_code().value() == 0U);
  BOOST_TEST(bench.cpu.failure() == "");
}

void run_endless(CpuBench& bench) {
  sc_core::sc_start();
  BOOST_TEST(bench.cpu.failure() == "");
  BOOST_TEST(bench.finisher.exit_code().value() == 0U);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(riscv_cpu)

BOOST_AUTO_TEST_CASE(accesses_have_their_size_value_and_time) {
  CpuBench bench("accesses");
  sc_core::sc_start();
  check_accesses(bench);
}

BOOST_AUTO_TEST_CASE(annotated_accesses_carry_the_same_times) {
  RiscvCpuConfig config = CpuBench::cached_config();
  config.device_access = DeviceAccess::annotated;
  CpuBench bench("accesses", config);
  sc_core::sc_start();
  check_accesses(bench);
}

BOOST_AUTO_TEST_CASE(a_quantum_of_zero_gives_the_same_times) {
  CpuBench bench("accesses", CpuBench::cached_config(), DirectMemory::granted, sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
  check_accesses(bench);
}

// F43
BOOST_AUTO_TEST_CASE(denied_direct_memory_gives_the_same_times_in_cached_memory) {
  CpuBench bench("accesses", CpuBench::cached_config(), DirectMemory::denied);
  sc_core::sc_start();
  check_accesses(bench);
}

BOOST_AUTO_TEST_CASE(what_a_device_takes_is_added) {
  CpuBench bench("accesses");
  bench.device.access_time = ns(100);
  sc_core::sc_start();
  BOOST_TEST(bench.device.seen[0].time == ns(3));
  BOOST_TEST(bench.device.seen[1].time == ns(104));
  BOOST_TEST(bench.device.seen[7].time == ns(711));
}

BOOST_AUTO_TEST_CASE(wait_for_interrupt_sleeps_until_the_line_rises) {
  CpuBench bench("wait_for_line");
  bench.device.raise_at(ns(500));
  run_endless(bench);
  // wfi is over at 5 ns; the line wakes at 500; the store is the next instruction.
  BOOST_TEST(bench.device.seen.size() == 2U);
  BOOST_TEST(bench.device.seen[0].time == ns(500));
  BOOST_TEST(bench.device.seen[1].time == ns(502));  // store, wfi
  BOOST_TEST(bench.cpu.time_asleep() >= ns(495));
}

BOOST_AUTO_TEST_CASE(a_line_that_is_high_already_does_not_let_it_sleep) {
  CpuBench bench("wait_for_line");
  bench.device.raise_at(ns(2));
  run_endless(bench);
  BOOST_TEST(bench.device.seen[0].time == ns(5));
}

BOOST_AUTO_TEST_CASE(an_interrupt_is_taken_and_returned_from) {
  CpuBench bench("trap", CpuBench::cached_config(), DirectMemory::granted, ns(10));  // synchronises at 300 ns
  bench.device.raise_at(ns(295));
  run_endless(bench);
  BOOST_TEST(bench.device.written(8) == Values{0x800000000000000BU}, boost::test_tools::per_element());
  BOOST_TEST(bench.device.written(16) == Values{0x1880U},
             boost::test_tools::per_element());  // MPIE, MPP machine
  BOOST_TEST(bench.device.written(24) == Values{0x800U}, boost::test_tools::per_element());  // mip.MEIP
  // The handler's csrr comes first.
  BOOST_TEST(bench.device.seen[0].time == ns(301));
  BOOST_TEST(bench.device.written(32).size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_interrupt_waits_until_it_is_enabled) {
  CpuBench bench("masked_line");
  bench.line.write(true);
  run_endless(bench);
  BOOST_TEST(bench.device.written(0) == Values{0U},
             boost::test_tools::per_element());  // mepc is the next instruction
  BOOST_TEST(bench.device.written(8) == Values{1U}, boost::test_tools::per_element());  // which has not run
}

BOOST_AUTO_TEST_CASE(exceptions_go_to_the_handler) {
  CpuBench bench("traps");
  run_endless(bench);
  BOOST_TEST(bench.device.written(0) == (Values{11, 3, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_exception_without_a_handler_stops_with_a_reason) {
  CpuBench bench("no_handler");
  sc_core::sc_start();
  BOOST_TEST(bench.cpu.failure() ==
             "cpu: at pc 0x80000002: illegal instruction, and no handler: mtvec is 0; set it first");
}

// F33
BOOST_AUTO_TEST_CASE(a_bus_error_stops_with_a_reason) {
  CpuBench bench("bus_error");
  sc_core::sc_start();
  BOOST_TEST(bench.cpu.failure() ==
             "cpu: at pc 0x80000004: load of 4 bytes at 0x20000008: TLM_ADDRESS_ERROR_RESPONSE");
  BOOST_TEST(bench.cpu.general_register(12) == 0U);
}

BOOST_AUTO_TEST_CASE(a_misaligned_access_to_a_device_stops_with_a_reason) {
  CpuBench bench("misaligned_device");
  sc_core::sc_start();
  BOOST_TEST(bench.cpu.failure() ==
             "cpu: at pc 0x80000004: load of 4 bytes at 0x10000002: not aligned, which devices do not take");
  BOOST_TEST(bench.device.seen.empty());
}

BOOST_AUTO_TEST_CASE(counters_count_the_simulated_clock) {
  CpuBench bench("counters");
  run_endless(bench);
  BOOST_TEST(bench.cpu.general_register(10) == 0U);
  BOOST_TEST(bench.cpu.general_register(11) == 3U);
  BOOST_TEST(bench.cpu.general_register(12) == 4U);
  BOOST_TEST(bench.cpu.general_register(13) == 5U);
}

BOOST_AUTO_TEST_CASE(cycles_per_instruction_and_period_scale_time) {
  RiscvCpuConfig config = CpuBench::cached_config();
  config.clock_period = ns(2);
  config.cycles_per_instruction = 3;
  CpuBench bench("accesses", config);
  sc_core::sc_start();
  BOOST_TEST(bench.device.seen[0].time == ns(3 * 6));
  BOOST_TEST(bench.device.seen[7].time == ns(11 * 6));
}

// F07
BOOST_AUTO_TEST_CASE(a_sleep_that_nothing_ends_lets_the_simulation_end) {
  CpuBench bench("endless");
  bench.line.write(true);  // mie.MEIE is clear
  sc_core::sc_start();
  BOOST_TEST(bench.cpu.asleep());
  BOOST_TEST(!bench.finisher.exit_code());
}

BOOST_AUTO_TEST_SUITE_END()
