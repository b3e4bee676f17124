// SPDX-License-Identifier: Apache-2.0
//
// BusBench: a BusInitiator on a memory of its own, with transfers that live as long as the bench.
#pragma once

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "petal/bus/bus_initiator.hpp"
#include "support/bus_memory.hpp"
#include "support/recorded_transfer.hpp"

namespace petal::test {

inline sc_core::sc_time ns(double count) {
  return {count, sc_core::SC_NS};
}

inline AccessPattern run_of(std::uint64_t address, std::uint64_t bytes) {
  AccessPattern access;
  access.address = address;
  access.run_bytes = bytes;
  return access;
}

/// `rows` runs of `bytes`, `stride` apart.
inline AccessPattern rows_of(std::uint64_t address, std::uint64_t bytes, std::uint64_t rows,
                             std::uint64_t stride) {
  AccessPattern access = run_of(address, bytes);
  access.levels[0] = {rows, stride};
  return access;
}

inline BusConfig bus_config(BusProtocol protocol, std::uint32_t outstanding = 64) {
  BusConfig config;
  config.protocol = protocol;
  config.outstanding = outstanding;
  return config;
}

/// The byte that memories of these tests hold at `index`, and that writes put there.
inline unsigned char byte_at(std::uint64_t index) {
  return static_cast<unsigned char>(index * 7 + index / 256 + 3);
}

template <typename Memory>
struct BusBench {
  template <typename... Arguments>
  BusBench(const std::string& name, const BusConfig& config, Arguments&&... arguments)
      : initiator((name + "_initiator").c_str(), config),
        module((name + "_memory").c_str(), std::forward<Arguments>(arguments)...) {
    initiator.socket.bind(module.socket);
  }

  RecordedTransfer& add(tlm::tlm_command command, const AccessPattern& pattern) {
    transfers.push_back(std::make_unique<RecordedTransfer>(command, pattern));
    return *transfers.back();
  }
  RecordedTransfer& submit(BusChannel channel, const AccessPattern& pattern,
                           const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME) {
    RecordedTransfer& transfer =
        add(channel == BusChannel::dma_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, pattern);
    if (channel == BusChannel::dma_write)
      for (std::size_t byte = 0; byte < transfer.bytes.size(); ++byte)
        transfer.bytes[byte] = static_cast<std::byte>(byte_at(byte));
    initiator.submit(channel, transfer, delay);
    return transfer;
  }
  RecordedTransfer& read(const AccessPattern& pattern) { return submit(BusChannel::dma_read, pattern); }
  RecordedTransfer& write(const AccessPattern& pattern) { return submit(BusChannel::dma_write, pattern); }

  BusInitiator initiator;
  Memory module;
  std::vector<std::unique_ptr<RecordedTransfer>> transfers;
};

/// byte_at() in every byte of a memory.
template <typename Memory>
void fill(Memory& memory) {
  for (std::size_t byte = 0; byte < memory.contents().size(); ++byte) memory.contents()[byte] = byte_at(byte);
}

/// What one of these memories, filled, gives for `pattern`.
inline std::vector<std::byte> expected_bytes(const AccessPattern& pattern, std::uint64_t base = 0) {
  std::vector<std::byte> bytes;
  pattern.for_each_run([&](std::uint64_t address, std::uint64_t count) {
    for (std::uint64_t byte = 0; byte < count; ++byte)
      bytes.push_back(static_cast<std::byte>(byte_at(address + byte - base)));
  });
  return bytes;
}

/// Both calls have come, in time, without an error.
inline void require_ok(const RecordedTransfer& transfer, const sc_core::sc_time& accepted,
                       const sc_core::sc_time& answered, const std::string& what) {
  BOOST_TEST_CONTEXT(what) {
    BOOST_TEST(transfer.accepted_calls == 1);
    BOOST_TEST(transfer.answered_calls == 1);
    BOOST_TEST(transfer.status == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(transfer.fault_address == 0U);
    BOOST_TEST(transfer.accepted_at == accepted);
    BOOST_TEST(transfer.answered_at == answered);
  }
}

/// What a memory has seen was lawful, and everything given to the initiator has come back.
template <typename Memory>
void require_clean(const BusBench<Memory>& bench) {
  for (const std::string& violation : bench.module.memory.violations()) BOOST_ERROR(violation);
  BOOST_TEST(bench.initiator.drained());
  BOOST_TEST(bench.initiator.payloads().live() == 0U);
}

/// "0 ns r0+256": when, which way, and what of each burst a memory has seen.
inline std::vector<std::string> lines_of(const std::vector<SeenBurst>& seen) {
  std::vector<std::string> lines;
  lines.reserve(seen.size());
  for (const SeenBurst& burst : seen)
    lines.push_back(burst.time.to_string() + (burst.command == tlm::TLM_READ_COMMAND ? " r" : " w") +
                    std::to_string(burst.address) + "+" + std::to_string(burst.bytes));
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace petal::test
