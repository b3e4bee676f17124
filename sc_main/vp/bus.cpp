// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/bus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "petal/command/error.hpp"
#include "petal/vp/payload_copy.hpp"

namespace petal::vp {

/// The bus's side of an initiator, and the responses on their way to it.
struct Bus::Initiator {
  explicit Initiator(std::size_t index)
      : socket(fmt::format("from_initiator_{}", index).c_str()),
        ready(fmt::format("responses_{}", index).c_str()) {}

  TargetSide socket;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> ready;
  std::deque<tlm::tlm_generic_payload*> responses;
  tlm::tlm_generic_payload* on_socket = nullptr;  // a BEGIN_RESP without its END_RESP
  sc_core::sc_time free_at;
};

/// The bus's side of a target, and the requests on their way to it.
struct Bus::Target {
  Target(const std::string& name, const AddressRange& addresses)
      : socket(fmt::format("to_{}", name).c_str()),
        ready(fmt::format("requests_{}", name).c_str()),
        free_again(fmt::format("free_again_{}", name).c_str()),
        range(addresses) {}

  InitiatorSide socket;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> ready;
  sc_core::sc_event free_again;
  AddressRange range;
  std::deque<tlm::tlm_generic_payload*> requests;
  tlm::tlm_generic_payload* on_socket = nullptr;  // a BEGIN_REQ without its END_REQ
  sc_core::sc_time free_at;
};

namespace {

void spawn_method(const char* name, std::function<void()> body,
                  std::initializer_list<const sc_core::sc_event*> events) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  for (const sc_core::sc_event* event : events) options.set_sensitivity(event);
  sc_core::sc_spawn(std::move(body), sc_core::sc_gen_unique_name(name), &options);
}

}  // namespace

Bus::Bus(const sc_core::sc_module_name& name, std::size_t initiators, AddressMap map)
    : sc_module(name), map_(std::move(map)) {
  for (std::size_t index = 0; index < initiators; ++index) {
    Initiator& initiator = *initiators_.emplace_back(std::make_unique<Initiator>(index));
    const int tag = static_cast<int>(index);
    initiator.socket.register_b_transport(this, &Bus::b_transport, tag);
    initiator.socket.register_nb_transport_fw(this, &Bus::nb_transport_fw, tag);
    initiator.socket.register_get_direct_mem_ptr(this, &Bus::get_direct_mem_ptr, tag);
    initiator.socket.register_transport_dbg(this, &Bus::transport_dbg, tag);
    spawn_method("send_responses", [this, &initiator] { send_responses(initiator); },
                 {&initiator.ready.get_event()});
  }
  for (const AddressMapEntry& entry : map_.entries()) {
    Target& target = *targets_.emplace_back(std::make_unique<Target>(entry.name, entry.range));
    const int tag = static_cast<int>(targets_.size()) - 1;
    target.socket.register_nb_transport_bw(this, &Bus::nb_transport_bw, tag);
    target.socket.register_invalidate_direct_mem_ptr(this, &Bus::invalidate_direct_mem_ptr, tag);
    spawn_method("send_requests", [this, &target] { send_requests(target); },
                 {&target.ready.get_event(), &target.free_again});
  }
}

Bus::~Bus() = default;

Bus::TargetSide& Bus::from_initiator(std::size_t index) {
  return initiators_.at(index)->socket;
}

Bus::InitiatorSide& Bus::to_target(const std::string& name) {
  for (std::size_t index = 0; index < targets_.size(); ++index)
    if (map_.entries()[index].name == name) return targets_[index]->socket;
  throw ConfigError(fmt::format("the bus has no target {}; name one of its address map", name));
}

Bus::Target* Bus::find(const tlm::tlm_generic_payload& payload) const {
  const auto index = map_.find(payload.get_address(), touched_bytes(payload));
  return index ? targets_[*index].get() : nullptr;
}

void Bus::b_transport(int /*initiator*/, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  Target* const target = find(payload);
  if (target == nullptr) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const std::uint64_t address = payload.get_address();
  payload.set_address(address - target->range.begin);
  target->socket->b_transport(payload, delay);
  payload.set_address(address);
}

unsigned int Bus::transport_dbg(int /*initiator*/, tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const auto index = map_.find(address);
  if (!index) return 0;
  Target& target = *targets_[*index];
  const unsigned int length = payload.get_data_length();
  const std::uint64_t room =
      target.range.last() - address;  // one byte less than there is: it cannot overflow
  if (length > room) payload.set_data_length(static_cast<unsigned int>(room + 1));
  payload.set_address(address - target.range.begin);
  const unsigned int moved = target.socket->transport_dbg(payload);
  payload.set_address(address);
  payload.set_data_length(length);
  return moved;
}

