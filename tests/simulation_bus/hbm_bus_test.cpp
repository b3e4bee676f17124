// SPDX-License-Identifier: Apache-2.0
//
// PETAL's own HBM as a plain memory of the base protocol. By default it has 8 channels of 32 GB/s, so that a
// block of 256 bytes takes its channel 8 ns, and a latency of 100 ns. Eight blocks in a row lie on eight
// channels.
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <limits>
#include <random>

#include "petal/calendar/has_process.hpp"
#include "petal/memory/hbm.hpp"
#include "support/bus_bench.hpp"

using namespace petal;
using namespace petal::test;
using sc_core::SC_ZERO_TIME;

namespace {

std::shared_ptr<SparseMemory> filled_image(std::uint64_t bytes) {
  auto image = std::make_shared<SparseMemory>("image", HbmConfig().capacity.count());
  for (std::uint64_t address = 0; address < bytes; ++address) {
    const auto value = static_cast<std::byte>(byte_at(address));
    image->write(address, &value, 1);
  }
  return image;
}

/// One payload at a time, without a memory manager, as a host's test code would send it.
class Requester : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Requester, 64> socket;

  explicit Requester(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {}

  tlm::tlm_response_status send(tlm::tlm_command command, std::uint64_t address,
                                std::vector<unsigned char>& data) {
    prepare(command, address, data);
    return send();
  }
  void prepare(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& data) {
    const auto length = static_cast<unsigned int>(data.size());
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_byte_enable_length(0);
  }
  tlm::tlm_response_status send() {
    delay = SC_ZERO_TIME;
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }

  tlm::tlm_generic_payload payload;
  sc_core::sc_time delay;  ///< of the latest access
};

struct PlainBench {
  explicit PlainBench(const std::shared_ptr<SparseMemory>& image, const HbmConfig& config = {})
      : requester("requester"), hbm("hbm", config, image) {
    requester.socket.bind(hbm.socket);
    sc_core::sc_start(SC_ZERO_TIME);
  }
  std::vector<unsigned char> bytes(std::uint64_t address, std::uint64_t count) const {
    std::vector<unsigned char> bytes(count);
    hbm.contents()->read(address, reinterpret_cast<std::byte*>(bytes.data()), count);
    return bytes;
  }

  Requester requester;
  Hbm hbm;
};

using Bytes8 = std::vector<unsigned char>;

std::vector<std::pair<std::uint64_t, std::uint64_t>> written_of(const Hbm& hbm) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  hbm.written().for_each_within(
      0, std::numeric_limits<std::uint64_t>::max(),
      [&](std::uint64_t begin, std::uint64_t end) { ranges.emplace_back(begin, end); });
  return ranges;
}

/// An initiator on an HBM of its own.
struct HbmBench {
  HbmBench(const std::string& name, BusProtocol protocol, const HbmConfig& config,
           const std::shared_ptr<SparseMemory>& image = nullptr)
      : initiator((name + "_initiator").c_str(), bus_config(protocol)),
        hbm((name + "_hbm").c_str(), config, image) {
    initiator.socket.bind(hbm.socket);
  }
  RecordedTransfer& submit(BusChannel channel, const AccessPattern& pattern, const sc_core::sc_time& delay) {
    transfers.push_back(std::make_unique<RecordedTransfer>(
        channel == BusChannel::dma_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, pattern));
    initiator.submit(channel, *transfers.back(), delay);
    return *transfers.back();
  }

