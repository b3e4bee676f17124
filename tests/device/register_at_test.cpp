// SPDX-License-Identifier: Apache-2.0
//
// The registers' target socket, approximately timed. A register access takes 20 ns, a TCM access 8 ns.
#include <boost/test/unit_test.hpp>

#include "device/at_initiator.hpp"
#include "device/register_bench.hpp"

TLM_DECLARE_EXTENDED_PHASE(CALL_ME_BACK);

namespace petal {
namespace {

using Data = std::vector<unsigned char>;
using Access = AtInitiator::Access;

constexpr std::uint64_t kTcm = 0x100000;

struct AtBench : RegisterBench {
  AtBench() { host.socket.bind(target.socket); }
  /// Phases as "address NAME at".
  std::vector<std::string> phases() const {
    std::vector<std::string> lines;
    for (const AtInitiator::Phase& phase : host.phases())
      lines.push_back(std::to_string(phase.address) + " " + phase.phase + " " + phase.at.to_string());
    return lines;
  }
  void check_done() const {
    for (const std::string& fault : host.faults()) BOOST_ERROR(fault);
    BOOST_TEST(host.live() == 0);
  }

  AtInitiator host{"host"};
};

void check_phases(const AtBench& bench, const std::vector<std::string>& expected) {
  const std::vector<std::string> phases = bench.phases();
  BOOST_TEST(phases == expected, boost::test_tools::per_element());
}

Access reads(std::uint64_t address, std::size_t bytes = 4) {
  return {tlm::TLM_READ_COMMAND, address, Data(bytes, 0xAA)};
}

BOOST_AUTO_TEST_SUITE(register_at)

BOOST_AUTO_TEST_CASE(the_access_takes_its_time_between_request_and_response) {
  AtBench bench;
  bench.host.end_responses(EndsResponse::by_call, ns(3));
  bench.host.add({tlm::TLM_WRITE_COMMAND, 0x09C, {7, 0, 0, 0}});
  sc_core::sc_start(ns(100));
  check_phases(bench, {"156 BEGIN_REQ 0 s", "156 END_REQ 0 s", "156 BEGIN_RESP 20 ns", "156 END_RESP 23 ns"});
  BOOST_REQUIRE(bench.backend.writes.size() == 1);
  BOOST_TEST(bench.backend.writes[0].now == sc_core::SC_ZERO_TIME);
  BOOST_TEST(bench.host.outcomes().at(0x09C).status == tlm::TLM_OK_RESPONSE);
  bench.check_done();
}

// The delay of a request is waited for; the access then happens without one.
BOOST_AUTO_TEST_CASE(a_delayed_request_takes_effect_at_its_time) {
  AtBench bench;
  bench.host.add({tlm::TLM_WRITE_COMMAND, 0x09C, {7, 0, 0, 0}}, ns(100));
  sc_core::sc_start(ns(200));
  BOOST_REQUIRE(bench.backend.writes.size() == 1);
  BOOST_TEST(bench.backend.writes[0].now == ns(100));
  BOOST_TEST(bench.backend.writes[0].delay == sc_core::SC_ZERO_TIME);
  check_phases(
      bench, {"156 BEGIN_REQ 100 ns", "156 END_REQ 100 ns", "156 BEGIN_RESP 120 ns", "156 END_RESP 120 ns"});
  bench.check_done();
}

// The second response is ready at 20 ns too and waits until the first has ended.
BOOST_AUTO_TEST_CASE(one_response_at_a_time) {
  AtBench bench;
  bench.host.end_responses(EndsResponse::by_call, ns(15));
  bench.host.add(reads(0x000));
  bench.host.add(reads(0x004));
  sc_core::sc_start(ns(100));
  check_phases(bench, {"0 BEGIN_REQ 0 s", "0 END_REQ 0 s", "4 BEGIN_REQ 0 s", "4 END_REQ 0 s",
                       "0 BEGIN_RESP 20 ns", "0 END_RESP 35 ns", "4 BEGIN_RESP 35 ns", "4 END_RESP 50 ns"});
  BOOST_TEST(bench.host.outcomes().at(0x000).data == Data({'P', 'E', 'T', 'L'}));
  BOOST_TEST(bench.host.outcomes().at(0x004).data == Data({0, 0, 1, 0}));
  bench.check_done();
}

BOOST_AUTO_TEST_CASE(a_response_that_is_ready_earlier_comes_first) {
  AtBench bench;
  bench.host.add(reads(0x000));
  bench.host.add(reads(kTcm, 16));
  sc_core::sc_start(ns(100));
  check_phases(
      bench, {"0 BEGIN_REQ 0 s", "0 END_REQ 0 s", "1048576 BEGIN_REQ 0 s", "1048576 END_REQ 0 s",
              "1048576 BEGIN_RESP 8 ns", "1048576 END_RESP 8 ns", "0 BEGIN_RESP 20 ns", "0 END_RESP 20 ns"});
  bench.check_done();
}

/// Three reads whose responses the host ends in its answer to BEGIN_RESP, 15 ns later.
void check_short_ends(EndsResponse how) {
  AtBench bench;
  bench.host.end_responses(how, ns(15));
  for (const std::uint64_t offset : {0x000, 0x004, 0x040}) bench.host.add(reads(offset));
  sc_core::sc_start(ns(200));
  std::vector<std::string> responses;
  for (const std::string& phase : bench.phases())
    if (phase.find("RESP") != std::string::npos) responses.push_back(phase);
  const std::vector<std::string> expected{"0 BEGIN_RESP 20 ns", "4 BEGIN_RESP 35 ns", "64 BEGIN_RESP 50 ns"};
  BOOST_TEST(responses == expected, boost::test_tools::per_element());
  bench.check_done();
}

BOOST_AUTO_TEST_CASE(a_host_may_end_the_response_by_updating_the_phase) {
  check_short_ends(EndsResponse::by_updated);
}

BOOST_AUTO_TEST_CASE(a_host_may_end_the_response_by_completing) {
  check_short_ends(EndsResponse::by_completed);
}

BOOST_AUTO_TEST_CASE(refused_accesses_are_answered_too) {
  AtBench bench;
  bench.host.add(reads(0xFF0));
  bench.host.add(reads(0x001));
  bench.host.add({tlm::TLM_WRITE_COMMAND, 0x0A8, Data(8)});
  sc_core::sc_start(ns(200));
  BOOST_TEST(bench.host.outcomes().at(0xFF0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(bench.host.outcomes().at(0x001).status == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(bench.host.outcomes().at(0x0A8).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(bench.backend.writes.empty());
  bench.check_done();
}

// F35: every payload is given back.
BOOST_AUTO_TEST_CASE(no_payload_is_left_after_many_accesses) {
  AtBench bench;
  bench.host.end_responses(EndsResponse::by_call, ns(1));
  for (std::uint64_t i = 0; i < 10'000; ++i) bench.host.add(reads(kTcm + i % 256, 1));
  sc_core::sc_start();
  // All are requested at 0; the first response begins at 8 ns, each holds the channel for 1 ns.
  BOOST_TEST(sc_core::sc_time_stamp() == ns(10'008));
  bench.check_done();
}

/// An initiator for phases that no good host sends.
struct RawHost : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
  explicit RawHost(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    ++calls;
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  tlm::tlm_sync_enum send(Payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    return socket->nb_transport_fw(payload.generic, phase, delay);
  }
  tlm::tlm_initiator_socket<64> socket;
  int calls = 0;
};

struct RawBench : RegisterBench {
  RawBench() {
    host.socket.bind(target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  RawHost host{"host"};
};

BOOST_AUTO_TEST_CASE(a_phase_outside_the_base_protocol_is_ignored) {
  RawBench bench;
  Payload payload = write_payload(0x09C, {1, 0, 0, 0});
  BOOST_TEST(bench.host.send(payload, CALL_ME_BACK) == tlm::TLM_ACCEPTED);
  sc_core::sc_start(ns(100));
  BOOST_TEST(bench.host.calls == 0);
  BOOST_TEST(bench.backend.writes.empty());
  BOOST_TEST(payload.generic.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
}

BOOST_AUTO_TEST_CASE(phases_that_are_the_targets_are_reported) {
  RawBench bench;
  Payload payload = read_payload(0x000, 4);
  BOOST_CHECK_THROW(bench.host.send(payload, tlm::BEGIN_RESP), sc_core::sc_report);
  BOOST_CHECK_THROW(bench.host.send(payload, tlm::END_REQ), sc_core::sc_report);
  BOOST_CHECK_THROW(bench.host.send(payload, tlm::END_RESP), sc_core::sc_report);
}

BOOST_AUTO_TEST_CASE(a_response_is_ended_once) {
  RawBench bench;
  Payload payload = read_payload(0x000, 4);
  BOOST_TEST(bench.host.send(payload, tlm::BEGIN_REQ) == tlm::TLM_ACCEPTED);
  BOOST_CHECK_THROW(bench.host.send(payload, tlm::END_RESP), sc_core::sc_report);
  sc_core::sc_start(ns(30));
  BOOST_TEST(bench.host.calls == 2);
  BOOST_TEST(bench.host.send(payload, tlm::END_RESP) == tlm::TLM_COMPLETED);
  BOOST_CHECK_THROW(bench.host.send(payload, tlm::END_RESP), sc_core::sc_report);
  sc_core::sc_start(ns(10));
  BOOST_CHECK_THROW(bench.host.send(payload, tlm::END_RESP), sc_core::sc_report);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
