// SPDX-License-Identifier: Apache-2.0
//
// Uart: the transmitting half of a serial port, which is never busy. What is written goes to a stream, a line
// at a time.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <ostream>
#include <string>
#include <systemc>

namespace petal::vp {

/// | offset | name   | access | meaning                                 |
/// |--------|--------|--------|-----------------------------------------|
/// | 0x0    | DATA   | WO     | bits 7:0 are sent; reads 0              |
/// | 0x4    | STATUS | RO     | bit 0: ready, always 1; writes ignored  |
/// Accesses of 4 bytes, of 1 to DATA; others get TLM_BURST_ERROR_RESPONSE. An access never waits.
class Uart : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Uart, 64> socket{"socket"};

  /// `out` outlives the module.
  Uart(const sc_core::sc_module_name& name, std::ostream& out);
  ~Uart() override;

  /// Sends on what stands in an unfinished line.
  void flush();

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload);
  void send(char character);

  std::ostream& out_;
  std::string line_;
};

}  // namespace petal::vp
