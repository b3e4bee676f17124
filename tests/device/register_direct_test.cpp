// SPDX-License-Identifier: Apache-2.0
//
// The TCM behind the registers' target socket, debug transport, direct memory access, and who may bind.
#include <boost/test/unit_test.hpp>

#include "device/register_bench.hpp"

namespace petal {
namespace {

using Data = std::vector<unsigned char>;

constexpr std::uint64_t kTcm = 0x100000;

unsigned int debug(LtBench& bench, Payload& payload) {
  return bench.host.socket->transport_dbg(payload.generic);
}

BOOST_AUTO_TEST_SUITE(register_direct)

BOOST_AUTO_TEST_CASE(the_tcm_is_written_and_read_and_hints_at_dmi) {
  LtBench bench;
  Payload write = write_payload(kTcm + 3, {1, 2, 3, 4, 5});
  BOOST_TEST(bench.transport(write, ns(5)) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.time == ns(13));
  BOOST_TEST(write.generic.is_dmi_allowed());
  BOOST_TEST(bench.read(kTcm + 4, 3) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.data == Data({2, 3, 4}));
  BOOST_TEST(bench.backend.writes.empty());
}

// F32: no aliasing, and nothing below the base or over the end.
BOOST_AUTO_TEST_CASE(an_access_that_leaves_the_tcm_changes_no_byte) {
  LtBench bench;
  BOOST_TEST(bench.write(kTcm, Data(256, 0x11)) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.write(0x1'0000'0000 + kTcm, {0x55}) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(bench.read(0x8000'0000'0000'1000, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(bench.write(kTcm + 252, Data(8, 0x55)) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(bench.read(kTcm - 2, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(bench.data == Data(8, 0xAA));
  BOOST_TEST(bench.read(kTcm, 256) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.data == Data(256, 0x11));
}

// F18: three equal values, no time, no side effect.
BOOST_AUTO_TEST_CASE(debug_reads_change_nothing) {
  LtBench bench;
  bench.backend.block.set(RegisterId::int_status, 0x5);
  for (int i = 0; i < 3; ++i) {
    Payload payload = read_payload(0x100, 4);
    BOOST_TEST(debug(bench, payload) == 4);
    BOOST_TEST(payload.data == Data({5, 0, 0, 0}));
  }
  BOOST_TEST(bench.backend.block.read(RegisterId::int_status) == 0x5);
  BOOST_TEST(bench.backend.writes.empty());
  BOOST_TEST(sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME);
}

// F18: a debugger cannot start the device.
BOOST_AUTO_TEST_CASE(a_debug_write_to_a_register_moves_nothing_and_starts_nothing) {
  LtBench bench;
  for (const std::uint64_t offset : {0x09C, 0x040, 0x080}) {
    Payload payload = write_payload(offset, {1, 0, 0, 0});
    BOOST_TEST(debug(bench, payload) == 0, offset);
  }
  BOOST_TEST(bench.backend.writes.empty());
}

BOOST_AUTO_TEST_CASE(debug_transport_tells_how_many_bytes_it_moved) {
  LtBench bench;
  Payload two = read_payload(0x000, 8);
  BOOST_TEST(debug(bench, two) == 8);
  BOOST_TEST(two.data == Data({'P', 'E', 'T', 'L', 0, 0, 1, 0}));
  Payload unmapped = read_payload(0xFF0, 4);
  BOOST_TEST(debug(bench, unmapped) == 0);
  Payload unaligned = read_payload(0x001, 4);
  BOOST_TEST(debug(bench, unaligned) == 0);
  Payload tcm = write_payload(kTcm + 250, {1, 2, 3, 4, 5, 6});
  BOOST_TEST(debug(bench, tcm) == 6);
  Payload over_the_end = read_payload(kTcm + 250, 7);
  BOOST_TEST(debug(bench, over_the_end) == 0);
  Payload back = read_payload(kTcm + 250, 6);
  BOOST_TEST(debug(bench, back) == 6);
  BOOST_TEST(back.data == tcm.data);
}

// F43, the last part: registers are not memory.
BOOST_AUTO_TEST_CASE(registers_refuse_direct_memory_access) {
  LtBench bench;
  for (const std::uint64_t address :
       {std::uint64_t{0}, std::uint64_t{0xFF0}, kTcm - 1, kTcm + 256, ~std::uint64_t{0}}) {
    Payload payload = read_payload(address, 4);
    tlm::tlm_dmi dmi;
    BOOST_TEST(!bench.host.socket->get_direct_mem_ptr(payload.generic, dmi), address);
    BOOST_TEST(dmi.is_none_allowed());
    BOOST_TEST(dmi.get_start_address() <= address);
    BOOST_TEST(dmi.get_end_address() >= address);
    // The refusal does not cover the TCM.
    BOOST_TEST((dmi.get_end_address() < kTcm || dmi.get_start_address() >= kTcm + 256));
  }
}

BOOST_AUTO_TEST_CASE(the_tcm_grants_direct_memory_access_with_its_latency) {
  LtBench bench;
  Payload payload = write_payload(kTcm + 100, {0x77});
  tlm::tlm_dmi dmi;
  BOOST_REQUIRE(bench.host.socket->get_direct_mem_ptr(payload.generic, dmi));
  BOOST_TEST(dmi.is_read_write_allowed());
  BOOST_TEST(dmi.get_start_address() == kTcm);
  BOOST_TEST(dmi.get_end_address() == kTcm + 255);
  BOOST_TEST(dmi.get_read_latency() == ns(8));
  BOOST_TEST(dmi.get_write_latency() == ns(8));
  dmi.get_dmi_ptr()[100] = 0x42;
  BOOST_TEST(bench.read(kTcm + 100, 1) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.data == Data({0x42}));
  BOOST_TEST(bench.write(kTcm + 101, {0x43}) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(dmi.get_dmi_ptr()[101] == 0x43);
}

BOOST_AUTO_TEST_CASE(without_data_mode_there_is_no_tcm) {
  RecordingBackend backend;
  RegisterTarget target("target", bench_config(), backend);
  LtHost host("host");
  host.socket.bind(target.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  Payload payload = read_payload(kTcm, 4);
  sc_core::sc_time delay;
  host.socket->b_transport(payload.generic, delay);
  BOOST_TEST(payload.generic.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(host.socket->transport_dbg(payload.generic) == 0);
  tlm::tlm_dmi dmi;
  BOOST_TEST(!host.socket->get_direct_mem_ptr(payload.generic, dmi));
  BOOST_TEST(!payload.generic.is_dmi_allowed());
}

/// The message with which elaboration ends.
std::string elaboration_error() {
  try {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  } catch (const sc_core::sc_report& report) {
    return report.what();
  }
  return "";
}

// F50: a second host ends elaboration with an error that names the socket.
BOOST_AUTO_TEST_CASE(a_second_host_is_an_elaboration_error) {
  RegisterBench bench;
  LtHost first("first");
  LtHost second("second");
  first.socket.bind(bench.target.socket);
  std::string error;
  try {
    second.socket.bind(bench.target.socket);
    error = elaboration_error();
  } catch (const sc_core::sc_report& report) {
    error = report.what();
  }
  BOOST_TEST(error.find("target.socket") != std::string::npos, error);
}

BOOST_AUTO_TEST_CASE(a_socket_that_is_left_open_is_named_at_elaboration) {
  RegisterBench bench;
  const std::string error = elaboration_error();
  BOOST_TEST(error.find("target.socket") != std::string::npos, error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
