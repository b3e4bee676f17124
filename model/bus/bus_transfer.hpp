// SPDX-License-Identifier: Apache-2.0
//
// BusTransfer: one request to a BusInitiator: a strided access, cut into bursts there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tlm>

#include "petal/memory/access_pattern.hpp"

namespace petal {

/// Who asks. Each channel issues its transfers one after another, in the order of their submission; channels
/// share the socket. At one instant the order of requests is this one.
enum class BusChannel : std::uint8_t { dma_read, dma_write, control };
inline constexpr std::size_t kBusChannels = 3;

/// Owned by the client, who keeps it, and its data, until answered() was called or BusInitiator::reset() has
/// returned.
class BusTransfer {
 public:
  BusTransfer() = default;
  virtual ~BusTransfer() = default;
  BusTransfer(const BusTransfer&) = delete;
  BusTransfer& operator=(const BusTransfer&) = delete;

  /// The request; it stays as it is while the transfer is under way.
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;  ///< a read or a write
  AccessPattern pattern;
  /// pattern.bytes() bytes, in the order of AccessPattern::for_each_run. Bytes to be written are taken as
  /// their burst is issued; bytes read are there when answered() is called, apart from bursts that failed.
  /// Null: timing alone; what is read is dropped, and nothing is written, as writes have all byte enables
  /// off.
  std::byte* data = nullptr;

  /// The response, set before answered() is called. TLM_OK_RESPONSE, or the status of the first burst that
  /// had another one, and that burst's address. TLM_INCOMPLETE_RESPONSE: the memory returned without a
  /// status. An access that goes beyond the last address of 64 bits is a TLM_ADDRESS_ERROR_RESPONSE at its
  /// own address, without a burst.
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  std::uint64_t fault_address = 0;  ///< 0 if nothing failed

  /// The bus has taken the last burst: its END_REQ, or under LT the call of b_transport. The channel has
  /// turned to its next transfer. After a burst has failed no further one is issued, and the last one issued
  /// counts as the last.
  virtual void accepted() = 0;
  /// Every burst issued is answered. Comes after accepted(). The transfer may be destroyed in here.
  virtual void answered() = 0;
};

}  // namespace petal
