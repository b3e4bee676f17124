// SPDX-License-Identifier: Apache-2.0
//
// Hbm: PETAL's own high-bandwidth memory behind TLM-2.0 sockets. Any number of requesters bind to `socket`;
// they contend for the pseudo-channels first come, first served.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <memory>
#include <systemc>
#include <tlm>

#include "petal/calendar/host_time.hpp"
#include "petal/memory/at_responses.hpp"
#include "petal/memory/hbm_timing.hpp"
#include "petal/memory/memory_access.hpp"
#include "petal/memory/sparse_memory.hpp"
#include "petal/memory/written_ranges.hpp"

namespace petal {

class Hbm : public sc_core::sc_module {
 public:
  /// A memory of the base protocol, LT and AT, and faster for those who know the MemoryAccess extension.
  ///
  /// b_transport with the extension times the whole access in ledger time, in the extension; the delay
  /// argument is left alone and no data moves. Outside [0, capacity): TLM_ADDRESS_ERROR_RESPONSE, nothing is
  /// reserved.
  ///
  /// Without it the payload is one contiguous access, at the present time and the delay. b_transport never
  /// waits: the delay grows by the time the access takes. nb_transport accepts a request at once (UPDATED to
  /// END_REQ) and begins the response when the data is there, which is the time that b_transport would have
  /// given; each requester gets one response at a time, in the order of time, the next after its END_RESP.
  /// What needs no time, such as an error, is COMPLETED at once. Data moves when the request comes, if the
  /// memory holds any: byte enables are obeyed, and what is written is marked. Without data mode, what a read
  /// would fetch is left as it was.
  ///
  /// TLM_BURST_ERROR_RESPONSE: no bytes, or a streaming width below the length. TLM_ADDRESS_ERROR_RESPONSE: a
  /// byte is not in [0, capacity). TLM_BYTE_ENABLE_ERROR_RESPONSE: byte enables of length 0.
  /// TLM_GENERIC_ERROR_RESPONSE: no data pointer in data mode. None of them moves or reserves anything.
  /// TLM_IGNORE_COMMAND is OK and does nothing.
  ///
  /// No direct access is granted: the time of an access depends on who else is at the channels.
  tlm_utils::multi_passthrough_target_socket<Hbm, 64> socket;

  /// Data mode: what is read comes from `image` until it is written here. Null: timing alone, and
  /// transport_dbg moves nothing.
  Hbm(const sc_core::sc_module_name& name, const HbmConfig& config,
      const std::shared_ptr<const SparseMemory>& image = nullptr);

  /// The contents in data mode, null without.
  const SparseMemory* contents() const { return contents_.get(); }
  /// What has been written through the socket.
  const WrittenRanges& written() const { return written_; }

 private:
  void b_transport(int requester, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(int requester, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  unsigned int transport_dbg(int requester, tlm::tlm_generic_payload& payload);
  void time_access(tlm::tlm_generic_payload& payload, MemoryAccess& access);
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_response_status fault_of(const tlm::tlm_generic_payload& payload) const;
  void move_enabled(const tlm::tlm_generic_payload& payload);
  bool move(const tlm::tlm_generic_payload& payload, std::uint64_t address, std::byte* data,
            std::uint64_t bytes);
  bool contains(const AccessPattern& access) const;

  const HostTime host_time_;
  HbmTiming timing_;
  std::uint64_t capacity_;
  std::unique_ptr<SparseMemory> contents_;
  WrittenRanges written_;
  AtResponses responses_;
};

}  // namespace petal
