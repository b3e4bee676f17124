// SPDX-License-Identifier: Apache-2.0
//
// RegisterTarget: the device's target socket. It brings accesses of the TLM base protocol, loosely and
// approximately timed, to the registers and the TCM; docs/registers.md says how it answers. It never waits.
#pragma once

// What the queue below needs of SystemC; a host that includes <systemc> first need not have asked for it.
#include <sysc/kernel/sc_dynamic_processes.h>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include <deque>
#include <systemc>
#include <tlm>

#include "petal/calendar/host_time.hpp"
#include "petal/command/units.hpp"
#include "petal/device/register_access.hpp"
#include "petal/device/register_backend.hpp"
#include "petal/device/tcm_window.hpp"

namespace petal {

struct RegisterTargetConfig {
  Picoseconds register_latency{0};  ///< what an access to registers takes, refused ones too
  Picoseconds tcm_latency{0};       ///< what an access to the TCM takes, whatever its length
  Bytes tcm{0};                     ///< size of the window on the TCM
};

class RegisterTarget : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  /// The host. One initiator; several need an interconnect between.
  tlm::tlm_target_socket<64> socket;

  /// `tcm` null: no TCM behind the socket. Both must outlive the simulation. Throws ConfigError if the TCM is
  /// smaller than its window.
  RegisterTarget(const sc_core::sc_module_name& name, const RegisterTargetConfig& config,
                 RegisterBackend& backend, ByteMemory* tcm = nullptr);

 private:
  using Queue = tlm_utils::peq_with_cb_and_phase<RegisterTarget>;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;

  sc_core::sc_time access(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  tlm::tlm_response_status access_registers(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void read(const RegisterPart& part, unsigned char* data) const;
  void write(const RegisterPart& part, const unsigned char* data, const sc_core::sc_time& delay);

  void refuse(std::uint64_t address, tlm::tlm_dmi& dmi) const;

  // Approximately timed: what is due now.
  void on_phase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  void begin_request(tlm::tlm_generic_payload& payload);
  void begin_next_response();
  void end_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void release_response_channel();

  const sc_core::sc_time register_latency_;
  const sc_core::sc_time tcm_latency_;
  RegisterBackend& backend_;
  TcmWindow tcm_;
  Queue queue_;
  std::deque<tlm::tlm_generic_payload*> answered_;  // their responses have not begun
  tlm::tlm_generic_payload* responding_ = nullptr;  // its response has begun
  bool response_ended_ = false;                     // the host has said so; it holds after its delay
};

}  // namespace petal
