// SPDX-License-Identifier: Apache-2.0
#include "petal/waveform/pe_signals.hpp"

#include "petal/command/opcode.hpp"

namespace petal {
namespace {

const char* colour_of(CpuState state) {
  constexpr const char* kColours[] = {"sea green", "firebrick", "dark orange", "slate blue", "gray20"};
  return kColours[static_cast<std::size_t>(state)];
}

const char* colour_of(SchedulerState state) {
  constexpr const char* kColours[] = {"gray20",    "sea green",   "slate blue",
                                      "firebrick", "dark orange", "purple"};
  return kColours[static_cast<std::size_t>(state)];
}

const char* colour_of(StageKind kind) {
  constexpr const char* kColours[] = {"steel blue",  "dark cyan", "firebrick",
                                      "dark orange", "dark cyan", "steel blue"};
  return kColours[static_cast<std::size_t>(kind)];
}

void add_stages(std::vector<CodeName>& names, StageKind kind) {
  const std::string kind_name = name_of(kind);
  names.push_back({stage_code(kind, 0), kind_name, colour_of(kind)});
  for (const OpcodeSchema* schema = begin_of_schemas(); schema != end_of_schemas(); ++schema)
    names.push_back({stage_code(kind, static_cast<std::uint8_t>(schema->opcode)),
                     kind_name + " " + std::string(schema->name), colour_of(kind)});
}

const char* scope_of(EnginePort port) {
  constexpr const char* kScopes[] = {"pe_dma.read",          "pe_dma.write", "pe_fetch_store.fetch",
                                     "pe_fetch_store.store", "pe_gemm",      "pe_math"};
  return kScopes[static_cast<std::size_t>(port)];
}

void add_port_signals(std::vector<SignalPlace>& places, EnginePort port) {
  static constexpr std::pair<const char*, std::uint32_t> kDeclared[kPortSignals] = {
      {"busy", 1},    {"stage", kCodeBits}, {"command", 64}, {"number", 64},
      {"tile_m", 64}, {"tile_n", 64},       {"tile_k", 64}};
  for (std::size_t signal = 0; signal < kPortSignals; ++signal)
    places.push_back({signal_index(port, static_cast<PortSignal>(signal)), scope_of(port),
                      kDeclared[signal].first, kDeclared[signal].second});
}

}  // namespace

std::vector<CodeName> code_names() {
  std::vector<CodeName> names = {{kIdleCode, "idle", "gray20"}};
  for (const CpuState state :
       {CpuState::dispatching, CpuState::queue_full, CpuState::waiting, CpuState::overhead})
    names.push_back({code_of(state), name_of(state), colour_of(state)});
  for (const SchedulerState state : {SchedulerState::running, SchedulerState::planning,
                                     SchedulerState::hazard, SchedulerState::window, SchedulerState::segment})
    names.push_back({code_of(state), name_of(state), colour_of(state)});
  for (const StageKind kind : {StageKind::dma_read, StageKind::fetch, StageKind::gemm, StageKind::math,
                               StageKind::store, StageKind::dma_write})
    add_stages(names, kind);
  return names;
}

std::vector<SignalPlace> signals_of(const WaveformPe& pe) {
  std::vector<SignalPlace> places;
  const auto add = [&places](PeSignal signal, const char* scope, const char* name, std::uint32_t bits) {
    places.push_back({signal_index(signal), scope, name, bits});
  };
  const auto add_port = [&](EnginePort port) {
    if (pe.has_port[static_cast<std::size_t>(port)]) add_port_signals(places, port);
  };
  if (pe.has_interrupt) add(PeSignal::interrupt, "", "interrupt", 1);
  add(PeSignal::cpu_state, "pe_cpu", "state", kCodeBits);
  add(PeSignal::cpu_command, "pe_cpu", "command", 64);
  add(PeSignal::cpu_bytes, "pe_cpu", "bytes", 64);
  add(PeSignal::queue_bytes, "command_queue", "bytes", 64);
  add(PeSignal::queue_entries, "command_queue", "entries", 32);
  add(PeSignal::scheduler_state, "pe_scheduler", "state", kCodeBits);
  add(PeSignal::in_flight, "pe_scheduler", "in_flight", 32);
  add(PeSignal::held, "pe_scheduler", "held", 64);
  if (pe.has_port[static_cast<std::size_t>(EnginePort::dma_read)])
    add(PeSignal::outstanding, "pe_dma", "outstanding_bytes", 64);
  for (const EnginePort port : {EnginePort::dma_read, EnginePort::dma_write, EnginePort::fetch,
                                EnginePort::store, EnginePort::gemm, EnginePort::math})
    add_port(port);
  return places;
}

}  // namespace petal
