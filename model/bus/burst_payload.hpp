// SPDX-License-Identifier: Apache-2.0
//
// BurstPayload: the generic payload of one burst, with a buffer of its own. A memory may write to the buffer
// for as long as the burst is under way, even if the transfer it belonged to has been forgotten and its data
// has gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tlm>
#include <vector>

#include "petal/bus/burst_split.hpp"

namespace petal {

class ChannelQueue;
struct PendingTransfer;

class BurstPayload final : public tlm::tlm_generic_payload {
 public:
  /// For bursts of up to `burst_bytes`. `pool` gets it back when its last user has released it.
  BurstPayload(tlm::tlm_mm_interface& pool, std::uint64_t burst_bytes);

  /// Sets every attribute anew for `burst`. `data` is where the burst's bytes are, or will be, with the
  /// client; a read takes what is there along, so that a memory that holds no data leaves it as it is. Null:
  /// no data; a write then has all its bytes disabled.
  void request(tlm::tlm_command command, const Burst& burst, const std::byte* data);
  /// Copies what was read to `data`.
  void fetch(std::byte* data) const;

  const Burst& burst() const { return burst_; }

  // Kept by the initiator while the burst is under way.
  std::uint64_t number = 0;  ///< in the order of issue, from 1; 0: not under way
  ChannelQueue* channel = nullptr;
  PendingTransfer* transfer = nullptr;
  bool taken = false;              ///< END_REQ has come, by itself or with the answer
  bool answer_comes = false;       ///< BEGIN_RESP has come, or the end of the transaction
  bool owes_end_response = false;  ///< BEGIN_RESP came as a return value, which END_RESP must answer

 private:
  Burst burst_;
  std::vector<unsigned char> buffer_;
  std::vector<unsigned char> all_disabled_;
};

}  // namespace petal
