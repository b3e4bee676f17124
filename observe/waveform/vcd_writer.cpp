// SPDX-License-Identifier: Apache-2.0
#include "petal/waveform/vcd_writer.hpp"

#include <algorithm>

#include "petal/waveform/vcd_name.hpp"

namespace petal {
namespace {

std::vector<bool> shown_by(const WaveformSelection& selection, std::size_t pes) {
  std::vector<bool> shown(pes, selection.pes.empty());
  for (const PeIndex pe : selection.pes) shown[pe] = true;
  return shown;
}

VcdLayout layout_of(const std::vector<std::string>& scopes, const std::vector<WaveformPe>& pes,
                    const std::vector<bool>& shown) {
  VcdLayout layout;
  for (const std::string& scope : scopes) layout.scopes.push_back(vcd_name(scope));
  std::vector<std::string> names;
  for (const WaveformPe& pe : pes) names.push_back(pe.name);
  layout.names = distinct_vcd_names(names);
  layout.pes = pes;
  for (std::size_t pe = 0; pe < pes.size(); ++pe)
    if (shown[pe]) layout.shown.push_back(static_cast<PeIndex>(pe));
  return layout;
}

/// What a viewer shows until the first tiles are known.
constexpr Picoseconds kFirstView{2'000'000};
/// About two tiles of the fused decode kernel.
constexpr std::uint32_t kStagesInView = 128;

constexpr bool is_transfer(StageKind kind) {
  return kind == StageKind::dma_read || kind == StageKind::dma_write;
}

constexpr SignalSet port_signals(EnginePort port) {
  return ((SignalSet{1} << kPortSignals) - 1) << signal_index(port, PortSignal::busy);
}

}  // namespace

VcdWriter::VcdWriter(const std::string& path, const std::vector<std::string>& scopes,
                     const std::vector<WaveformPe>& pes, const OutputOrigin& origin,
                     const WaveformSelection& selection)
    : selection_(selection),
      shown_(shown_by(selection, pes.size())),
      path_(path),
      layout_(layout_of(scopes, pes, shown_)),
      file_(path, layout_, origin),
      view_{selection.from, selection.from + kFirstView},
      values_(pes.size(), SignalValues{}),
      changed_(pes.size(), 0) {
  write_gtkwave_files(path_, layout_, view_);
}

VcdWriter::~VcdWriter() {
  finish();
}

// --- Time ---

/// Everything before `to` is known, and what was announced for times up to it has happened.
inline void VcdWriter::advance(Picoseconds to) {
  while (later_.next() <= to) {
    const LaterFact fact = later_.take();
    enter(fact.at);
    apply(fact);
  }
  enter(to);
}

// A time that is over already (by less than the host's resolution) counts as the present.
inline void VcdWriter::enter(Picoseconds instant) {
  if (instant <= now_) return;
  if (begun_)
    write_changes();
  else if (instant > selection_.from)
    write_initial(selection_.from);
  now_ = instant;
  if (now_ <= selection_.to) return;
  over_ = true;
  file_.write_end(selection_.to);
}

void VcdWriter::write_initial(Picoseconds at) {
  begun_ = true;
  file_.write_initial(at, values_);
  for (const PeIndex pe : changed_pes_) changed_[pe] = 0;
  changed_pes_.clear();
}

void VcdWriter::write_changes() {
  if (changed_pes_.size() > 1) std::sort(changed_pes_.begin(), changed_pes_.end());
  for (const PeIndex pe : changed_pes_) {
    file_.write(now_, pe, values_[pe], changed_[pe]);
    changed_[pe] = 0;
  }
  changed_pes_.clear();
}

// A window behind the run's end shows how the run ended.
void VcdWriter::finish() {
  if (over_) return;
  advance(std::max(now_, reached_));
  if (over_) return;
  over_ = true;
  if (begun_)
    write_changes();
  else
    write_initial(now_);
  file_.write_end(now_);
}

void VcdWriter::close() {
  finish();
  if (stages_in_view_ < kStagesInView) view_.to = std::max(now_, view_.from + Picoseconds(1));
  write_gtkwave_files(path_, layout_, view_);
  file_.close();
}

// --- Values ---

inline void VcdWriter::mark(PeIndex pe, SignalSet changed) {
  if (changed_[pe] == 0) changed_pes_.push_back(pe);
  changed_[pe] |= changed;
}

inline void VcdWriter::set(PeIndex pe, PeSignal signal, std::uint64_t value) {
  values_[pe][signal_index(signal)] = value;
  mark(pe, SignalSet{1} << signal_index(signal));
}

/// Modulo 2^64, so that a difference may be negative.
inline void VcdWriter::add(PeIndex pe, PeSignal signal, std::uint64_t difference) {
  set(pe, signal, values_[pe][signal_index(signal)] + difference);
}

inline void VcdWriter::begin_stage(const StageEvent& event) {
  const EnginePort port = port_of(event.kind);
  std::uint64_t* const values = &values_[event.pe][signal_index(port, PortSignal::busy)];
  const auto value_of = [values](PortSignal signal) -> std::uint64_t& {
    return values[static_cast<std::size_t>(signal)];
  };
  value_of(PortSignal::busy) = 1;
  value_of(PortSignal::stage) = stage_code(event.kind, event.opcode);
  value_of(PortSignal::command) = event.command;
  value_of(PortSignal::number) = event.stage;
  value_of(PortSignal::tile_m) = event.has_tile ? event.tile.m : kNoValue;
  value_of(PortSignal::tile_n) = event.has_tile ? event.tile.n : kNoValue;
  value_of(PortSignal::tile_k) = event.has_tile ? event.tile.k : kNoValue;
  mark(event.pe, port_signals(port));
  if (is_transfer(event.kind)) add(event.pe, PeSignal::outstanding, event.bytes);
  if (stages_in_view_ < kStagesInView) extend_view(event);
}

/// The view ends with the first stages of the first PE.
void VcdWriter::extend_view(const StageEvent& event) {
  if (event.pe != layout_.shown.front() || now_ < selection_.from) return;
  if (++stages_in_view_ == kStagesInView) view_.to = now_;
}

inline void VcdWriter::end_stage(PeIndex pe, EnginePort port) {
  values_[pe][signal_index(port, PortSignal::busy)] = 0;
  values_[pe][signal_index(port, PortSignal::stage)] = kIdleCode;
  mark(pe, port_signals(port));
}

/// False if the port's next stage has begun already: `event`'s took no time.
inline bool VcdWriter::is_latest(const StageEndEvent& event, EnginePort port) const {
  const SignalValues& values = values_[event.pe];
  return values[signal_index(port, PortSignal::number)] == event.stage &&
         values[signal_index(port, PortSignal::command)] == event.command;
}

/// The memory has answered; the port has been free since before.
inline void VcdWriter::end_transfer(PeIndex pe, std::uint64_t bytes) {
  add(pe, PeSignal::outstanding, 0 - bytes);
}

void VcdWriter::apply(const LaterFact& fact) {
  if (fact.kind == LaterFact::Kind::port_free) return end_stage(fact.pe, fact.port);
  set(fact.pe, PeSignal::interrupt, fact.level ? 1 : 0);
}

// --- Events ---

void VcdWriter::on_cpu_state(const CpuStateEvent& event) {
  if (ignores(event.pe)) return;
  advance(event.at);
  set(event.pe, PeSignal::cpu_state, code_of(event.state));
  if (event.state == CpuState::dispatching || event.state == CpuState::queue_full) return;
  set(event.pe, PeSignal::cpu_command, kNoCompletion);
  set(event.pe, PeSignal::cpu_bytes, 0);
}

void VcdWriter::on_dispatch(const DispatchEvent& event) {
  if (ignores(event.pe)) return;
  advance(event.start);
  set(event.pe, PeSignal::cpu_command, event.slice.completion);
  set(event.pe, PeSignal::cpu_bytes, event.slice.logical_bytes.count());
}

void VcdWriter::on_queue_level(const QueueLevelEvent& event) {
  if (ignores(event.pe)) return;
  advance(event.at);
  set(event.pe, PeSignal::queue_bytes, event.bytes);
  set(event.pe, PeSignal::queue_entries, event.entries);
}

void VcdWriter::on_scheduler_state(const SchedulerStateEvent& event) {
  if (ignores(event.pe)) return;
  advance(event.at);
  set(event.pe, PeSignal::scheduler_state, code_of(event.state));
  set(event.pe, PeSignal::in_flight, event.in_flight);
  set(event.pe, PeSignal::held, event.held);
}

void VcdWriter::on_stage(const StageEvent& event) {
  if (ignores(event.pe)) return;
  if (event.in_phases) {
    advance(event.end);
    return end_transfer(event.pe, event.bytes);
  }
  advance(event.start);
  begin_stage(event);
  if (is_transfer(event.kind))
    later_.add({event.busy_end, event.pe, LaterFact::Kind::port_free, port_of(event.kind)});
}

void VcdWriter::on_stage_end(const StageEndEvent& event) {
  if (ignores(event.pe)) return;
  advance(event.at);
  if (is_transfer(event.kind)) return end_transfer(event.pe, event.bytes);
  const EnginePort port = port_of(event.kind);
  if (is_latest(event, port)) end_stage(event.pe, port);
}

void VcdWriter::on_stage_begin(const StageEvent& event) {
  if (ignores(event.pe)) return;
  advance(event.start);
  begin_stage(event);
}

// The host's time may be ahead of the PE's next instant, by less than its resolution.
void VcdWriter::on_port_free(const PortFreeEvent& event) {
  if (ignores(event.pe)) return;
  later_.add({event.at, event.pe, LaterFact::Kind::port_free, event.port});
  reached_ = std::max(reached_, event.at);
}

void VcdWriter::on_interrupt(const InterruptEvent& event) {
  if (ignores(event.pe)) return;
  later_.add({event.at, event.pe, LaterFact::Kind::interrupt, EnginePort::dma_read, event.level});
  reached_ = std::max(reached_, event.at);
}

void VcdWriter::on_reset(const ResetEvent& event) {
  if (ignores(event.pe)) return;
  advance(event.at);
  later_.forget(event.pe);
  for (std::size_t port = 0; port < kEnginePorts; ++port) end_stage(event.pe, static_cast<EnginePort>(port));
  for (const PeSignal signal :
       {PeSignal::scheduler_state, PeSignal::in_flight, PeSignal::held, PeSignal::outstanding})
    set(event.pe, signal, 0);
}

// The run's end counts, whoever is shown.
void VcdWriter::on_finish(const FinishEvent& event) {
  if (!over_) advance(event.at);
}

}  // namespace petal
