// SPDX-License-Identifier: Apache-2.0
//
// Engine: what DMA, FETCH/STORE, GEMM and MATH have in common. An engine is a TLM target that executes stages
// without processes of its own. A BEGIN_REQ at the stage's start is completed early (TLM_COMPLETED): the
// engine has written into the extension when the stage ends, in ledger time.
//
// Which stage runs when is PE_SCHEDULER's business; how long it takes is the engine's.
#pragma once

#include <systemc>
#include <tlm>

#include "petal/calendar/host_time.hpp"
#include "petal/engines/stage_data.hpp"
#include "petal/engines/stage_transaction.hpp"

namespace petal {

class Engine : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<64> socket;  ///< bound to PE_SCHEDULER

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  /// Loosely timed use: the delay grows by the stage's duration.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  /// Data mode: does to data what the stage stands for, without taking time. Returns 1 if there was something
  /// to do. Throws what the memories and the numerics throw.
  unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;

 protected:
  explicit Engine(const sc_core::sc_module_name& name);
  /// When a stage that starts at `start` is over. Sets `payload`'s response status if it is not to be OK.
  virtual StageTiming begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload& payload) = 0;
  /// Does what `data` says; `stage` is the stage that it is the data of.
  virtual void perform(const StageData& data, const StageExtension& stage) = 0;

 private:
  const StageExtension* begin_stage(tlm::tlm_generic_payload& payload);

  const HostTime host_time_;
};

}  // namespace petal
