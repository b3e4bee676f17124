// SPDX-License-Identifier: Apache-2.0
#include <tlm_utils/simple_initiator_socket.h>

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "petal/vp/finisher.hpp"
#include "petal/vp/uart.hpp"

using namespace petal::vp;

namespace {

struct Master : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Master, 64> socket{"socket"};
  explicit Master(const sc_core::sc_module_name& name) : sc_module(name) {}

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, std::uint32_t& value,
                                  unsigned int bytes = 4) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  tlm::tlm_response_status write(std::uint64_t address, std::uint32_t value, unsigned int bytes = 4) {
    return access(tlm::TLM_WRITE_COMMAND, address, value, bytes);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(devices)

BOOST_AUTO_TEST_CASE(the_uart_sends_lines) {
  std::ostringstream out;
  Master master("master");
  {
    Uart uart("uart", out);
    master.socket.bind(uart.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    BOOST_TEST(master.write(0, 'h') == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(master.write(0, 'i', 1) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(out.str() == "");
    master.write(0, '\n');
    BOOST_TEST(out.str() == "hi\n");
    std::uint32_t status = 0;
    BOOST_TEST(master.access(tlm::TLM_READ_COMMAND, 4, status) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(status == 1U);
    BOOST_TEST(master.write(8, 'x') == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(master.write(0, 'x', 2) == tlm::TLM_BURST_ERROR_RESPONSE);
    BOOST_TEST(master.write(4, 'x', 1) == tlm::TLM_BURST_ERROR_RESPONSE);
    master.write(0, '!');
  }
  BOOST_TEST(out.str() == "hi\n!");
}

BOOST_AUTO_TEST_CASE(the_finisher_tells_the_exit_code) {
  Master master("master");
  Finisher finisher("finisher");
  master.socket.bind(finisher.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  BOOST_TEST(master.write(0, 1) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(!finisher.exit_code());
  BOOST_TEST(master.write(4, 0x5555) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(master.write(0, 0x5555, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
  master.write(0, 0x00073333);
  BOOST_TEST(finisher.exit_code().value() == 7U);
  master.write(0, 0x5555);
  BOOST_TEST(finisher.exit_code().value() == 7U);
}

BOOST_AUTO_TEST_CASE(a_failure_without_a_code_is_1) {
  Master master("master");
  Finisher finisher("finisher");
  master.socket.bind(finisher.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  master.write(0, 0x3333);
  BOOST_TEST(finisher.exit_code().value() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
