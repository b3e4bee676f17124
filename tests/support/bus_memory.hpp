// SPDX-License-Identifier: Apache-2.0
//
// BusMemory: what a memory of the bus tests does with a burst, apart from the protocol: it moves the data,
// serves bursts one after another, fails when told to, and writes down what it saw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace petal::test {

struct BusMemoryConfig {
  std::uint64_t base = 0;
  std::uint64_t bytes = std::uint64_t{64} << 10U;
  sc_core::sc_time service;  ///< how long a burst keeps the memory busy
  sc_core::sc_time latency;  ///< from then until it is answered
};

struct SeenBurst {
  sc_core::sc_time time;
  tlm::tlm_command command;
  std::uint64_t address;
  std::uint64_t bytes;
};

class BusMemory {
 public:
  explicit BusMemory(const BusMemoryConfig& config) : config_(config), contents_(config.bytes) {}

  /// Serves a burst that arrives at `arrival`, and returns when it is answered.
  sc_core::sc_time serve(tlm::tlm_generic_payload& payload, const sc_core::sc_time& arrival);

  /// The n-th burst, from 1, gets this status and moves nothing.
  void fail(std::size_t burst, tlm::tlm_response_status status) { failures_[burst] = status; }
  /// The n-th burst is returned as it came.
  void ignore(std::size_t burst) { ignored_.insert(burst); }
  /// The same for every burst that begins at this address.
  void fail_at(std::uint64_t address, tlm::tlm_response_status status) { failures_at_[address] = status; }
  void ignore_at(std::uint64_t address) { failures_at_[address] = tlm::TLM_INCOMPLETE_RESPONSE; }
  /// Bursts that begin at this address have another latency.
  void set_latency_at(std::uint64_t address, const sc_core::sc_time& latency) {
    latencies_at_[address] = latency;
  }
  /// The n-th burst has another latency.
  void set_latency(std::size_t burst, const sc_core::sc_time& latency) { latencies_[burst] = latency; }

  const std::vector<SeenBurst>& seen() const { return seen_; }
  /// What a burst had in it that no initiator may send.
  const std::vector<std::string>& violations() const { return violations_; }
  std::vector<unsigned char>& contents() { return contents_; }
  const BusMemoryConfig& config() const { return config_; }
  /// True if [address, address + bytes) is in it.
  bool holds(std::uint64_t address, std::uint64_t bytes) const;

  void violation(const std::string& what);

 private:
  void check_attributes(const tlm::tlm_generic_payload& payload);
  void move(tlm::tlm_generic_payload& payload);

  const BusMemoryConfig config_;
  std::vector<unsigned char> contents_;
  std::vector<SeenBurst> seen_;
  std::vector<std::string> violations_;
  std::map<std::size_t, tlm::tlm_response_status> failures_;
  std::map<std::uint64_t, tlm::tlm_response_status> failures_at_;
  std::set<std::size_t> ignored_;
  std::map<std::size_t, sc_core::sc_time> latencies_;
  std::map<std::uint64_t, sc_core::sc_time> latencies_at_;
  sc_core::sc_time free_at_;
};

}  // namespace petal::test
