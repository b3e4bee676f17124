// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/ram.hpp"

#include <algorithm>
#include <new>

#include "petal/command/error.hpp"
#include "petal/vp/payload_copy.hpp"

namespace petal::vp {
namespace {

/// Zeroed bytes that cost nothing until they are touched.
std::byte* zeroed(std::uint64_t size) {
  if (size == 0) throw ConfigError("a RAM has 0 bytes; give it at least 1");
  void* bytes = std::calloc(size, 1);
  if (bytes == nullptr) throw std::bad_alloc();
  return static_cast<std::byte*>(bytes);
}

}  // namespace

Ram::Ram(const sc_core::sc_module_name& name, const RamConfig& config)
    : sc_module(name),
      config_(config),
      latency_(host_time_.from_ledger(config.latency)),
      bytes_(zeroed(config.size.count())),
      direct_memory_(config.direct_memory) {
  socket.register_b_transport(this, &Ram::b_transport);
  socket.register_nb_transport_fw(this, &Ram::nb_transport_fw);
  socket.register_get_direct_mem_ptr(this, &Ram::get_direct_mem_ptr);
  socket.register_transport_dbg(this, &Ram::transport_dbg);
  sc_core::sc_spawn_options on_accepted;
  on_accepted.spawn_method();
  on_accepted.dont_initialize();
  on_accepted.set_sensitivity(&accepted_.get_event());
  sc_core::sc_spawn([this] { end_requests(); }, "end_requests", &on_accepted);
  sc_core::sc_spawn_options on_answered;
  on_answered.spawn_method();
  on_answered.dont_initialize();
  on_answered.set_sensitivity(&answered_.get_event());
  sc_core::sc_spawn([this] { send_responses(); }, "send_responses", &on_answered);
}

bool Ram::contains(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t size = config_.size.count();
  return bytes <= size && address <= size - bytes;
}

sc_core::sc_time Ram::occupy(const sc_core::sc_time& delay, std::uint64_t bytes) {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  free_at_ =
      std::max(free_at_, now + delay) + host_time_.from_ledger(config_.bandwidth.duration_of(Bytes(bytes)));
  return free_at_ - now;
}

void Ram::execute(tlm::tlm_generic_payload& payload) {
  if (payload.get_streaming_width() == 0) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  } else if (!contains(payload.get_address(), touched_bytes(payload))) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else {
    copy_payload(payload, bytes_.get() + payload.get_address());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    payload.set_dmi_allowed(direct_memory_ == DirectMemory::granted);
  }
}

void Ram::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  execute(payload);
  if (payload.is_response_ok()) delay = occupy(delay, payload.get_data_length()) + latency_;
}

tlm::tlm_sync_enum Ram::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    payload.acquire();
    execute(payload);
    accepted_.notify(payload, payload.is_response_ok() ? occupy(delay, payload.get_data_length()) : delay);
    return tlm::TLM_ACCEPTED;
  }
  // END_RESP: the next answer may go.
  awaiting_end_of_response_ = false;
  responses_.pop_front();
  payload.release();
  if (!responses_.empty()) answered_.get_event().notify(delay);
  return tlm::TLM_COMPLETED;
}

void Ram::end_requests() {
  while (tlm::tlm_generic_payload* payload = accepted_.get_next_transaction()) {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(*payload, phase, delay);
    answered_.notify(*payload, payload->is_response_ok() ? latency_ : sc_core::SC_ZERO_TIME);
  }
}

void Ram::send_responses() {
  while (tlm::tlm_generic_payload* payload = answered_.get_next_transaction()) responses_.push_back(payload);
  while (!responses_.empty() && !awaiting_end_of_response_) send_response(*responses_.front());
}

void Ram::send_response(tlm::tlm_generic_payload& payload) {
  awaiting_end_of_response_ = true;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = socket->nb_transport_bw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
    awaiting_end_of_response_ = false;
    responses_.pop_front();
    payload.release();
  }
}

bool Ram::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant) {
  grant.init();
  grant.set_start_address(0);
  grant.set_end_address(config_.size.count() - 1);
  if (direct_memory_ == DirectMemory::denied || !contains(payload.get_address(), 1)) return false;
  grant.set_dmi_ptr(reinterpret_cast<unsigned char*>(bytes_.get()));
  grant.allow_read_write();
  return true;
}

unsigned int Ram::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t size = config_.size.count();
  const std::uint64_t address = payload.get_address();
  if (address >= size || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  const auto bytes =
      static_cast<unsigned int>(std::min<std::uint64_t>(payload.get_data_length(), size - address));
  std::byte* const memory = bytes_.get() + address;
  auto* const data = reinterpret_cast<std::byte*>(payload.get_data_ptr());
  if (payload.is_read())
    std::copy_n(memory, bytes, data);
  else
    std::copy_n(data, bytes, memory);
  return bytes;
}

void Ram::revoke_direct_memory() {
  direct_memory_ = DirectMemory::denied;
  socket->invalidate_direct_mem_ptr(0, config_.size.count() - 1);
}

}  // namespace petal::vp
