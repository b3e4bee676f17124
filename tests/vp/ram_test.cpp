// SPDX-License-Identifier: Apache-2.0
//
// Ram: 64 GB/s is 64 bytes a nanosecond; a request of 640 bytes holds the port for 10 ns and is answered 50
// ns later.
#include <tlm_utils/simple_initiator_socket.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <limits>
#include <vector>

#include "petal/command/error.hpp"
#include "petal/vp/ram.hpp"
#include "vp/at_initiator.hpp"

using namespace petal;
using namespace petal::vp;
using namespace petal::vp::test;

namespace {

sc_core::sc_time ns(double count) {
  return {count, sc_core::SC_NS};
}

RamConfig small_ram() {
  RamConfig config;
  config.size = Bytes(0x10000);
  config.latency = Picoseconds(50000);
  config.bandwidth = Bandwidth(64.0);
  return config;
}

struct Invalidation {
  std::uint64_t first;
  std::uint64_t last;
};

struct Request : tlm::tlm_generic_payload {
  Request(tlm::tlm_command command, std::uint64_t address, void* data, unsigned int bytes) {
    set_command(command);
    set_address(address);
    set_data_ptr(static_cast<unsigned char*>(data));
    set_data_length(bytes);
    set_streaming_width(bytes);
  }
};

struct LtBench : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<LtBench, 64> socket{"socket"};
  Ram ram{"ram", small_ram()};
  std::vector<Invalidation> invalidations;

  explicit LtBench(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_invalidate_direct_mem_ptr(this, &LtBench::invalidate);
    socket.bind(ram.socket);
  }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { invalidations.push_back({first, last}); }

