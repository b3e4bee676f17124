// SPDX-License-Identifier: Apache-2.0
//
// Finisher: the register by which firmware ends the simulation, laid out as RISC-V's test finisher is.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <optional>
#include <systemc>

namespace petal::vp {

/// One register at offset 0, of 4 bytes, write only (it reads 0). 0x5555 in bits 15:0: passed, exit code 0.
/// 0x3333: failed, the exit code stands in bits 31:16 (0 there counts as 1). Other values are ignored.
class Finisher : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Finisher, 64> socket{"socket"};

  explicit Finisher(const sc_core::sc_module_name& name);

  /// What the firmware said; nothing if it has not finished.
  std::optional<std::uint32_t> exit_code() const { return exit_code_; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void finish(std::uint32_t value);

  std::optional<std::uint32_t> exit_code_;
};

}  // namespace petal::vp
