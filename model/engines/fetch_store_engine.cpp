// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/fetch_store_engine.hpp"

#include "petal/engines/latency.hpp"

namespace petal {

FetchStoreEngine::FetchStoreEngine(const sc_core::sc_module_name& name, const FetchStoreConfig& config,
                                   ClockFrequency clock)
    : Engine(name), config_(config), clock_(clock) {}

StageTiming FetchStoreEngine::begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload&) {
  const Bytes bytes(stage.bytes);
  const Picoseconds duration = stage.kind == StageKind::store ? store_duration(config_, clock_, bytes)
                                                              : fetch_duration(config_, clock_, bytes);
  return {start + duration, start + duration};
}

}  // namespace petal
