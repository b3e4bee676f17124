// SPDX-License-Identifier: Apache-2.0
//
// AtInitiator: sends requests by the base protocol's four phases, one until its END_REQ, and writes down when
// what happened. It pools its payloads and knows how many are in use.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

namespace petal::vp::test {

/// What a request came to.
struct AtResult {
  std::uint64_t address;
  tlm::tlm_response_status status;
  sc_core::sc_time request_ended;
  sc_core::sc_time answered;
};

class AtInitiator : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<AtInitiator, 64> socket{"socket"};
  std::vector<AtResult> results;                                       ///< in order of their answers
  std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidations;  ///< first and last address
  sc_core::sc_time end_response_after;                                 ///< how long it holds a response

  explicit AtInitiator(const sc_core::sc_module_name& name);

  /// Queues a request of `bytes` bytes. `data` is kept alive.
  void send(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned int bytes);
  int payloads_in_use() const { return in_use_; }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last);
  void free(tlm::tlm_generic_payload* payload) override;
  void send_next();
  void finish(tlm::tlm_generic_payload& payload);
  void end_response();

  std::deque<tlm::tlm_generic_payload*> waiting_;
  tlm::tlm_generic_payload* on_socket_ = nullptr;
  tlm::tlm_generic_payload* held_ = nullptr;
  std::vector<std::pair<tlm::tlm_generic_payload*, sc_core::sc_time>> ended_;
  sc_core::sc_event next_;
  sc_core::sc_event release_;
  int in_use_ = 0;
};

}  // namespace petal::vp::test
