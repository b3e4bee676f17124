// SPDX-License-Identifier: Apache-2.0
//
// When bursts leave and transfers are answered, under LT and AT. The memory here is busy for 10 ns with a
// burst, and answers 100 ns after that, if a test says nothing else.
#include "support/at_memory.hpp"
#include "support/bus_bench.hpp"
#include "support/lt_memory.hpp"

using namespace petal;
using namespace petal::test;
using sc_core::SC_ZERO_TIME;

namespace {

BusMemoryConfig busy_10_late_100() {
  BusMemoryConfig config;
  config.service = ns(10);
  config.latency = ns(100);
  return config;
}

/// The same transfers on the same memory, which waits, annotates, or speaks AT.
struct ThreeBenches {
  explicit ThreeBenches(std::uint32_t outstanding = 64, const BusMemoryConfig& memory = busy_10_late_100())
      : waiting("waiting", bus_config(BusProtocol::lt, outstanding), memory, LtStyle::waits),
        annotating("annotating", bus_config(BusProtocol::lt, outstanding), memory, LtStyle::annotates),
        at("at", bus_config(BusProtocol::at, outstanding), memory, AtStyle::two_calls) {
    fill(waiting.module.memory);
    fill(annotating.module.memory);
    fill(at.module.memory);
  }

  void submit(BusChannel channel, const AccessPattern& pattern,
              const sc_core::sc_time& delay = SC_ZERO_TIME) {
    waiting.submit(channel, pattern, delay);
    annotating.submit(channel, pattern, delay);
    at.submit(channel, pattern, delay);
  }
  void require_transfer(std::size_t index, const sc_core::sc_time& accepted,
                        const sc_core::sc_time& answered) {
    require_ok(*waiting.transfers.at(index), accepted, answered, "waiting");
    require_ok(*annotating.transfers.at(index), accepted, answered, "annotating");
    require_ok(*at.transfers.at(index), accepted, answered, "AT");
  }
  void require_bursts(const Lines& expected) {
    BOOST_TEST(lines_of(waiting.module.memory.seen()) == expected, boost::test_tools::per_element());
    BOOST_TEST(lines_of(annotating.module.memory.seen()) == expected, boost::test_tools::per_element());
    BOOST_TEST(lines_of(at.module.memory.seen()) == expected, boost::test_tools::per_element());
  }
  void run() {
    sc_core::sc_start();
    require_clean(waiting);
    require_clean(annotating);
    require_clean(at);
  }

