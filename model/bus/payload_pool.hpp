// SPDX-License-Identifier: Apache-2.0
//
// PayloadPool: the payloads of bursts, used again when everyone has released them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "petal/bus/burst_payload.hpp"

namespace petal {

class PayloadPool : private tlm::tlm_mm_interface {
 public:
  /// For bursts of up to `burst_bytes`.
  explicit PayloadPool(std::uint64_t burst_bytes) : burst_bytes_(burst_bytes) {}

  /// A payload of which the caller holds the only reference; the last release() gives it back.
  BurstPayload& acquire();
  /// Payloads that someone holds, now and at most so far.
  std::uint64_t live() const { return payloads_.size() - free_.size(); }
  std::uint64_t peak() const { return payloads_.size(); }

 private:
  void free(tlm::tlm_generic_payload* payload) override;

  const std::uint64_t burst_bytes_;
  std::vector<std::unique_ptr<BurstPayload>> payloads_;  // one is made only when all are held
  std::vector<BurstPayload*> free_;
};

}  // namespace petal
