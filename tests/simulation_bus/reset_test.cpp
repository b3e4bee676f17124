// SPDX-License-Identifier: Apache-2.0
//
// F12: after a reset nothing of an old transfer is heard of, and a new one starts when the old bursts are
// back.
#include "petal/calendar/has_process.hpp"
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

/// What happens to a bench when: each entry is called at its time, by a process of the test.
class Script : public sc_core::sc_module {
 public:
  explicit Script(const sc_core::sc_module_name& name) : sc_module(name) {
    PETAL_HAS_PROCESS(Script);
    SC_THREAD(run);
  }
  void at(const sc_core::sc_time& time, std::function<void()> action) {
    actions_.emplace_back(time, std::move(action));
  }

 private:
  void run() {
    for (const auto& [time, action] : actions_) {
      wait(time - sc_core::sc_time_stamp());
      action();
    }
  }

  std::vector<std::pair<sc_core::sc_time, std::function<void()>>> actions_;
};

/// A transfer of 1024 bytes, two bursts outstanding, is reset at 50 ns; the bursts are back at 110 and 120
/// ns. A new one is submitted at once.
template <typename Memory, typename Style>
void require_reset_in_mid_transfer(BusProtocol protocol, Style style) {
  BusBench<Memory> bench("bench", bus_config(protocol, 2), busy_10_late_100(), style);
  Script script("script");
  fill(bench.module.memory);
  RecordedTransfer& old = bench.read(run_of(0, 1024));
  RecordedTransfer& queued = bench.read(run_of(0x2000, 256));
  auto unseen = std::make_unique<RecordedTransfer>(tlm::TLM_READ_COMMAND, run_of(0x3000, 256));
  RecordedTransfer* fresh = nullptr;
  std::vector<sc_core::sc_time> drained;
  script.at(ns(50), [&] {
    bench.initiator.submit(BusChannel::dma_write, *unseen);  // dropped before the initiator has looked at it
    bench.initiator.reset();
    unseen.reset();
    old.data = nullptr;  // the client's memory is its own again
    BOOST_TEST(!bench.initiator.drained());
    bench.initiator.on_drained([&] { drained.push_back(sc_core::sc_time_stamp()); });
    fresh = &bench.read(run_of(0x1000, 512));
  });
  sc_core::sc_start();
  require_clean(bench);
  BOOST_TEST(old.accepted_calls + old.answered_calls + queued.accepted_calls + queued.answered_calls == 0);
  BOOST_TEST((old.bytes == std::vector<std::byte>(1024, std::byte{0xCC})));
  BOOST_TEST((drained == std::vector<sc_core::sc_time>{ns(120)}));
  require_ok(*fresh, ns(120), ns(240), "the new transfer");
  BOOST_TEST((fresh->bytes == expected_bytes(fresh->pattern)));
  const Lines expected = {"0 s r0+256", "0 s r256+256", "120 ns r4096+256", "120 ns r4352+256"};
  BOOST_TEST(lines_of(bench.module.memory.seen()) == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bus_reset)

BOOST_AUTO_TEST_CASE(reset_in_mid_transfer_with_a_waiting_memory) {
  require_reset_in_mid_transfer<LtMemory>(BusProtocol::lt, LtStyle::waits);
}

BOOST_AUTO_TEST_CASE(reset_in_mid_transfer_with_an_annotating_memory) {
  require_reset_in_mid_transfer<LtMemory>(BusProtocol::lt, LtStyle::annotates);
}

BOOST_AUTO_TEST_CASE(reset_in_mid_transfer_under_at) {
  require_reset_in_mid_transfer<AtMemory>(BusProtocol::at, AtStyle::two_calls);
}

// The request is on the socket, without its END_REQ, as the reset comes.
BOOST_AUTO_TEST_CASE(reset_before_end_req) {
  BusBench<AtMemory> bench("bench", bus_config(BusProtocol::at), busy_10_late_100(), AtStyle::two_calls,
                           ns(30));
  Script script("script");
  RecordedTransfer& old = bench.read(run_of(0, 1024));
  RecordedTransfer* fresh = nullptr;
  script.at(ns(10), [&] {
    bench.initiator.reset();
    fresh = &bench.read(run_of(0x1000, 256));
  });
  sc_core::sc_start();
  require_clean(bench);
  BOOST_TEST(old.accepted_calls + old.answered_calls == 0);
  require_ok(*fresh, ns(140), ns(220), "the new transfer");  // begins as the old burst's answer comes, at 110
}

BOOST_AUTO_TEST_CASE(reset_with_nothing_under_way) {
  BusBench<LtMemory> bench("bench", bus_config(BusProtocol::lt), busy_10_late_100(), LtStyle::waits);
  Script script("script");
  RecordedTransfer& late = bench.submit(BusChannel::dma_read, run_of(0, 256), ns(80));
  RecordedTransfer* fresh = nullptr;
  int drained = 0;
  script.at(ns(20), [&] {
    bench.initiator.reset();
    BOOST_TEST(bench.initiator.drained());
    bench.initiator.on_drained([&] { ++drained; });
    BOOST_TEST(drained == 1);
    fresh = &bench.read(run_of(0x1000, 256));
  });
  sc_core::sc_start();
  require_clean(bench);
  BOOST_TEST(drained == 1);
  BOOST_TEST(late.accepted_calls + late.answered_calls == 0);
  require_ok(*fresh, ns(20), ns(130), "the new transfer");
}

// A second reset while the first one drains: the transfer in between is forgotten as well.
BOOST_AUTO_TEST_CASE(reset_twice) {
  BusBench<LtMemory> bench("bench", bus_config(BusProtocol::lt), busy_10_late_100(), LtStyle::annotates);
  Script script("script");
  bench.read(run_of(0, 256));
  RecordedTransfer* between = nullptr;
  RecordedTransfer* fresh = nullptr;
  int drained = 0;
  script.at(ns(10), [&] {
    bench.initiator.reset();
    bench.initiator.on_drained([&] { ++drained; });
    between = &bench.read(run_of(256, 256));
  });
  script.at(ns(30), [&] {
    bench.initiator.reset();
    bench.initiator.on_drained([&] { ++drained; });
    fresh = &bench.read(run_of(512, 256));
  });
  sc_core::sc_start();
  require_clean(bench);
  BOOST_TEST(drained == 2);
  BOOST_TEST(between->accepted_calls + between->answered_calls == 0);
  require_ok(*fresh, ns(110), ns(220), "the new transfer");
}

// A client may reset from either of its callbacks, and drop the transfer that called.
template <typename Memory, typename Style>
void require_reset_from_callbacks(BusProtocol protocol, Style style) {
  BusBench<Memory> bench("bench", bus_config(protocol), busy_10_late_100(), style);
  fill(bench.module.memory);
  auto first = std::make_unique<RecordedTransfer>(tlm::TLM_READ_COMMAND, run_of(0, 512));
  RecordedTransfer& second = bench.add(tlm::TLM_READ_COMMAND, run_of(0x1000, 256));
  RecordedTransfer& third = bench.add(tlm::TLM_READ_COMMAND, run_of(0x2000, 256));
  first->when_accepted = [&] {
    bench.initiator.reset();
    bench.initiator.submit(BusChannel::dma_read, second);
  };
  second.when_answered = [&] {
    bench.initiator.reset();
    bench.initiator.submit(BusChannel::dma_read, third);
    first.reset();
  };
  bench.initiator.submit(BusChannel::dma_read, *first);
  sc_core::sc_start();
  require_clean(bench);
  BOOST_TEST(!first);
  BOOST_TEST(second.answered_calls == 1);
  BOOST_TEST(third.answered_calls == 1);
  BOOST_TEST((third.bytes == expected_bytes(third.pattern)));
}

BOOST_AUTO_TEST_CASE(reset_from_callbacks_with_a_waiting_memory) {
  require_reset_from_callbacks<LtMemory>(BusProtocol::lt, LtStyle::waits);
}

BOOST_AUTO_TEST_CASE(reset_from_callbacks_under_at) {
  require_reset_from_callbacks<AtMemory>(BusProtocol::at, AtStyle::two_calls);
}

BOOST_AUTO_TEST_SUITE_END()
