// SPDX-License-Identifier: Apache-2.0
//
// StageTransaction: a stage on its way over TLM sockets: a pooled generic payload that
// carries it as an extension.
#pragma once

#include <memory>
#include <tlm>
#include <vector>

#include "petal/engines/stage.hpp"

namespace petal {

struct StageData;

/// The extension that carries the stage. It lives inside its StageTransaction, so it is never freed by TLM.
class StageExtension : public tlm::tlm_extension<StageExtension> {
 public:
  Stage stage;
  Picoseconds start{0};             ///< request
  StageTiming timing;               ///< response
  const StageData* data = nullptr;  ///< of a debug transport: what to do, valid during the call

  tlm::tlm_extension_base* clone() const override { return new StageExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const StageExtension&>(other);
  }
};

class StageTransaction : public tlm::tlm_generic_payload {
 public:
  /// `manager` takes the transaction back when its last reference is released; `place` is its index there.
  StageTransaction(tlm::tlm_mm_interface& manager, std::uint64_t place)
      : tlm_generic_payload(&manager), index(place) {
    set_extension(&extension);
  }
  ~StageTransaction() override { clear_extension(&extension); }
  StageTransaction(const StageTransaction&) = delete;
  StageTransaction& operator=(const StageTransaction&) = delete;

  Stage& stage() { return extension.stage; }

  const std::uint64_t index;
  StageExtension extension;
  Picoseconds ready{0};  ///< when everything the stage needs but its port was there
  CriticalPath path;     ///< that leads to `ready`, later to the stage's end
};

/// Owns the transactions and hands them out again.
class StagePool : public tlm::tlm_mm_interface {
 public:
  StagePool() = default;
  ~StagePool() override = default;
  StagePool(const StagePool&) = delete;
  StagePool& operator=(const StagePool&) = delete;

  /// A transaction with one reference held by the caller.
  StageTransaction& acquire();
  void free(tlm::tlm_generic_payload* payload) override;
  StageTransaction& at(std::uint64_t index) { return *transactions_[index]; }
  /// Handed out and not yet back.
  std::size_t in_use() const { return transactions_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<StageTransaction>> transactions_;
  std::vector<StageTransaction*> free_;
};

}  // namespace petal
