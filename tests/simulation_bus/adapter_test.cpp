// SPDX-License-Identifier: Apache-2.0
//
// Memories that know only the other coding style, behind the adapters of tlm_utils' sockets: what a platform
// gets whose configuration does not fit its memory. The memory is busy for 10 ns with a burst and answers 100
// ns after that.
#include "support/at_memory.hpp"
#include "support/bus_bench.hpp"
#include "support/lt_memory.hpp"

using namespace petal;
using namespace petal::test;

namespace {

BusMemoryConfig busy_10_late_100() {
  BusMemoryConfig config;
  config.service = ns(10);
  config.latency = ns(100);
  return config;
}

template <typename Memory, typename Style>
void require_transfer(BusProtocol protocol, Style style, const sc_core::sc_time& answered) {
  BusBench<Memory> bench("bench", bus_config(protocol), busy_10_late_100(), style);
  fill(bench.module.memory);
  const RecordedTransfer& read = bench.read(run_of(100, 924));  // four bursts
  sc_core::sc_start();
  require_clean(bench);
  BOOST_TEST(read.status == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(read.answered_at == answered);
  BOOST_TEST((read.bytes == expected_bytes(read.pattern)));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(adapter)

// The adapter gives no END_REQ, so that a burst waits for the answer of the one before.
BOOST_AUTO_TEST_CASE(an_lt_memory_under_at_annotating) {
  require_transfer<LtMemory>(BusProtocol::at, LtStyle::annotates, ns(440));
}

BOOST_AUTO_TEST_CASE(an_lt_memory_under_at_waiting) {
  require_transfer<LtMemory>(BusProtocol::at, LtStyle::waits, ns(440));
}

BOOST_AUTO_TEST_CASE(an_at_memory_under_lt) {
  require_transfer<AtMemory>(BusProtocol::lt, AtStyle::two_calls, ns(140));
}

BOOST_AUTO_TEST_SUITE_END()
