// SPDX-License-Identifier: Apache-2.0
//
// MemoryAccess: the TLM extension by which PETAL's DMA and PETAL's own HBM speak about a whole strided access
// in one transaction, in ledger time. A memory that does not know the extension ignores it and leaves
// `honoured` false.
#pragma once

#include <tlm>

#include "petal/memory/access_pattern.hpp"

namespace petal {

/// With transport_dbg it moves data instead: the pattern's runs, in the order of its levels, from or to the
/// payload's data, which holds them without gaps; arrival and times have no meaning then.
class MemoryAccess : public tlm::tlm_extension<MemoryAccess> {
 public:
  // Request.
  const AccessPattern* pattern = nullptr;  ///< never null at a socket; valid during the call
  Picoseconds arrival{0};

  // Response.
  bool honoured = false;
  Picoseconds moved{0};    ///< when the last byte has crossed the memory's channels
  Picoseconds latency{0};  ///< from then until the requester has the data

  tlm::tlm_extension_base* clone() const override { return new MemoryAccess(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const MemoryAccess&>(other);
  }
};

}  // namespace petal
