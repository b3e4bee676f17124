// SPDX-License-Identifier: Apache-2.0
//
// The registers' target socket, loosely timed.
#include <boost/test/unit_test.hpp>

#include "device/register_bench.hpp"
#include "petal/calendar/has_process.hpp"

namespace petal {
namespace {

using Data = std::vector<unsigned char>;

BOOST_AUTO_TEST_SUITE(register_lt)

// F35: a payload on the stack, without a memory manager, is left as it was.
BOOST_AUTO_TEST_CASE(a_payload_without_a_memory_manager_is_answered) {
  LtBench bench;
  Payload payload = read_payload(0x000, 4);
  BOOST_TEST(bench.transport(payload) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(payload.data == Data({'P', 'E', 'T', 'L'}));
  BOOST_TEST(payload.generic.get_ref_count() == 0);
  BOOST_TEST(payload.generic.get_address() == 0);
  BOOST_TEST(payload.generic.get_data_length() == 4);
  BOOST_TEST(!payload.generic.is_dmi_allowed());
}

// The annotated delay says when the access takes effect; what it costs comes on top.
BOOST_AUTO_TEST_CASE(the_delay_is_passed_on_and_grows_by_the_latency) {
  LtBench bench;
  Payload doorbell = write_payload(0x09C, {3, 0, 0, 0});
  BOOST_TEST(bench.transport(doorbell, ns(100)) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.time == ns(120));
  BOOST_REQUIRE(bench.backend.writes.size() == 1);
  BOOST_TEST((bench.backend.writes[0].id == RegisterId::doorbell));
  BOOST_TEST(bench.backend.writes[0].value == 3);
  BOOST_TEST(bench.backend.writes[0].delay == ns(100));
  BOOST_TEST(sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME);
}

// F33, row by row.
BOOST_AUTO_TEST_CASE(an_unmapped_offset_is_an_address_error_at_once) {
  LtBench bench;
  BOOST_TEST(bench.read(0xFF0, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(bench.data == Data(4, 0xAA));
  BOOST_TEST(bench.write(0xFF0, {1, 2, 3, 4}) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(bench.backend.writes.empty());
  BOOST_TEST(bench.time == ns(20));
}

BOOST_AUTO_TEST_CASE(eight_bytes_write_both_registers_the_lower_first) {
  LtBench bench;
  BOOST_TEST(bench.write(0x080, {1, 2, 3, 4, 5, 6, 7, 8}) == tlm::TLM_OK_RESPONSE);
  BOOST_REQUIRE(bench.backend.writes.size() == 2);
  BOOST_TEST((bench.backend.writes[0].id == RegisterId::ring_base_lo));
  BOOST_TEST(bench.backend.writes[0].value == 0x04030201);
  BOOST_TEST((bench.backend.writes[1].id == RegisterId::ring_base_hi));
  BOOST_TEST(bench.backend.writes[1].value == 0x08070605);
  BOOST_TEST(bench.read(0x080, 8) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.data == Data({1, 2, 3, 4, 5, 6, 7, 8}));
  BOOST_TEST(bench.time == ns(20));
}

BOOST_AUTO_TEST_CASE(eight_bytes_of_which_half_is_unmapped_write_neither) {
  LtBench bench;
  BOOST_TEST(bench.write(0x0A8, Data(8, 0xFF)) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(bench.backend.writes.empty());
}

BOOST_AUTO_TEST_CASE(a_disabled_half_is_neither_written_nor_read) {
  LtBench bench;
  Payload write = write_payload(0x080, {1, 2, 3, 4, 5, 6, 7, 8});
  write.set_byte_enables({0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF});
  BOOST_TEST(bench.transport(write) == tlm::TLM_OK_RESPONSE);
  BOOST_REQUIRE(bench.backend.writes.size() == 1);
  BOOST_TEST((bench.backend.writes[0].id == RegisterId::ring_base_hi));
  Payload read = read_payload(0x080, 8);
  read.set_byte_enables({0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF});
  BOOST_TEST(bench.transport(read) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(read.data == Data({0xAA, 0xAA, 0xAA, 0xAA, 5, 6, 7, 8}));
  write.set_byte_enables({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0xFF, 0xFF});
  BOOST_TEST(bench.transport(write) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  BOOST_TEST(bench.backend.writes.size() == 1);
}

BOOST_AUTO_TEST_CASE(sub_word_reads_give_the_right_bytes) {
  LtBench bench;
  BOOST_TEST(bench.read(0x002, 2) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.data == Data({'T', 'L'}));
  BOOST_TEST(bench.read(0x001, 1) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.data == Data({'E'}));
  BOOST_TEST(bench.write(0x002, {1, 2}) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(bench.backend.writes.empty());
}

BOOST_AUTO_TEST_CASE(an_unaligned_read_is_a_burst_error) {
  LtBench bench;
  BOOST_TEST(bench.read(0x001, 4) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(bench.data == Data(4, 0xAA));
}

BOOST_AUTO_TEST_CASE(a_read_only_register_keeps_its_value) {
  LtBench bench;
  BOOST_TEST(bench.write(0x000, {0, 0, 0, 0}) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.read(0x000, 4) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.data == Data({'P', 'E', 'T', 'L'}));
}

/// A backend that gives all ones for everything.
struct Ones : RegisterBackend {
  std::uint32_t read(RegisterId) const override { return 0xFFFFFFFF; }
  void write(RegisterId, std::uint32_t, const sc_core::sc_time&) override {}
};

BOOST_AUTO_TEST_CASE(reserved_and_write_only_bits_read_0_whatever_the_backend_gives) {
  Ones ones;
  RegisterTarget target("target", bench_config(), ones);
  LtHost host("host");
  host.socket.bind(target.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const auto& [offset, expected] : {std::pair<std::uint64_t, Data>{0x040, {1, 0, 0, 0}},
                                         {0x044, {0x1F, 0, 0, 0}},
                                         {0x09C, {0, 0, 0, 0}},
                                         {0x04C, {0xFF, 0xFF, 0xFF, 0}},
                                         {0x108, {0xF, 0, 0, 0}}}) {
    Payload payload = read_payload(offset, 4);
    sc_core::sc_time delay;
    host.socket->b_transport(payload.generic, delay);
    BOOST_TEST(payload.data == expected, offset);
  }
}

BOOST_AUTO_TEST_CASE(an_ignore_command_does_nothing_and_is_ok) {
  LtBench bench;
  Payload payload(tlm::TLM_IGNORE_COMMAND, 0x09C, {1, 2, 3, 4});
  BOOST_TEST(bench.transport(payload) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.backend.writes.empty());
  BOOST_TEST(payload.data == Data({1, 2, 3, 4}));
  BOOST_TEST(bench.host.socket->transport_dbg(payload.generic) == 0);
}

// F34: the handler of an interrupt is an SC_METHOD. A wait() within would end the run with E519.
struct Handler : sc_core::sc_module {
  PETAL_HAS_PROCESS(Handler);
  explicit Handler(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_METHOD(handle);
    sensitive << interrupt;
    dont_initialize();
  }
  void handle() {
    Payload doorbell = write_payload(0x09C, {1, 0, 0, 0});
    Payload clear = write_payload(0x100, {1, 0, 0, 0});
    socket->b_transport(doorbell.generic, delay);
    socket->b_transport(clear.generic, delay);
    ok = doorbell.generic.is_response_ok() && clear.generic.is_response_ok();
  }
  tlm_utils::simple_initiator_socket<Handler, 64> socket;
  sc_core::sc_event interrupt;
  sc_core::sc_time delay;
  bool ok = false;
};

BOOST_AUTO_TEST_CASE(an_sc_method_may_access_registers) {
  RegisterBench bench;
  Handler handler("handler");
  handler.socket.bind(bench.target.socket);
  handler.interrupt.notify(ns(50));
  sc_core::sc_start(ns(60));
  BOOST_TEST(handler.ok);
  // Two accesses of 20 ns; the second takes effect when the first is over.
  BOOST_TEST(handler.delay == ns(40));
  BOOST_REQUIRE(bench.backend.writes.size() == 2);
  BOOST_TEST(bench.backend.writes[0].now == ns(50));
  BOOST_TEST(bench.backend.writes[0].delay == sc_core::SC_ZERO_TIME);
  BOOST_TEST(bench.backend.writes[1].delay == ns(20));
}

// F17: latencies are right at another time resolution.
BOOST_AUTO_TEST_CASE(latencies_hold_at_another_time_resolution) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  LtBench bench;
  BOOST_TEST(bench.read(0x000, 4) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.time == ns(20));
  BOOST_TEST(bench.read(0x100000, 4) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.time == ns(8));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
