// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "petal/engines/engine.hpp"
#include "petal/engines/engine_config.hpp"
#include "petal/memory/byte_memory.hpp"
#include "petal/memory/memory_access.hpp"

namespace petal {

/// PE_DMA: one read channel and one write channel between HBM and TCM.
///
/// A channel is busy for its setup and for as long as the memory moves the bytes; the memory's latency comes
/// after that and keeps the stage, not the channel (SPEC 11.19, 12.3). An address that nobody decodes comes
/// back as the payload's response status; so does a memory that does not answer a MemoryAccess
/// (TLM_GENERIC_ERROR_RESPONSE).
class DmaEngine final : public Engine, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> memory;  ///< bound to the PE's memory

  /// `tcm` holds the data in data mode and outlives the engine; null without.
  DmaEngine(const sc_core::sc_module_name& name, const DmaConfig& config, ClockFrequency clock,
            ByteMemory* tcm);
  ~DmaEngine() override;
  DmaEngine(const DmaEngine&) = delete;
  DmaEngine& operator=(const DmaEngine&) = delete;

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override;

 protected:
  StageTiming begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload& payload) override;
  void perform(const StageData& data, const StageExtension&) override;

 private:
  bool move_pattern(tlm::tlm_command command, const AccessPattern& pattern, std::uint64_t tcm_address);
  void move_run(tlm::tlm_command command, std::uint64_t address, std::byte* data, std::uint64_t bytes);

  const DmaConfig config_;
  const ClockFrequency clock_;
  ByteMemory* const tcm_;
  tlm::tlm_generic_payload request_;
  MemoryAccess access_;
  tlm::tlm_generic_payload move_;
  std::vector<std::byte> buffer_;  // of runs that the TCM does not hold in one piece
};

}  // namespace petal
