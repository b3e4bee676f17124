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
#include "petal/memory/hbm_timing.hpp"
#include "petal/memory/sparse_memory.hpp"
#include "petal/memory/written_ranges.hpp"

namespace petal {

class Hbm : public sc_core::sc_module {
 public:
  /// Requesters: b_transport only. With a MemoryAccess extension the access is timed in ledger time, in the
  /// extension, and the delay argument is left alone; without, the payload's address and length are one
  /// contiguous access at the present time, and the delay argument grows by the time it takes. Outside [0,
  /// capacity): TLM_ADDRESS_ERROR_RESPONSE, nothing is reserved.
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
  unsigned int transport_dbg(int requester, tlm::tlm_generic_payload& payload);
  bool move(const tlm::tlm_generic_payload& payload, std::uint64_t address, std::byte* data,
            std::uint64_t bytes);
  bool contains(const AccessPattern& access) const;

  const HostTime host_time_;
  HbmTiming timing_;
  std::uint64_t capacity_;
  std::unique_ptr<SparseMemory> contents_;
  WrittenRanges written_;
};

}  // namespace petal
