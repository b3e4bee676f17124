// SPDX-License-Identifier: Apache-2.0
//
// Every way in which the base protocol lets an AT memory answer. The memory takes 5 ns to accept a request,
// is busy for 10 ns with a burst, and answers 100 ns after that; it fails the test if the initiator breaks
// the protocol.
#include "support/at_memory.hpp"
#include "support/bus_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

BusMemoryConfig busy_10_late_100() {
  BusMemoryConfig config;
  config.service = ns(10);
  config.latency = ns(100);
  return config;
}

/// Reads 1024 bytes in four bursts and requires the transfer's two times.
void require_times(AtStyle style, const sc_core::sc_time& accepted, const sc_core::sc_time& answered,
                   bool with_ignorable_phases = false) {
  BusBench<AtMemory> bench("at", bus_config(BusProtocol::at), busy_10_late_100(), style, ns(5));
  fill(bench.module.memory);
  if (with_ignorable_phases) bench.module.send_ignorable_phases();
  const RecordedTransfer& transfer = bench.read(run_of(0, 1024));
  sc_core::sc_start();
  require_clean(bench);
  require_ok(transfer, accepted, answered, "the transfer");
  BOOST_TEST((transfer.bytes == expected_bytes(transfer.pattern)));
  BOOST_TEST(bench.module.under_way() == 0U);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(at_phases)

// Requests at 0, 5, 10, 15; the last is served from 30 to 40.
BOOST_AUTO_TEST_CASE(end_req_and_begin_resp_as_calls) {
  require_times(AtStyle::two_calls, ns(20), ns(140));
}

BOOST_AUTO_TEST_CASE(end_req_and_begin_resp_as_calls_with_annotated_delays) {
  require_times(AtStyle::annotated_calls, ns(20), ns(140));
}

BOOST_AUTO_TEST_CASE(end_req_as_a_return_value) {
  require_times(AtStyle::end_req_returned, ns(20), ns(140));
}

// A response implies END_REQ: one burst at a time, each 110 ns.
BOOST_AUTO_TEST_CASE(begin_resp_without_end_req) {
  require_times(AtStyle::response_only, ns(440), ns(440));
}

BOOST_AUTO_TEST_CASE(begin_resp_as_a_return_value) {
  require_times(AtStyle::response_returned, ns(440), ns(440));
}

BOOST_AUTO_TEST_CASE(completed_at_once) {
  require_times(AtStyle::completed, ns(440), ns(440));
}

BOOST_AUTO_TEST_CASE(phases_that_nobody_knows_are_ignored) {
  require_times(AtStyle::two_calls, ns(20), ns(140), true);
}

// The fourth burst, of four styles, is the one without END_REQ: requests at 0, 5, 10, 15; it is answered at
// 140.
BOOST_AUTO_TEST_CASE(styles_may_change_from_burst_to_burst) {
  require_times(AtStyle::in_turn, ns(140), ns(140));
}

// F35: every payload comes back, and there are never more than may be outstanding.
BOOST_AUTO_TEST_CASE(payloads_of_100000_bursts_come_back) {
  BusMemoryConfig memory = busy_10_late_100();
  memory.bytes = 4096;
  BusBench<AtMemory> bench("at", bus_config(BusProtocol::at, 8), memory, AtStyle::in_turn, ns(1));
  AccessPattern pattern = run_of(0, 4096);  // 16 bursts
  pattern.levels[0] = {6250, 0};
  RecordedTransfer& transfer = bench.read(pattern);
  sc_core::sc_start();
  require_clean(bench);
  BOOST_TEST(transfer.status == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.module.memory.seen().size() == 100000U);
  BOOST_TEST(bench.module.under_way() == 0U);
  BOOST_TEST(bench.module.most_under_way() <= 8U);
  BOOST_TEST(bench.initiator.payloads().peak() <= 8U);
}

// A memory that holds on to a payload keeps it from being used again.
BOOST_AUTO_TEST_CASE(a_payload_that_the_memory_still_holds_is_not_used_again) {
  PayloadPool pool(256);
  BurstPayload& payload = pool.acquire();
  payload.acquire();
  payload.release();
  BOOST_TEST(pool.live() == 1U);
  BOOST_TEST(&pool.acquire() != &payload);
  payload.release();
  BOOST_TEST(pool.live() == 1U);
  BOOST_TEST(&pool.acquire() == &payload);
  BOOST_TEST(pool.peak() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