  BusBench<LtMemory> waiting;
  BusBench<LtMemory> annotating;
  BusBench<AtMemory> at;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(timing)

// The fourth burst is served from 30 to 40 ns.
BOOST_AUTO_TEST_CASE(bursts_overlap_their_latency) {
  ThreeBenches benches;
  benches.submit(BusChannel::dma_read, run_of(0x400, 1024));
  benches.run();
  benches.require_transfer(0, ns(0), ns(140));
  benches.require_bursts({"0 s r1024+256", "0 s r1280+256", "0 s r1536+256", "0 s r1792+256"});
  const auto expected = expected_bytes(run_of(0x400, 1024));
  BOOST_TEST((benches.waiting.transfers[0]->bytes == expected));
  BOOST_TEST((benches.annotating.transfers[0]->bytes == expected));
  BOOST_TEST((benches.at.transfers[0]->bytes == expected));
}

// Two at a time: answers at 110 and 120; their successors are answered at 110 + 110 and, served from 120 to
// 130, at 230.
BOOST_AUTO_TEST_CASE(the_outstanding_limit_is_reached_and_kept) {
  ThreeBenches benches(2);
  benches.submit(BusChannel::dma_read, run_of(0, 1024));
  benches.run();
  benches.require_transfer(0, ns(120), ns(230));
  benches.require_bursts({"0 s r0+256", "0 s r256+256", "110 ns r512+256", "120 ns r768+256"});
  BOOST_TEST(benches.at.module.most_under_way() == 2U);
  BOOST_TEST(benches.at.initiator.payloads().peak() == 2U);
  BOOST_TEST(benches.waiting.initiator.payloads().peak() == 2U);
  BOOST_TEST(benches.annotating.initiator.payloads().peak() == 2U);
}

BOOST_AUTO_TEST_CASE(the_outstanding_limit_is_the_channels_not_the_sockets) {
  ThreeBenches benches(1);
  benches.submit(BusChannel::dma_read, run_of(0, 512));
  benches.submit(BusChannel::dma_write, run_of(0x1000, 256));
  benches.run();
  benches.require_bursts({"0 s r0+256", "0 s w4096+256", "110 ns r256+256"});
  benches.require_transfer(1, ns(0), ns(120));
  benches.require_transfer(0, ns(110), ns(220));
}

BOOST_AUTO_TEST_CASE(a_channels_transfers_go_in_the_order_of_their_submission) {
  ThreeBenches benches;
  benches.submit(BusChannel::dma_read, run_of(0, 512), ns(50));
  benches.submit(BusChannel::dma_read, run_of(0x1000, 256));  // ready at once, and behind
  benches.run();
  benches.require_bursts({"50 ns r0+256", "50 ns r256+256", "50 ns r4096+256"});
  benches.require_transfer(0, ns(50), ns(170));
  benches.require_transfer(1, ns(50), ns(180));
}

// F27: however the submissions come in, an instant's requests leave in the order of the channels.
BOOST_AUTO_TEST_CASE(at_one_instant_reads_go_before_writes_before_control) {
  ThreeBenches benches;
  benches.submit(BusChannel::control, run_of(0x2000, 16));
  benches.submit(BusChannel::dma_write, run_of(0x1000, 512));
  benches.submit(BusChannel::dma_read, run_of(0, 512));
  benches.run();
  benches.require_bursts({"0 s r0+256", "0 s r256+256", "0 s w4096+256", "0 s w4352+256", "0 s r8192+16"});
}

BOOST_AUTO_TEST_CASE(the_channel_that_was_ready_first_goes_first) {
  ThreeBenches benches(1);
  benches.submit(BusChannel::dma_read, run_of(0, 512));
  benches.submit(BusChannel::control, run_of(0x2000, 16), ns(110));
  benches.submit(BusChannel::dma_write, run_of(0x1000, 256), ns(109));
  benches.run();
  // At 110 ns the read may send again, and the control channel may start: reads before control.
  benches.require_bursts({"0 s r0+256", "109 ns w4096+256", "110 ns r256+256", "110 ns r8192+16"});
}

// With 5 ns for each END_REQ the socket is what channels wait for; they then take turns, whatever there is to
// send.
BOOST_AUTO_TEST_CASE(under_at_no_channel_starves) {
  BusBench<AtMemory> bench("at", bus_config(BusProtocol::at), busy_10_late_100(), AtStyle::two_calls, ns(5));
  bench.read(run_of(0, 1024));
  bench.write(run_of(0x1000, 512));
  bench.submit(BusChannel::control, run_of(0x2000, 16), ns(12));
  sc_core::sc_start();
  require_clean(bench);
  const Lines expected = {"0 s r0+256",     "5 ns w4096+256", "10 ns r256+256", "15 ns w4352+256",
                          "20 ns r8192+16", "25 ns r512+256", "30 ns r768+256"};
  BOOST_TEST(lines_of(bench.module.memory.seen()) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_annotated_submission_waits_for_its_time) {
  ThreeBenches benches;
  benches.submit(BusChannel::dma_read, run_of(0, 256), ns(100));
  benches.run();
  benches.require_bursts({"100 ns r0+256"});
  benches.require_transfer(0, ns(100), ns(210));
}

// Answers may overtake each other; the transfer is answered with the last of them.
BOOST_AUTO_TEST_CASE(answers_in_any_order_are_taken) {
  ThreeBenches benches;
  for (BusMemory* const memory :
       {&benches.waiting.module.memory, &benches.annotating.module.memory, &benches.at.module.memory}) {
    memory->set_latency(1, ns(500));  // served at 10
    memory->set_latency(2, ns(3));
  }
  benches.submit(BusChannel::dma_read, run_of(0, 768));
  benches.submit(BusChannel::dma_read, run_of(0x1000, 256));
  benches.run();
  benches.require_transfer(0, ns(0), ns(510));
  benches.require_transfer(1, ns(0), ns(140));
  BOOST_TEST((benches.at.transfers[0]->bytes == expected_bytes(run_of(0, 768))));
}

// F28
BOOST_AUTO_TEST_CASE(a_transfer_of_no_bytes_is_answered_without_a_burst) {
  ThreeBenches benches(1);
  benches.submit(BusChannel::dma_read, run_of(0x100, 0), ns(20));
  benches.submit(BusChannel::dma_read, run_of(0, 512));
  benches.submit(BusChannel::dma_read, rows_of(0, 64, 0, 64));
  benches.run();
  benches.require_transfer(0, ns(20), ns(20));
  benches.require_transfer(1, ns(130), ns(240));
  benches.require_transfer(2, ns(130), ns(130));
  benches.require_bursts({"20 ns r0+256", "130 ns r256+256"});
}

BOOST_AUTO_TEST_CASE(strided_data_arrives_without_its_gaps) {
  ThreeBenches benches;
  const AccessPattern rows = rows_of(200, 100, 3, 300);
  benches.submit(BusChannel::dma_read, rows);
  benches.submit(BusChannel::dma_write, rows_of(0x2000, 100, 3, 300));
  benches.run();
  const auto expected = expected_bytes(rows);
  BOOST_TEST((benches.waiting.transfers[0]->bytes == expected));
  BOOST_TEST((benches.annotating.transfers[0]->bytes == expected));
  BOOST_TEST((benches.at.transfers[0]->bytes == expected));
  std::vector<unsigned char> written(benches.at.module.memory.contents().size());
  for (std::size_t byte = 0; byte < written.size(); ++byte) written[byte] = byte_at(byte);
  for (std::uint64_t row = 0; row < 3; ++row)
    for (std::uint64_t byte = 0; byte < 100; ++byte)
      written[0x2000 + 300 * row + byte] = byte_at(100 * row + byte);
  BOOST_TEST((benches.waiting.module.memory.contents() == written));
  BOOST_TEST((benches.annotating.module.memory.contents() == written));
  BOOST_TEST((benches.at.module.memory.contents() == written));
}

// F29: on the socket, not only in the split.
BOOST_AUTO_TEST_CASE(no_burst_crosses_4_kib) {
  ThreeBenches benches;
  for (const AccessPattern& pattern :
       {run_of(0xFC0, 64), run_of(0xFC0, 65), run_of(0xFFF, 2), run_of(3841, 255), run_of(0x1000, 512)})
    benches.submit(BusChannel::dma_read, pattern);
  benches.run();
  benches.require_bursts({"0 s r4032+64", "0 s r4032+64", "0 s r4096+1", "0 s r4095+1", "0 s r4096+1",
                          "0 s r3841+255", "0 s r4096+256", "0 s r4352+256"});
  for (const auto& transfer : benches.at.transfers)
    BOOST_TEST((transfer->bytes == expected_bytes(transfer->pattern)));
}

BOOST_AUTO_TEST_CASE(a_client_may_submit_from_its_callbacks) {
  ThreeBenches benches;
  benches.submit(BusChannel::dma_read, run_of(0, 256));
  RecordedTransfer& first = *benches.at.transfers[0];
  RecordedTransfer& second = benches.at.add(tlm::TLM_READ_COMMAND, run_of(256, 256));
  RecordedTransfer& third = benches.at.add(tlm::TLM_READ_COMMAND, run_of(512, 256));
  first.when_accepted = [&] { benches.at.initiator.submit(BusChannel::dma_read, second); };
  first.when_answered = [&] { benches.at.initiator.submit(BusChannel::dma_read, third, ns(7)); };
  benches.run();
  require_ok(second, ns(0), ns(120), "second");
  require_ok(third, ns(117), ns(227), "third");
}

// Without data nothing is written, and what is read goes nowhere; time is the same.
BOOST_AUTO_TEST_CASE(without_data_there_is_timing_alone) {
  ThreeBenches benches;
  RecordedTransfer& read = benches.at.add(tlm::TLM_READ_COMMAND, run_of(0, 512));
  RecordedTransfer& write = benches.at.add(tlm::TLM_WRITE_COMMAND, run_of(0, 512));
  read.data = nullptr;
  write.data = nullptr;
  benches.at.initiator.submit(BusChannel::dma_read, read);
  benches.at.initiator.submit(BusChannel::dma_write, write);
  benches.run();
  require_ok(read, ns(0), ns(120), "read");
  require_ok(write, ns(0), ns(140), "write");
  std::vector<unsigned char> untouched(benches.at.module.memory.contents().size());
  for (std::size_t byte = 0; byte < untouched.size(); ++byte) untouched[byte] = byte_at(byte);
  BOOST_TEST((benches.at.module.memory.contents() == untouched));
}

// F17: the host's resolution. 10.5 ns is a whole number of ticks at 10 ps.
BOOST_AUTO_TEST_CASE(times_hold_at_a_resolution_of_10_ps) {
  sc_core::sc_set_time_resolution(10, sc_core::SC_PS);
  BusMemoryConfig memory;
  memory.service = ns(10.5);
  memory.latency = ns(100);
  ThreeBenches benches(64, memory);
  benches.submit(BusChannel::dma_read, run_of(0, 512));
  benches.run();
  benches.require_transfer(0, ns(0), ns(121));
}

BOOST_AUTO_TEST_CASE(times_hold_at_a_resolution_of_1_fs) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  BusMemoryConfig memory;
  memory.service = {10001, sc_core::SC_FS};
  memory.latency = ns(100);
  ThreeBenches benches(64, memory);
  benches.submit(BusChannel::dma_read, run_of(0, 512));
  benches.run();
  benches.require_transfer(0, ns(0), sc_core::sc_time(100020002, sc_core::SC_FS));
}

BOOST_AUTO_TEST_SUITE_END()
