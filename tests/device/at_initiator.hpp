// SPDX-License-Identifier: Apache-2.0
//
// AtInitiator: a host that speaks the base protocol approximately timed, writes down every phase with its
// time and checks that the target keeps to the rules: END_REQ before BEGIN_RESP, one request until END_REQ,
// one response until END_RESP, a status that is set.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace petal {

/// How the host ends a response.
enum class EndsResponse : std::uint8_t { by_call, by_updated, by_completed };

class AtInitiator : public sc_core::sc_module,
                    private tlm::tlm_bw_transport_if<>,
                    private tlm::tlm_mm_interface {
 public:
  struct Access {
    tlm::tlm_command command = tlm::TLM_READ_COMMAND;
    std::uint64_t address = 0;
    std::vector<unsigned char> data;
  };
  struct Phase {
    std::uint64_t address;
    std::string phase;
    sc_core::sc_time at;
  };
  struct Outcome {
    std::vector<unsigned char> data;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  };

  tlm::tlm_initiator_socket<64> socket;

  explicit AtInitiator(const sc_core::sc_module_name& name);
  ~AtInitiator() override;

  /// Begins the request `delay` from when it can: after END_REQ of the one before.
  void add(const Access& access, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  /// Every response is ended so, `after` its beginning.
  void end_responses(EndsResponse how, const sc_core::sc_time& after);

  const std::vector<Phase>& phases() const { return phases_; }
  /// Broken rules, in words.
  const std::vector<std::string>& faults() const { return faults_; }
  /// By address.
  const std::map<std::uint64_t, Outcome>& outcomes() const { return outcomes_; }
  /// Payloads that somebody still holds.
  std::size_t live() const { return live_; }

 private:
  struct Request {
    Access access;
    sc_core::sc_time delay;
  };

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(tlm::tlm_generic_payload* payload) override;

  void begin_next_request();
  void end_response_by_call();
  void note(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
            const sc_core::sc_time& delay);
  void finish(tlm::tlm_generic_payload& payload);

  EndsResponse ends_response_ = EndsResponse::by_call;
  sc_core::sc_time end_after_;
  std::deque<Request> requests_;
  tlm::tlm_generic_payload* requesting_ = nullptr;
  tlm::tlm_generic_payload* responding_ = nullptr;
  sc_core::sc_time response_channel_busy_until_;
  sc_core::sc_event next_request_;
  sc_core::sc_event end_response_;
  std::vector<Phase> phases_;
  std::vector<std::string> faults_;
  std::map<std::uint64_t, Outcome> outcomes_;
  std::size_t live_ = 0;
};

}  // namespace petal