  /// Returns the delay, 0 on the way in.
  sc_core::sc_time transport(tlm::tlm_generic_payload& payload,
                             sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(payload, delay);
    return delay;
  }
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data,
                                  unsigned int bytes) {
    Request made(command, address, data, bytes);
    transport(made);
    return made.get_response_status();
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(ram)

BOOST_AUTO_TEST_CASE(requests_queue_for_the_port) {
  LtBench bench("bench");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
  std::vector<unsigned char> data(640);
  Request request(tlm::TLM_READ_COMMAND, 0, data.data(), 640);
  BOOST_TEST(bench.transport(request) == ns(60));
  BOOST_TEST(bench.transport(request) == ns(70));
  BOOST_TEST(bench.transport(request, ns(100)) == ns(160));  // the port has been free since 20
}

// F32
BOOST_AUTO_TEST_CASE(what_does_not_lie_in_it_is_an_address_error_and_moves_nothing) {
  LtBench bench("bench");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
  std::uint64_t ones = ~std::uint64_t{0};
  std::uint64_t data = 7;
  for (const std::uint64_t address :
       {std::uint64_t{0x10000 - 4}, std::uint64_t{0x10000}, std::uint64_t{0x100001000},
        std::uint64_t{0x8000000000001000}, std::numeric_limits<std::uint64_t>::max(),
        std::numeric_limits<std::uint64_t>::max() - 7}) {
    BOOST_TEST(bench.access(tlm::TLM_WRITE_COMMAND, address, &ones, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(bench.access(tlm::TLM_READ_COMMAND, address, &data, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(data == 7U);
  }
  BOOST_TEST(bench.access(tlm::TLM_READ_COMMAND, 0x10000 - 8, &data, 8) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(data == 0U);
  BOOST_TEST(bench.access(tlm::TLM_READ_COMMAND, 0x1000, &data, 8) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(data == 0U);
}

BOOST_AUTO_TEST_CASE(byte_enables_leave_bytes_alone) {
  LtBench bench("bench");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
  unsigned char written[] = {1, 2, 3, 4, 5, 6};
  unsigned char enables[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
  Request write(tlm::TLM_WRITE_COMMAND, 3, written, 6);
  write.set_byte_enable_ptr(enables);
  write.set_byte_enable_length(2);
  bench.transport(write);
  BOOST_TEST(write.is_response_ok());
  unsigned char found[] = {9, 9, 9, 9, 9, 9};
  bench.access(tlm::TLM_READ_COMMAND, 3, found, 6);
  const unsigned char expected[] = {1, 0, 3, 0, 5, 0};
  BOOST_TEST(found == expected, boost::test_tools::per_element());
  unsigned char partly[] = {9, 9, 9, 9, 9, 9};
  Request read(tlm::TLM_READ_COMMAND, 3, partly, 6);
  read.set_byte_enable_ptr(enables);
  read.set_byte_enable_length(2);
  bench.transport(read);
  const unsigned char half[] = {1, 9, 3, 9, 5, 9};
  BOOST_TEST(partly == half, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_streaming_width_wraps) {
  LtBench bench("bench");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
  unsigned char written[] = {1, 2, 3, 4};
  Request write(tlm::TLM_WRITE_COMMAND, 0x10000 - 2, written, 4);
  write.set_streaming_width(2);
  bench.transport(write);
  BOOST_TEST(write.is_response_ok());
  unsigned char found[2];
  bench.access(tlm::TLM_READ_COMMAND, 0x10000 - 2, found, 2);
  const unsigned char expected[] = {3, 4};
  BOOST_TEST(found == expected, boost::test_tools::per_element());
  Request none(tlm::TLM_WRITE_COMMAND, 0, written, 4);
  none.set_streaming_width(0);
  bench.transport(none);
  BOOST_TEST(none.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
}

// F18
BOOST_AUTO_TEST_CASE(debug_accesses_move_what_there_is_and_take_no_time) {
  LtBench bench("bench");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
  unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  Request write(tlm::TLM_WRITE_COMMAND, 0x10000 - 4, data, 8);
  BOOST_TEST(bench.socket->transport_dbg(write) == 4U);
  unsigned char found[8] = {};
  Request read(tlm::TLM_READ_COMMAND, 0x10000 - 4, found, 8);
  BOOST_TEST(bench.socket->transport_dbg(read) == 4U);
  BOOST_TEST(found[3] == 4);
  BOOST_TEST(found[4] == 0);
  Request beyond(tlm::TLM_READ_COMMAND, 0x10000, found, 8);
  BOOST_TEST(bench.socket->transport_dbg(beyond) == 0U);
  Request timed(tlm::TLM_READ_COMMAND, 0, found, 8);
  BOOST_TEST(bench.transport(timed) == ns(50.125));
}

// F43
BOOST_AUTO_TEST_CASE(pointers_are_lent_until_they_are_called_back) {
  LtBench bench("bench");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
  Request request(tlm::TLM_READ_COMMAND, 0x100, nullptr, 0);
  tlm::tlm_dmi grant;
  BOOST_TEST_REQUIRE(bench.socket->get_direct_mem_ptr(request, grant));
  BOOST_TEST(grant.is_read_write_allowed());
  BOOST_TEST(grant.get_start_address() == 0U);
  BOOST_TEST(grant.get_end_address() == 0xFFFFU);
  grant.get_dmi_ptr()[0x100] = 77;
  unsigned char found = 0;
  bench.access(tlm::TLM_READ_COMMAND, 0x100, &found, 1);
  BOOST_TEST(found == 77);
  bench.ram.revoke_direct_memory();
  BOOST_TEST_REQUIRE(bench.invalidations.size() == 1U);
  BOOST_TEST(bench.invalidations[0].first == 0U);
  BOOST_TEST(bench.invalidations[0].last == 0xFFFFU);
  BOOST_TEST(!bench.socket->get_direct_mem_ptr(request, grant));
}

BOOST_AUTO_TEST_CASE(approximately_timed_requests_take_the_same_time) {
  AtInitiator initiator("initiator");
  Ram memory("ram", small_ram());
  initiator.socket.bind(memory.socket);
  std::vector<unsigned char> data(640);
  for (int count = 0; count < 3; ++count) initiator.send(tlm::TLM_READ_COMMAND, 0, data.data(), 640);
  sc_core::sc_start();
  BOOST_TEST_REQUIRE(initiator.results.size() == 3U);
  for (std::size_t index = 0; index < 3; ++index) {
    BOOST_TEST(initiator.results[index].request_ended == ns(10.0 * static_cast<double>(index + 1)));
    BOOST_TEST(initiator.results[index].answered == ns(60 + 10.0 * static_cast<double>(index)));
    BOOST_TEST(initiator.results[index].status == tlm::TLM_OK_RESPONSE);
  }
  BOOST_TEST(initiator.payloads_in_use() == 0);
}

BOOST_AUTO_TEST_CASE(an_initiator_that_holds_responses_delays_the_next_ones) {
  AtInitiator initiator("initiator");
  Ram memory("ram", small_ram());
  initiator.socket.bind(memory.socket);
  initiator.end_response_after = ns(25);
  std::vector<unsigned char> data(640);
  for (int count = 0; count < 3; ++count) initiator.send(tlm::TLM_WRITE_COMMAND, 0, data.data(), 640);
  sc_core::sc_start();
  BOOST_TEST_REQUIRE(initiator.results.size() == 3U);
  BOOST_TEST(initiator.results[0].answered == ns(85));
  BOOST_TEST(initiator.results[1].answered == ns(110));
  BOOST_TEST(initiator.results[2].answered == ns(135));
  BOOST_TEST(initiator.payloads_in_use() == 0);
}

BOOST_AUTO_TEST_CASE(an_approximately_timed_error_is_answered_at_once) {
  AtInitiator initiator("initiator");
  Ram memory("ram", small_ram());
  initiator.socket.bind(memory.socket);
  unsigned char data[8];
  initiator.send(tlm::TLM_READ_COMMAND, 0x10000, data, 8);
  sc_core::sc_start();
  BOOST_TEST_REQUIRE(initiator.results.size() == 1U);
  BOOST_TEST(initiator.results[0].status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(initiator.results[0].answered == sc_core::SC_ZERO_TIME);
}

BOOST_AUTO_TEST_CASE(a_ram_of_nothing_is_refused) {
  BOOST_CHECK_THROW(Ram("empty_ram", RamConfig{}), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
