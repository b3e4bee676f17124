// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "driver_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

BenchSizes records(std::uint32_t count) {
  BenchSizes sizes;
  sizes.completion_records = count;
  return sizes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(driver_completions)

BOOST_AUTO_TEST_CASE(a_record_is_taken_once_with_its_status_and_address) {
  DriverBench bench;
  bench.init();
  petal_completion completion{};
  BOOST_TEST(!petal_next_completion(&bench.device, &completion));
  bench.complete(0xABCDEF, CompletionStatus::transfer_error, 0x800000001000);
  BOOST_TEST(petal_next_completion(&bench.device, &completion));
  BOOST_TEST(completion.id == 0xABCDEFU);
  BOOST_TEST(completion.status == PETAL_CAUSE_TRANSFER_ERROR);
  BOOST_TEST(completion.address == 0x800000001000U);
  BOOST_TEST(bench.get(PETAL_REG_CQ_HEAD) == 1U);
  BOOST_TEST(!petal_next_completion(&bench.device, &completion));
}

// F30, for the other ring: a record of the round before is not taken for a new one.
BOOST_AUTO_TEST_CASE(records_come_in_order_round_and_round) {
  for (const std::uint32_t count : {1U, 4U, 7U}) {
    DriverBench bench(records(count));
    bench.init();
    std::uint32_t taken = 0;
    petal_completion completion{};
    for (std::uint32_t written = 0; written < 30;) {
      for (std::uint32_t burst = 0; burst < count; ++burst) bench.complete(written++);
      while (petal_next_completion(&bench.device, &completion)) {
        BOOST_TEST(completion.id == taken);
        BOOST_TEST(completion.status == PETAL_CAUSE_OK);
        ++taken;
      }
      BOOST_TEST(taken == written);
      BOOST_TEST(bench.get(PETAL_REG_CQ_HEAD) == taken);
    }
  }
}

BOOST_AUTO_TEST_CASE(without_a_completion_ring_there_are_no_records) {
  DriverBench bench(records(0));
  bench.config.completions = {nullptr, 0};
  bench.init();
  petal_completion completion{};
  BOOST_TEST(!petal_next_completion(&bench.device, &completion));
}

BOOST_AUTO_TEST_CASE(records_from_before_a_reset_are_forgotten) {
  DriverBench bench;
  bench.init();
  bench.complete(1);
  BOOST_REQUIRE(petal_device_reset(&bench.device) == PETAL_DONE);
  petal_completion completion{};
  BOOST_TEST(!petal_next_completion(&bench.device, &completion));
}

BOOST_AUTO_TEST_CASE(interrupts_are_registers) {
  DriverBench bench;
  bench.init();
  petal_interrupt_enable(&bench.device, PETAL_INT_STATUS_ERROR_MASK | PETAL_INT_STATUS_THRESHOLD_MASK);
  BOOST_TEST(bench.get(PETAL_REG_INT_ENABLE) == 6U);
  petal_interrupt_threshold(&bench.device, 5);
  BOOST_TEST(bench.get(PETAL_REG_INT_THRESHOLD) == 5U);
  bench.set(PETAL_REG_INT_PENDING, 4);
  BOOST_TEST(petal_interrupt_pending(&bench.device) == PETAL_INT_STATUS_THRESHOLD_MASK);
  petal_interrupt_clear(&bench.device, PETAL_INT_STATUS_THRESHOLD_MASK);
  BOOST_TEST(bench.get(PETAL_REG_INT_STATUS) == 4U);  // write 1 to clear
}

BOOST_AUTO_TEST_SUITE_END()
