// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/summary_collector.hpp"

#include <algorithm>

namespace petal {

SummaryCollector::SummaryCollector(const std::vector<std::string>& pe_names)
    : pes_(pe_names.size()), attribution_(pe_names.size()) {
  for (std::size_t index = 0; index < pe_names.size(); ++index) pes_[index].so_far.name = pe_names[index];
}

void SummaryCollector::on_dispatch(const DispatchEvent& event) {
  attribution_.on_dispatch(event);
  if (std::holds_alternative<OverheadCmd>(*event.slice.command)) return;
  DispatchTotals& dispatch = pes_[event.pe].so_far.totals.dispatch;
  ++dispatch.commands;
  dispatch.logical_bytes += event.slice.logical_bytes;
  dispatch.cycles += event.cycles;
}

void SummaryCollector::on_hazard_wait(const HazardWaitEvent& event) {
  attribution_.on_hazard_wait(event);
  pes_[event.pe].so_far.totals.head_wait[static_cast<std::size_t>(event.reason)] += event.end - event.start;
}

void SummaryCollector::on_stage(const StageEvent& event) {
  Totals& totals = pes_[event.pe].so_far.totals;
  EngineTotals& engine = totals.engines[static_cast<std::size_t>(port_of(event.kind))];
  engine.busy += event.busy_end - event.start;
  ++engine.stages;
  if (event.kind == StageKind::dma_read) totals.dma_read += Bytes(event.bytes);
  if (event.kind == StageKind::dma_write) totals.dma_write += Bytes(event.bytes);
  totals.macs += event.macs;
}

void SummaryCollector::enter(Pe& pe, CpuState state, Picoseconds at) {
  pe.so_far.totals.cpu[static_cast<std::size_t>(pe.state)] += at - pe.since;
  pe.state = state;
  pe.since = at;
}

void SummaryCollector::on_cpu_state(const CpuStateEvent& event) {
  attribution_.on_cpu_state(event);
  enter(pes_[event.pe], event.state, event.at);
}

void SummaryCollector::on_queue_level(const QueueLevelEvent& event) {
  PeSummary& pe = pes_[event.pe].so_far;
  pe.peak_queue_bytes = std::max(pe.peak_queue_bytes, event.bytes);
  pe.peak_queue_entries = std::max(pe.peak_queue_entries, event.entries);
}

void SummaryCollector::on_finish(const FinishEvent& event) {
  attribution_.on_finish(event);
  Pe& pe = pes_[event.pe];
  enter(pe, CpuState::idle, event.at);
  pe.so_far.finished = event.at;
  pe.path = event.path;
}

namespace {

PeWork work_of(const Totals& totals) {
  PeWork work;
  work.dispatching = totals.cpu_time(CpuState::dispatching);
  work.kernel_cycles = totals.cpu_time(CpuState::overhead);
  work.fetch = totals.engine(EnginePort::fetch).busy;
  work.store = totals.engine(EnginePort::store).busy;
  work.gemm = totals.engine(EnginePort::gemm).busy;
  work.math = totals.engine(EnginePort::math).busy;
  work.memory_bytes = totals.dma_read + totals.dma_write;
  work.dma_stages = totals.engine(EnginePort::dma_read).stages + totals.engine(EnginePort::dma_write).stages;
  return work;
}

}  // namespace

Summary SummaryCollector::summary(const RunFacts& facts) const {
  Summary result;
  result.kernel = facts.kernel;
  result.version = facts.version;
  result.config_json = facts.config_json;
  result.time = facts.end;
  result.tiles = facts.tiles;
  result.steady_state = facts.steady_state;
  for (std::size_t index = 0; index < pes_.size(); ++index) {
    Pe pe = pes_[index];
    enter(pe, pe.state, facts.end);
    pe.so_far.time = facts.end;
    if (index < facts.staging_bytes.size()) pe.so_far.totals.staging_bytes = facts.staging_bytes[index];
    result.total += pe.so_far.totals;
    const auto finished = pe.so_far.finished;
    if (finished && (!result.critical_pe || *finished > *result.pes[*result.critical_pe].finished)) {
      result.critical_pe = index;
      result.critical_path = pe.path;
    }
    result.pes.push_back(std::move(pe.so_far));
  }
  std::array<Picoseconds, kEnginePorts> busy{};
  if (result.critical_pe)
    for (std::size_t port = 0; port < kEnginePorts; ++port)
      busy[port] = result.pes[*result.critical_pe].totals.engines[port].busy;
  result.verdict = verdict_of(result.critical_path, result.time, busy);
  result.attribution = attribution_.attribution();
  std::vector<PeWork> work;
  for (const PeSummary& pe : result.pes) work.push_back(work_of(pe.totals));
  result.what_if = what_if_bounds(work, facts.memory);
  return result;
}

}  // namespace petal
