// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace petal {

/// How a DMA speaks to the memory behind its socket. `closed_form`: one transaction for a whole strided
/// access, with the MemoryAccess extension, which only PETAL's own memory understands. The others are bursts
/// of the TLM-2.0 base protocol, for any memory: `lt` calls b_transport, `at` calls nb_transport_fw and has
/// four phases.
enum class BusProtocol : std::uint8_t { closed_form, lt, at };

/// What becomes of direct memory pointers that a memory offers. `off`: none is asked for. `timed`: a pointer
/// is used only if it comes with a latency other than zero for the direction, so that time stays what it was.
/// `always`: it is used also without a latency, and such bursts take no time.
enum class DmiUse : std::uint8_t { off, timed, always };

/// What becomes of the piece of a run that is not a whole burst. `one_burst`: one burst of its bytes.
/// `power_of_two`: it is cut on into naturally aligned powers of two, for memories that take nothing else.
enum class RaggedBursts : std::uint8_t { one_burst, power_of_two };

/// The bursts of a BusInitiator.
struct BusConfig {
  BusProtocol protocol =
      BusProtocol::lt;              ///< a BusInitiator, which only knows bursts, takes closed_form for lt
  std::uint64_t burst_bytes = 256;  ///< a power of two, 16 to 4096
  std::uint32_t outstanding = 64;   ///< unanswered bursts of a channel, at least 1
  RaggedBursts ragged = RaggedBursts::one_burst;
  DmiUse dmi = DmiUse::timed;  ///< under lt; there is no direct access under at
};

}  // namespace petal
