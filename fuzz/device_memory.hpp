// SPDX-License-Identifier: Apache-2.0
//
// DeviceMemory: the memory of the device fuzzer. It checks each access of the device, answers address errors
// outside itself, fails when told to, and shows the device's own registers and TCM at kLoopback, as an
// interconnect may.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "named_accesses.hpp"

namespace petal::fuzz {

/// Says which rule was broken, and ends the process.
[[noreturn]] void broken(const char* rule);
inline void require(bool holds, const char* rule) {
  if (!holds) broken(rule);
}

inline constexpr std::uint64_t kMemoryBytes = 0x40000;
inline constexpr std::uint64_t kLoopback = 0x80000000;
inline constexpr std::uint64_t kLoopbackBytes = 0x200000;

struct DeviceMemoryConfig {
  sc_core::sc_time latency;  ///< of an access
  bool waits = false;        ///< in b_transport; else the latency is annotated
  bool grants_direct_access = false;
  std::uint64_t burst_bytes = 256;  ///< the most an access may have
};

class DeviceMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<DeviceMemory, 64> socket;

  /// Accesses at kLoopback go to `loopback`, with addresses from 0 on.
  using Loopback = std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)>;
  DeviceMemory(const sc_core::sc_module_name& name, const DeviceMemoryConfig& config, Loopback loopback);

  /// All bytes 0, nothing named, no failures to come.
  void clear();
  std::vector<unsigned char>& bytes() { return bytes_; }
  NamedAccesses& named() { return named_; }
  std::uint64_t accesses() const { return accesses_; }
  std::uint64_t writes() const { return writes_; }
  /// After `good` more accesses, `count` accesses are answered with `status` and do nothing;
  /// TLM_INCOMPLETE_RESPONSE: their status is not touched.
  void fail_after(std::uint32_t good, std::uint32_t count, tlm::tlm_response_status status);
  /// Takes direct access back, and moves the memory to another place.
  void move_memory();

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);
  void check(const tlm::tlm_generic_payload& payload) const;
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void serve_by_loopback(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool fails(tlm::tlm_generic_payload& payload);

  const DeviceMemoryConfig config_;
  const Loopback loopback_;
  std::vector<unsigned char> bytes_;
  NamedAccesses named_;
  std::uint64_t accesses_ = 0;
  std::uint64_t writes_ = 0;
  std::uint32_t good_ = 0;
  std::uint32_t failing_ = 0;
  tlm::tlm_response_status failure_ = tlm::TLM_OK_RESPONSE;
};

}  // namespace petal::fuzz