  BusInitiator initiator;
  Hbm hbm;
  std::vector<std::unique_ptr<RecordedTransfer>> transfers;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(hbm_bus)

// 4096 bytes are two blocks on each channel: the last is moved at 16 ns. That is also the closed form's time.
BOOST_AUTO_TEST_CASE(bursts_take_their_time_under_lt_and_at) {
  const auto image = filled_image(8192);
  HbmBench lt("lt", BusProtocol::lt, {}, image);
  HbmBench at("at", BusProtocol::at, {}, image);
  for (HbmBench* const bench : {&lt, &at}) {
    bench->submit(BusChannel::dma_read, run_of(0, 4096), SC_ZERO_TIME);
    bench->submit(BusChannel::control, run_of(0, 256), ns(200));
  }
  sc_core::sc_start();
  for (HbmBench* const bench : {&lt, &at}) {
    require_ok(*bench->transfers[0], ns(0), ns(116), "the long one");
    require_ok(*bench->transfers[1], ns(200), ns(308), "the short one");
    for (const auto& transfer : bench->transfers)
      BOOST_TEST((transfer->bytes == expected_bytes(transfer->pattern)));
    BOOST_TEST(bench->initiator.payloads().live() == 0U);
  }
}

// LT and AT are two ways to say the same: every time agrees, whatever the traffic.
BOOST_AUTO_TEST_CASE(lt_and_at_times_agree_for_any_traffic) {
  constexpr std::uint64_t kSeed = 20260404;
  std::mt19937_64 random(kSeed);
  HbmConfig config;
  config.channels = 4;
  config.channel_bandwidth = Bandwidth(10.0);
  HbmBench lt("lt", BusProtocol::lt, config);
  HbmBench at("at", BusProtocol::at, config);
  for (int index = 0; index < 300; ++index) {
    const auto channel = static_cast<BusChannel>(random() % 3);
    const AccessPattern pattern =
        rows_of(random() % 100000, random() % 1500, random() % 6, 1500 + random() % 1000);
    const sc_core::sc_time delay(static_cast<double>(random() % 20000), sc_core::SC_NS);
    lt.submit(channel, pattern, delay);
    at.submit(channel, pattern, delay);
  }
  sc_core::sc_start();
  for (std::size_t index = 0; index < lt.transfers.size(); ++index) {
    const RecordedTransfer& expected = *lt.transfers[index];
    BOOST_TEST_REQUIRE(expected.answered_calls == 1);
    require_ok(*at.transfers[index], expected.accepted_at, expected.answered_at,
               "seed " + std::to_string(kSeed) + ", transfer " + std::to_string(index));
  }
}

// F35: a payload on the stack, without a memory manager.
BOOST_AUTO_TEST_CASE(data_goes_in_and_comes_out) {
  PlainBench bench(filled_image(1024));
  Bytes8 data(8);
  BOOST_TEST(bench.requester.send(tlm::TLM_READ_COMMAND, 100, data) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(data == bench.bytes(100, 8), boost::test_tools::per_element());
  BOOST_TEST(data[0] == byte_at(100));
  BOOST_TEST(bench.requester.delay == ns(100.25));  // 8 bytes at 32 GB/s, and the latency
  BOOST_TEST(written_of(bench.hbm).empty());
  data = {1, 2, 3, 4, 5, 6, 7, 8};
  BOOST_TEST(bench.requester.send(tlm::TLM_WRITE_COMMAND, 204, data) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.bytes(204, 8) == data, boost::test_tools::per_element());
  BOOST_TEST(bench.bytes(212, 1)[0] == byte_at(212));
  BOOST_TEST((written_of(bench.hbm) == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{204, 212}}));
  BOOST_TEST(!bench.requester.payload.is_dmi_allowed());
}

// Enables of length 3 repeat: bytes 0, 2, 3, 5, 6 of seven.
BOOST_AUTO_TEST_CASE(byte_enables_choose_the_bytes) {
  PlainBench bench(filled_image(1024));
  Bytes8 enables = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
  Bytes8 data = {1, 2, 3, 4, 5, 6, 7};
  bench.requester.prepare(tlm::TLM_WRITE_COMMAND, 16, data);
  bench.requester.payload.set_byte_enable_ptr(enables.data());
  bench.requester.payload.set_byte_enable_length(3);
  BOOST_TEST(bench.requester.send() == tlm::TLM_OK_RESPONSE);
  const Bytes8 expected = {1, byte_at(17), 3, 4, byte_at(20), 6, 7};
  BOOST_TEST(bench.bytes(16, 7) == expected, boost::test_tools::per_element());
  BOOST_TEST((written_of(bench.hbm) ==
              std::vector<std::pair<std::uint64_t, std::uint64_t>>{{16, 17}, {18, 20}, {21, 23}}));

  data.assign(7, 0xCC);
  bench.requester.payload.set_command(tlm::TLM_READ_COMMAND);
  bench.requester.payload.set_address(32);
  BOOST_TEST(bench.requester.send() == tlm::TLM_OK_RESPONSE);
  const Bytes8 read = {byte_at(32), 0xCC, byte_at(34), byte_at(35), 0xCC, byte_at(37), byte_at(38)};
  BOOST_TEST(data == read, boost::test_tools::per_element());

  bench.requester.payload.set_byte_enable_length(0);
  BOOST_TEST(bench.requester.send() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  BOOST_TEST(bench.requester.delay == SC_ZERO_TIME);
}

BOOST_AUTO_TEST_CASE(what_it_cannot_do_has_a_status_and_no_effect) {
  PlainBench bench(filled_image(1024));
  Bytes8 data = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto require_refused = [&](tlm::tlm_response_status status) {
    BOOST_TEST(bench.requester.send() == status);
    BOOST_TEST(bench.requester.delay == SC_ZERO_TIME);
    BOOST_TEST(bench.bytes(0, 1)[0] == byte_at(0));
    BOOST_TEST(written_of(bench.hbm).empty());
  };
  bench.requester.prepare(tlm::TLM_WRITE_COMMAND, 0, data);
  bench.requester.payload.set_streaming_width(4);
  require_refused(tlm::TLM_BURST_ERROR_RESPONSE);
  bench.requester.payload.set_streaming_width(0);
  require_refused(tlm::TLM_BURST_ERROR_RESPONSE);
  bench.requester.prepare(tlm::TLM_WRITE_COMMAND, 0, data);
  bench.requester.payload.set_data_length(0);
  require_refused(tlm::TLM_BURST_ERROR_RESPONSE);
  bench.requester.prepare(tlm::TLM_WRITE_COMMAND, 0, data);
  bench.requester.payload.set_data_ptr(nullptr);
  require_refused(tlm::TLM_GENERIC_ERROR_RESPONSE);
  bench.requester.prepare(tlm::TLM_IGNORE_COMMAND, 0, data);
  require_refused(tlm::TLM_OK_RESPONSE);
}

// F32
BOOST_AUTO_TEST_CASE(no_byte_beyond_the_end_is_touched) {
  PlainBench bench(filled_image(0x2000));
  const std::uint64_t end = HbmConfig().capacity.count();
  constexpr std::uint64_t kTop = std::numeric_limits<std::uint64_t>::max();
  Bytes8 data(8, 0x55);
  for (const std::uint64_t address : {end - 4, end, std::uint64_t{0x8000000000001000U}, kTop, kTop - 3}) {
    BOOST_TEST(bench.requester.send(tlm::TLM_WRITE_COMMAND, address, data) ==
               tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(bench.requester.send(tlm::TLM_READ_COMMAND, address, data) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(bench.requester.delay == SC_ZERO_TIME);
  }
  BOOST_TEST(written_of(bench.hbm).empty());
  BOOST_TEST(bench.requester.send(tlm::TLM_WRITE_COMMAND, 0x100001000U, data) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.bytes(0x1000, 1)[0] == byte_at(0x1000));
  BOOST_TEST(bench.requester.send(tlm::TLM_WRITE_COMMAND, end - 8, data) == tlm::TLM_OK_RESPONSE);
}

BOOST_AUTO_TEST_CASE(without_data_a_read_leaves_the_buffer_alone) {
  PlainBench bench(nullptr);
  Bytes8 data(8, 0xCC);
  BOOST_TEST(bench.requester.send(tlm::TLM_READ_COMMAND, 0, data) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(data == Bytes8(8, 0xCC), boost::test_tools::per_element());
  BOOST_TEST(bench.requester.send(tlm::TLM_WRITE_COMMAND, 0, data) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(written_of(bench.hbm).empty());
  bench.requester.payload.set_data_ptr(nullptr);
  BOOST_TEST(bench.requester.send() == tlm::TLM_OK_RESPONSE);
}

// F43
BOOST_AUTO_TEST_CASE(direct_access_is_refused) {
  PlainBench bench(filled_image(16));
  tlm::tlm_dmi grant;
  BOOST_TEST(!bench.requester.socket->get_direct_mem_ptr(bench.requester.payload, grant));
}

namespace {

/// An AT requester that ends each response 30 ns after it began.
class SlowRequester : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<SlowRequester, 64> socket;
  std::vector<sc_core::sc_time> responses;
  std::vector<tlm::tlm_sync_enum> replies;
  PayloadPool pool{256};

  explicit SlowRequester(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_bw(this, &SlowRequester::nb_transport_bw);
    PETAL_HAS_PROCESS(SlowRequester);
    SC_THREAD(run);
    SC_METHOD(end_response);
    sensitive << end_;
    dont_initialize();
  }

 private:
  void run() {
    for (const std::uint64_t address :
         {std::uint64_t{0}, std::uint64_t{256}, std::uint64_t{512}, HbmConfig().capacity.count()}) {
      BurstPayload& payload = pool.acquire();
      payload.request(tlm::TLM_READ_COMMAND, {address, 256, 0}, nullptr);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = ns(5);
      replies.push_back(socket->nb_transport_fw(payload, phase, delay));
      if (replies.back() == tlm::TLM_UPDATED) BOOST_TEST(phase == tlm::END_REQ);
      BOOST_TEST(delay == ns(5));
      if (replies.back() == tlm::TLM_COMPLETED) {
        BOOST_TEST(payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        payload.release();
      }
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    BOOST_TEST(phase == tlm::BEGIN_RESP);
    BOOST_TEST(payload.is_response_ok());
    responses.push_back(sc_core::sc_time_stamp() + delay);
    responding_ = &payload;
    end_.notify(ns(30));
    return tlm::TLM_ACCEPTED;
  }
  void end_response() {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    BOOST_TEST(socket->nb_transport_fw(*responding_, phase, delay) == tlm::TLM_COMPLETED);
    responding_->release();
  }

  tlm::tlm_generic_payload* responding_ = nullptr;
  sc_core::sc_event end_;
};

}  // namespace

// Three blocks on three channels are there at 5 + 8 + 100 ns; the responses follow one another.
BOOST_AUTO_TEST_CASE(a_response_waits_for_the_end_of_the_one_before) {
  SlowRequester requester("requester");
  Hbm hbm("hbm", {});
  requester.socket.bind(hbm.socket);
  sc_core::sc_start();
  BOOST_TEST((requester.replies == std::vector<tlm::tlm_sync_enum>{tlm::TLM_UPDATED, tlm::TLM_UPDATED,
                                                                   tlm::TLM_UPDATED, tlm::TLM_COMPLETED}));
  BOOST_TEST((requester.responses == std::vector<sc_core::sc_time>{ns(113), ns(143), ns(173)}));
  BOOST_TEST(requester.pool.live() == 0U);
}

namespace {

void require_times_at_this_resolution() {
  HbmBench lt("lt", BusProtocol::lt, {});
  HbmBench at("at", BusProtocol::at, {});
  for (HbmBench* const bench : {&lt, &at}) bench->submit(BusChannel::dma_read, run_of(0, 4096), ns(1));
  sc_core::sc_start();
  for (HbmBench* const bench : {&lt, &at}) require_ok(*bench->transfers[0], ns(1), ns(117), "the transfer");
}

}  // namespace

// F17: a block takes 8 ns at any resolution of the host's.
BOOST_AUTO_TEST_CASE(hbm_times_hold_at_10_ps) {
  sc_core::sc_set_time_resolution(10, sc_core::SC_PS);
  require_times_at_this_resolution();
}

BOOST_AUTO_TEST_CASE(hbm_times_hold_at_1_fs) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  require_times_at_this_resolution();
}

BOOST_AUTO_TEST_SUITE_END()
