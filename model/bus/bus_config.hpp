// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace petal {

/// How a burst crosses the socket: `lt` calls b_transport, `at` calls nb_transport_fw and has four phases.
enum class BusProtocol : std::uint8_t { lt, at };

/// What becomes of direct memory pointers that a memory offers. `off`: none is asked for. `timed`: a pointer
/// is used only if it comes with a latency other than zero for the direction, so that time stays what it was.
/// `always`: it is used also without a latency, and such bursts take no time.
enum class DmiUse : std::uint8_t { off, timed, always };

/// What becomes of the piece of a run that is not a whole burst. `one_burst`: one burst of its bytes.
/// `power_of_two`: it is cut on into naturally aligned powers of two, for memories that take nothing else.
enum class RaggedBursts : std::uint8_t { one_burst, power_of_two };

/// The bursts of a BusInitiator.
struct BusConfig {
  BusProtocol protocol = BusProtocol::lt;
  std::uint64_t burst_bytes = 256;  ///< a power of two, 16 to 4096
  std::uint32_t outstanding = 64;   ///< unanswered bursts of a channel, at least 1
  RaggedBursts ragged = RaggedBursts::one_burst;
  DmiUse dmi = DmiUse::timed;  ///< under lt; there is no direct access under at
};

}  // namespace petal
