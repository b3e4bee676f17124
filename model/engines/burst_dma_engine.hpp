// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "petal/bus/bus_initiator.hpp"
#include "petal/engines/engine.hpp"
#include "petal/engines/engine_config.hpp"
#include "petal/memory/byte_memory.hpp"

namespace petal {

/// PE_DMA against a memory of somebody else's: a stage is bursts on the bus.
///
/// A stage is accepted (TLM_ACCEPTED). Its channel is free (END_REQ) when the bus has taken its last burst,
/// and it is over (BEGIN_RESP) when all have been answered. A burst's error is the stage's response status,
/// its address the extension's fault_address. END_RESP ends the use of the stage's data. A DMA_WRITE whose
/// data cannot be collected from the TCM is refused at once (TLM_COMPLETED, TLM_GENERIC_ERROR_RESPONSE).
class BurstDmaEngine final : public Engine {
 public:
  /// `bus` and `tcm` outlive the engine; `tcm` holds the data in data mode and is null without.
  BurstDmaEngine(const sc_core::sc_module_name& name, const DmaConfig& config, ClockFrequency clock,
                 BusInitiator& bus, ByteMemory* tcm);

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  /// A stage takes phases: TLM_COMMAND_ERROR_RESPONSE.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  /// Forgets all stages. Precondition: the bus has been reset and has drained.
  void reset();

 protected:
  StageTiming begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload& payload) override;
  void perform(const StageData& data, const StageExtension&) override;

 private:
  /// A stage's bytes on their way: those of the pattern's runs, one after the other.
  class Transfer final : public BusTransfer {
   public:
    Transfer(BurstDmaEngine& engine, std::uint32_t index) : engine_(engine), index_(index) {}
    void begin(tlm::tlm_generic_payload& payload, StageExtension& stage);
    void end() { payload_ = nullptr; }
    bool is_free() const { return payload_ == nullptr; }
    void accepted() override;
    void answered() override;
    /// Where the bytes at `address` of the memory are kept. Throws SimulationError if they are not part of
    /// the transfer.
    std::byte* at(std::uint64_t address, std::uint64_t bytes);

   private:
    void tell(tlm::tlm_phase phase);

    BurstDmaEngine& engine_;
    const std::uint32_t index_;
    tlm::tlm_generic_payload* payload_ = nullptr;
    StageExtension* stage_ = nullptr;
    std::vector<std::byte> bytes_;
  };

  tlm::tlm_sync_enum start(tlm::tlm_generic_payload& payload, StageExtension& stage);
  Transfer& free_transfer();
  void collect(const StageData& data, Transfer& transfer) const;

  const sc_core::sc_time setup_;
  BusInitiator& bus_;
  ByteMemory* const tcm_;
  std::deque<Transfer> transfers_;
};

}  // namespace petal