bool Bus::get_direct_mem_ptr(int /*initiator*/, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant) {
  const std::uint64_t address = payload.get_address();
  const auto index = map_.find(address);
  if (!index) {
    grant.init();
    grant.set_start_address(address);
    grant.set_end_address(address);
    return false;
  }
  const AddressRange& range = map_.entries()[*index].range;
  payload.set_address(address - range.begin);
  const bool granted = targets_[*index]->socket->get_direct_mem_ptr(payload, grant);
  payload.set_address(address);
  grant.set_end_address(range.begin + std::min<std::uint64_t>(grant.get_end_address(), range.bytes - 1));
  grant.set_start_address(range.begin + std::min<std::uint64_t>(grant.get_start_address(), range.bytes - 1));
  return granted;
}

void Bus::invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last) {
  const AddressRange& range = targets_[static_cast<std::size_t>(target)]->range;
  if (first >= range.bytes || last < first) return;
  const std::uint64_t from = range.begin + first;
  const std::uint64_t to = range.begin + std::min<std::uint64_t>(last, range.bytes - 1);
  for (const auto& initiator : initiators_) initiator->socket->invalidate_direct_mem_ptr(from, to);
}

tlm::tlm_sync_enum Bus::nb_transport_fw(int initiator, tlm::tlm_generic_payload& payload,
                                        tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  Initiator& from = *initiators_[static_cast<std::size_t>(initiator)];
  if (phase == tlm::BEGIN_REQ) return begin_request(from, payload, delay);
  if (phase == tlm::END_RESP) return end_response(from, payload, delay);
  return tlm::TLM_ACCEPTED;  // phases that are not the base protocol's may be ignored
}

tlm::tlm_sync_enum Bus::begin_request(Initiator& initiator, tlm::tlm_generic_payload& payload,
                                      const sc_core::sc_time& delay) {
  Target* const target = find(payload);
  if (target == nullptr) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  routes_[&payload] = {&initiator, target, payload.get_address(), false, false};
  payload.set_address(payload.get_address() - target->range.begin);
  target->ready.notify(payload, delay);
  return tlm::TLM_ACCEPTED;
}

void Bus::send_requests(Target& target) {
  while (tlm::tlm_generic_payload* payload = target.ready.get_next_transaction())
    target.requests.push_back(payload);
  while (!target.requests.empty() && target.on_socket == nullptr &&
         target.free_at <= sc_core::sc_time_stamp()) {
    tlm::tlm_generic_payload* const payload = target.requests.front();
    target.requests.pop_front();
    send_request(target, *payload);
  }
}

void Bus::send_request(Target& target, tlm::tlm_generic_payload& payload) {
  target.on_socket = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = target.socket->nb_transport_fw(payload, phase, delay);
  Route& route = routes_.at(&payload);
  if (answer == tlm::TLM_COMPLETED) {
    end_request(route, delay);
    route.initiator->ready.notify(payload, delay);
  } else if (answer == tlm::TLM_UPDATED) {
    receive(route, payload, phase, delay);
  }
}

tlm::tlm_sync_enum Bus::nb_transport_bw(int /*target*/, tlm::tlm_generic_payload& payload,
                                        tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  receive(routes_.at(&payload), payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

void Bus::receive(Route& route, tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                  const sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) {
    end_request(route, delay);
    tlm::tlm_phase forwarded_phase = tlm::END_REQ;
    sc_core::sc_time forwarded = delay;
    route.initiator->socket->nb_transport_bw(payload, forwarded_phase, forwarded);
  } else if (phase == tlm::BEGIN_RESP) {
    if (!route.request_ended) end_request(route, delay);  // a response implies it, for the initiator too
    route.response_held = true;
    route.initiator->ready.notify(payload, delay);
  }
}

void Bus::end_request(Route& route, const sc_core::sc_time& delay) {
  Target& target = *route.target;
  target.on_socket = nullptr;
  target.free_at = sc_core::sc_time_stamp() + delay;
  target.free_again.notify(delay);
  route.request_ended = true;
}

void Bus::send_responses(Initiator& initiator) {
  while (tlm::tlm_generic_payload* payload = initiator.ready.get_next_transaction())
    initiator.responses.push_back(payload);
  while (!initiator.responses.empty() && initiator.on_socket == nullptr &&
         initiator.free_at <= sc_core::sc_time_stamp()) {
    tlm::tlm_generic_payload* const payload = initiator.responses.front();
    initiator.responses.pop_front();
    send_response(initiator, *payload);
  }
}

void Bus::send_response(Initiator& initiator, tlm::tlm_generic_payload& payload) {
  initiator.on_socket = &payload;
  payload.set_address(routes_.at(&payload).address);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = initiator.socket->nb_transport_bw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    end_response(initiator, payload, delay);
}

tlm::tlm_sync_enum Bus::end_response(Initiator& initiator, tlm::tlm_generic_payload& payload,
                                     sc_core::sc_time& delay) {
  const Route route = routes_.at(&payload);
  initiator.on_socket = nullptr;
  initiator.free_at = sc_core::sc_time_stamp() + delay;
  if (route.response_held) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time forwarded = delay;
    route.target->socket->nb_transport_fw(payload, phase, forwarded);
  }
  routes_.erase(&payload);
  payload.release();
  if (!initiator.responses.empty()) initiator.ready.get_event().notify(delay);
  return tlm::TLM_COMPLETED;
}

}  // namespace petal::vp
