// SPDX-License-Identifier: Apache-2.0
//
// Hbm: PETAL's own high-bandwidth memory behind TLM-2.0 sockets. Any number of requesters bind to `socket`;
// they contend for the pseudo-channels first come, first served.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <systemc>
#include <tlm>

#include "petal/calendar/host_time.hpp"
#include "petal/memory/hbm_timing.hpp"

namespace petal {

class Hbm : public sc_core::sc_module {
 public:
  /// Requesters: b_transport only. With a MemoryAccess extension the access is timed in ledger time, in the
  /// extension, and the delay argument is left alone; without, the payload's address and length are one
  /// contiguous access at the present time, and the delay argument grows by the time it takes. Outside [0,
  /// capacity): TLM_ADDRESS_ERROR_RESPONSE, nothing is reserved.
  tlm_utils::multi_passthrough_target_socket<Hbm, 64> socket;

  Hbm(const sc_core::sc_module_name& name, const HbmConfig& config);

 private:
  void b_transport(int requester, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool contains(const AccessPattern& access) const;

  const HostTime host_time_;
  HbmTiming timing_;
  std::uint64_t capacity_;
};

}  // namespace petal
