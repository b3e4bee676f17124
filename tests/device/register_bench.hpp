// SPDX-License-Identifier: Apache-2.0
//
// RegisterBench: a RegisterTarget with 20 ns a register access and 8 ns a TCM access, a backend that records,
// 256 bytes of TCM, and the means of a loosely timed host.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <optional>
#include <systemc>

#include "device/payload.hpp"
#include "device/recording_backend.hpp"
#include "petal/device/register_target.hpp"
#include "petal/memory/dense_memory.hpp"

namespace petal {

inline sc_core::sc_time ns(double count) {
  return {count, sc_core::SC_NS};
}

inline RegisterTargetConfig bench_config() {
  RegisterTargetConfig config;
  config.register_latency = Picoseconds(20'000);
  config.tcm_latency = Picoseconds(8'000);
  config.tcm = Bytes(256);
  return config;
}

struct LtHost : sc_core::sc_module {
  explicit LtHost(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {}
  tlm_utils::simple_initiator_socket<LtHost, 64> socket;
};

struct RegisterBench {
  RecordingBackend backend;
  DenseMemory tcm{"pe0.tcm", 1024};
  RegisterTarget target{"target", bench_config(), backend, &tcm};
};

struct LtBench : RegisterBench {
  LtBench() {
    host.socket.bind(target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  /// Makes the access `delay` ahead. `time` is what the delay is afterwards.
  tlm::tlm_response_status transport(Payload& payload,
                                     const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME) {
    time = delay;
    host.socket->b_transport(payload.generic, time);
    return payload.generic.get_response_status();
  }
  tlm::tlm_response_status read(std::uint64_t address, std::size_t bytes) {
    Payload payload = read_payload(address, bytes);
    const tlm::tlm_response_status status = transport(payload);
    data = payload.data;
    return status;
  }
  tlm::tlm_response_status write(std::uint64_t address, std::vector<unsigned char> bytes) {
    Payload payload = write_payload(address, std::move(bytes));
    return transport(payload);
  }

  LtHost host{"host"};
  sc_core::sc_time time;
  std::vector<unsigned char> data;
};

}  // namespace petal
