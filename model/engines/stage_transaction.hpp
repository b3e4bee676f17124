// SPDX-License-Identifier: Apache-2.0
//
// StageTransaction: a stage on its way over TLM sockets: a pooled generic payload that
// carries it as an extension.
#pragma once

#include <memory>
#include <tlm>
#include <vector>

#include "petal/calendar/calendar.hpp"
#include "petal/engines/stage.hpp"

namespace petal {

struct StageData;

/// The extension that carries the stage. It lives inside its StageTransaction, so it is never freed by TLM.
class StageExtension : public tlm::tlm_extension<StageExtension> {
 public:
  Stage stage;
  Picoseconds start{0};  ///< request
  StageTiming timing;    ///< response
  /// What to do to data, valid during the call: of a debug transport, and of a BEGIN_REQ that is answered by
  /// phases.
  const StageData* data = nullptr;
  std::uint64_t fault_address = 0;  ///< response, of an error: where in memory
  std::uint32_t transfer = 0;       ///< the engine's own

  tlm::tlm_extension_base* clone() const override { return new StageExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const StageExtension&>(other);
  }
};

class StageTransaction : public tlm::tlm_generic_payload {
 public:
  /// `manager` takes the transaction back when its last reference is released; `index` is its index there.
  /// `receiver` is told of the stage's end.
  StageTransaction(tlm::tlm_mm_interface& manager, Calendar::Receiver& receiver, std::uint64_t index)
      : tlm_generic_payload(&manager), end(receiver, index) {
    set_extension(&extension);
  }
  ~StageTransaction() override { clear_extension(&extension); }
  StageTransaction(const StageTransaction&) = delete;
  StageTransaction& operator=(const StageTransaction&) = delete;

  Stage& stage() { return extension.stage; }

  StageTransaction* next = nullptr;  ///< behind it: among a port's ready stages, or in the pool
  Calendar::Appointment end;         ///< of the stage; its token is the transaction's index in the pool
  StageExtension extension;
  Picoseconds ready{0};    ///< when everything the stage needs but its port was there
  CriticalPath path;       ///< that leads to `ready`, later to the stage's end
  bool in_phases = false;  ///< the engine answers by phases: its times are known when they have come
};

/// Owns the transactions and hands them out again.
class StagePool : public tlm::tlm_mm_interface {
 public:
  /// `receiver` is told of the stages' ends, by index. It outlives the pool.
  explicit StagePool(Calendar::Receiver& receiver) : receiver_(receiver) {}
  ~StagePool() override = default;
  StagePool(const StagePool&) = delete;
  StagePool& operator=(const StagePool&) = delete;

  /// A transaction with one reference held by the caller.
  StageTransaction& acquire() {
    if (free_ == nullptr) grow();
    StageTransaction& transaction = *free_;
    free_ = transaction.next;
    transaction.acquire();
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return transaction;
  }
  void free(tlm::tlm_generic_payload* payload) override;
  /// Takes back all that are in use, whoever holds them.
  void reclaim();
  StageTransaction& at(std::uint64_t index) { return *transactions_[index]; }

 private:
  void grow();

  Calendar::Receiver& receiver_;
  std::vector<std::unique_ptr<StageTransaction>> transactions_;
  StageTransaction* free_ = nullptr;  // linked
};

}  // namespace petal
