// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include "support/bus_memory.hpp"

namespace petal::test {

/// How a memory makes a burst take its time: it waits in b_transport, or adds to the delay.
enum class LtStyle { waits, annotates };

class LtMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<LtMemory, 64> socket;

  LtMemory(const sc_core::sc_module_name& name, const BusMemoryConfig& config, LtStyle style)
      : sc_module(name), socket("socket"), memory(config), style_(style) {
    socket.register_b_transport(this, &LtMemory::b_transport);
  }

  BusMemory memory;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const sc_core::sc_time arrival = sc_core::sc_time_stamp() + delay;
    const sc_core::sc_time answer = memory.serve(payload, arrival);
    delay = answer - sc_core::sc_time_stamp();
    if (style_ == LtStyle::annotates) return;
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }

  const LtStyle style_;
};

}  // namespace petal::test
