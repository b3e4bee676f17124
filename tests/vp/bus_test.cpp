// SPDX-License-Identifier: Apache-2.0
//
// Two initiators and two memories on a bus. A request of 640 bytes holds a memory for 10 ns; the near one
// answers 50 ns later, the far one 200 ns.
#include <boost/test/unit_test.hpp>
#include <vector>

#include "petal/command/error.hpp"
#include "petal/vp/bus.hpp"
#include "petal/vp/debug_transport.hpp"
#include "petal/vp/ram.hpp"
#include "vp/at_initiator.hpp"

using namespace petal;
using namespace petal::vp;
using namespace petal::vp::test;

namespace {

constexpr std::uint64_t kNear = 0x10000;
constexpr std::uint64_t kFar = 0x40000000;

sc_core::sc_time ns(double count) {
  return {count, sc_core::SC_NS};
}

RamConfig ram_config(std::int64_t latency_ns) {
  RamConfig config;
  config.size = Bytes(0x1000);
  config.latency = Picoseconds(1000 * latency_ns);
  config.bandwidth = Bandwidth(64.0);
  return config;
}

struct BusBench {
  AtInitiator first{"first"};
  AtInitiator second{"second"};
  Bus bus{"bus", 2, AddressMap({{"near", {kNear, 0x1000}}, {"far", {kFar, 0x800}}})};
  Ram near{"near", ram_config(50)};
  Ram far{"far", ram_config(200)};
  std::vector<unsigned char> data = std::vector<unsigned char>(640);

  BusBench() {
    first.socket.bind(bus.from_initiator(0));
    second.socket.bind(bus.from_initiator(1));
    bus.to_target("near").bind(near.socket);
    bus.to_target("far").bind(far.socket);
  }
  void elaborate() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
  void read(AtInitiator& initiator, std::uint64_t address) {
    initiator.send(tlm::TLM_READ_COMMAND, address, data.data(), 640);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(bus)

BOOST_AUTO_TEST_CASE(targets_see_addresses_of_their_own) {
  BusBench bench;
  bench.elaborate();
  unsigned char value = 42;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(kFar + 0x7FF);
  payload.set_data_ptr(&value);
  payload.set_data_length(1);
  payload.set_streaming_width(1);
  sc_core::sc_time delay = ns(1000);
  bench.second.socket->b_transport(payload, delay);
  BOOST_TEST(payload.is_response_ok());
  BOOST_TEST(payload.get_address() == kFar + 0x7FF);
  BOOST_TEST(delay == ns(1200 + 1.0 / 64), boost::test_tools::tolerance(0.0));
  std::byte found{};
  BOOST_TEST(debug_read(*bench.bus.to_target("far").operator->(), 0x7FF, &found, 1) == 1U);
  BOOST_TEST(std::to_integer<int>(found) == 42);
}

// F33: an answer at once, no hang; F32: the last byte's neighbours are nobody's.
BOOST_AUTO_TEST_CASE(addresses_of_nobody_are_errors) {
  BusBench bench;
  bench.elaborate();
  unsigned char data[8];
  for (const std::uint64_t address :
       {std::uint64_t{0}, kNear - 2, kNear + 0xFFC, kFar + 0x7FC, kFar + 0x100000000}) {
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    bench.first.socket->b_transport(payload, delay);
    BOOST_TEST(payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(delay == sc_core::SC_ZERO_TIME);
  }
  BOOST_TEST(debug_read(*bench.first.socket.operator->(), 0, reinterpret_cast<std::byte*>(data), 8) == 0U);
  // The far memory has more bytes than the bus shows of it.
  BOOST_TEST(debug_read(*bench.first.socket.operator->(), kFar + 0x7FC, reinterpret_cast<std::byte*>(data),
                        8) == 4U);
}

BOOST_AUTO_TEST_CASE(lent_pointers_are_translated_both_ways) {
  BusBench bench;
  bench.elaborate();
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(kFar + 0x10);
  tlm::tlm_dmi grant;
  BOOST_TEST_REQUIRE(bench.first.socket->get_direct_mem_ptr(payload, grant));
  BOOST_TEST(grant.get_start_address() == kFar);
  BOOST_TEST(grant.get_end_address() == kFar + 0x7FF);  // not the memory's 0x1000
  bench.far.revoke_direct_memory();
  BOOST_TEST_REQUIRE(bench.first.invalidations.size() == 1U);
  BOOST_TEST(bench.first.invalidations[0].first == kFar);
  BOOST_TEST(bench.first.invalidations[0].second == kFar + 0x7FF);
  payload.set_address(0);
  BOOST_TEST(!bench.first.socket->get_direct_mem_ptr(payload, grant));
}

BOOST_AUTO_TEST_CASE(requests_of_two_initiators_take_turns_at_a_memory) {
  BusBench bench;
  bench.read(bench.first, kNear);
  bench.read(bench.second, kNear + 0x100);
  bench.read(bench.first, kNear + 0x200);
  bench.read(bench.second, kNear + 0x300);
  sc_core::sc_start();
  BOOST_TEST_REQUIRE(bench.first.results.size() == 2U);
  BOOST_TEST_REQUIRE(bench.second.results.size() == 2U);
  BOOST_TEST(bench.first.results[0].answered == ns(60));
  BOOST_TEST(bench.second.results[0].answered == ns(70));
  BOOST_TEST(bench.first.results[1].answered == ns(80));
  BOOST_TEST(bench.second.results[1].answered == ns(90));
  BOOST_TEST(bench.first.results[1].address == kNear + 0x200);  // as it was sent
  BOOST_TEST(bench.first.payloads_in_use() == 0);
}

BOOST_AUTO_TEST_CASE(a_slow_memory_does_not_hold_up_a_fast_one) {
  BusBench bench;
  bench.read(bench.first, kFar);
  bench.read(bench.first, kNear);
  sc_core::sc_start();
  BOOST_TEST_REQUIRE(bench.first.results.size() == 2U);
  BOOST_TEST(bench.first.results[0].address == kNear);
  BOOST_TEST(bench.first.results[0].answered == ns(70));  // sent when the first request had ended, at 10
  BOOST_TEST(bench.first.results[1].answered == ns(210));
}

// The initiator reports an error if a response comes before it has ended the last one.
BOOST_AUTO_TEST_CASE(responses_to_one_initiator_wait_for_each_other) {
  BusBench bench;
  bench.first.end_response_after = ns(300);
  bench.read(bench.first, kFar);
  bench.read(bench.first, kNear);
  sc_core::sc_start();
  BOOST_TEST_REQUIRE(bench.first.results.size() == 2U);
  BOOST_TEST(bench.first.results[0].answered == ns(370));
  BOOST_TEST(bench.first.results[1].answered == ns(670));
  BOOST_TEST(bench.first.payloads_in_use() == 0);
}

BOOST_AUTO_TEST_CASE(an_address_of_nobody_completes_at_once) {
  BusBench bench;
  bench.read(bench.first, 0x20);
  bench.read(bench.first, kNear);
  sc_core::sc_start();
  BOOST_TEST_REQUIRE(bench.first.results.size() == 2U);
  BOOST_TEST(bench.first.results[0].status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(bench.first.results[0].answered == sc_core::SC_ZERO_TIME);
  BOOST_TEST(bench.first.results[1].answered == ns(60));
}

BOOST_AUTO_TEST_CASE(an_unknown_target_is_refused) {
  Bus bus("bus", 1, AddressMap({{"near", {0, 0x1000}}}));
  BOOST_CHECK_THROW(bus.to_target("neer"), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
