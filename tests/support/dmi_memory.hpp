// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <utility>

#include "support/bus_memory.hpp"

namespace petal::test {

/// A memory that annotates its time and offers direct access to all of itself, and may take it back.
class DmiMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<DmiMemory, 64> socket;

  DmiMemory(const sc_core::sc_module_name& name, const BusMemoryConfig& config)
      : sc_module(name), socket("socket"), memory(config) {
    socket.register_b_transport(this, &DmiMemory::b_transport);
    socket.register_get_direct_mem_ptr(this, &DmiMemory::get_direct_mem_ptr);
    grant_whole();
  }

  /// Grants end at `end`, the last address, and state these latencies for a burst.
  void grant(std::uint64_t begin, std::uint64_t end, const sc_core::sc_time& read,
             const sc_core::sc_time& write) {
    range_ = {begin, end};
    read_latency_ = read;
    write_latency_ = write;
  }
  void grant_whole(const sc_core::sc_time& latency = sc_core::SC_ZERO_TIME) {
    grant(memory.config().base, memory.config().base + (memory.config().bytes - 1), latency, latency);
  }
  /// Only this direction is granted.
  void grant_only(tlm::tlm_dmi::dmi_access_e access) { access_ = access; }
  /// Answers that ask for direct access are refused, although bursts carry the hint.
  void refuse() { access_ = tlm::tlm_dmi::DMI_ACCESS_NONE; }

  /// The contents go elsewhere. Every pointer that was given is taken back; its memory, which stays readable,
  /// is filled with 0xEE.
  void move_contents() {
    auto moved = std::make_unique<std::vector<unsigned char>>(memory.contents());
    moved->swap(memory.contents());
    std::fill(moved->begin(), moved->end(), static_cast<unsigned char>(0xEE));
    left_ = std::move(moved);
    socket->invalidate_direct_mem_ptr(range_.first, range_.second);
  }
  /// What lies where the contents were before the last move.
  const std::vector<unsigned char>& left() const { return *left_; }
  unsigned int questions() const { return questions_; }

  BusMemory memory;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    delay = memory.serve(payload, sc_core::sc_time_stamp() + delay) - sc_core::sc_time_stamp();
    payload.set_dmi_allowed(true);
  }

  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    ++questions_;
    dmi.set_start_address(range_.first);
    dmi.set_end_address(range_.second);
    dmi.set_dmi_ptr(memory.contents().data() + (range_.first - memory.config().base));
    dmi.set_read_latency(read_latency_);
    dmi.set_write_latency(write_latency_);
    dmi.set_granted_access(access_);
    return access_ != tlm::tlm_dmi::DMI_ACCESS_NONE;
  }

  std::pair<std::uint64_t, std::uint64_t> range_;
  sc_core::sc_time read_latency_;
  sc_core::sc_time write_latency_;
  tlm::tlm_dmi::dmi_access_e access_ = tlm::tlm_dmi::DMI_ACCESS_READ_WRITE;
  std::unique_ptr<std::vector<unsigned char>> left_;
  unsigned int questions_ = 0;
};

}  // namespace petal::test
