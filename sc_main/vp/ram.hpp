// SPDX-License-Identifier: Apache-2.0
//
// Ram: a memory with one port that serves its requests one after the other. A request occupies the port for
// its bytes at the bandwidth; its answer comes the latency after that. Loosely and approximately timed
// accesses go through the same ledger, so that both see the same times.
#pragma once

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <systemc>

#include "petal/calendar/host_time.hpp"
#include "petal/command/units.hpp"

namespace petal::vp {

/// Whether the memory lends out pointers to its bytes.
enum class DirectMemory : std::uint8_t { denied, granted };

struct RamConfig {
  Bytes size{0};                                 ///< addresses 0 to size - 1
  Picoseconds latency{0};                        ///< from the end of the transfer to the answer
  Bandwidth bandwidth = Bandwidth::unlimited();  ///< of the port
  DirectMemory direct_memory = DirectMemory::granted;
};

/// Answers TLM_ADDRESS_ERROR_RESPONSE to whatever does not lie in it wholly, and moves no byte then. Bytes
/// are 0 until written. Direct memory states no latency: who uses it does its own timing.
class Ram : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Ram, 64> socket{"socket"};

  /// Throws ConfigError if the size is 0.
  Ram(const sc_core::sc_module_name& name, const RamConfig& config);

  /// No pointer is lent from now on, and those lent are called back.
  void revoke_direct_memory();

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);
  unsigned int transport_dbg(tlm::tlm_generic_payload& payload);

  void end_requests();
  void send_responses();
  void send_response(tlm::tlm_generic_payload& payload);

  bool contains(std::uint64_t address, std::uint64_t bytes) const;
  /// Moves the data and sets the status.
  void execute(tlm::tlm_generic_payload& payload);
  /// Takes the port for `bytes` bytes, `delay` from now at the earliest. Returns how long from now the port
  /// is in use.
  sc_core::sc_time occupy(const sc_core::sc_time& delay, std::uint64_t bytes);

  const RamConfig config_;
  const HostTime host_time_;
  const sc_core::sc_time latency_;
  std::unique_ptr<std::byte[], Free> bytes_;
  DirectMemory direct_memory_;
  sc_core::sc_time free_at_;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> accepted_{"accepted"};
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> answered_{"answered"};
  std::deque<tlm::tlm_generic_payload*> responses_;  // the first is on the socket, or about to be
  bool awaiting_end_of_response_ = false;
};

}  // namespace petal::vp
