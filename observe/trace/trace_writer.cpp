// SPDX-License-Identifier: Apache-2.0
#include "petal/trace/trace_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace petal {
namespace {

// The rows of a PE, from above.
constexpr std::uint32_t kCpuRow = 1;
constexpr std::uint32_t kQueueRow = 2;
constexpr std::uint32_t kSchedulerRow = 3;
constexpr std::uint32_t kFirstPortRow = 4;
constexpr std::uint32_t kCompletionRow = kFirstPortRow + kEnginePorts;
constexpr std::uint32_t kRows = kCompletionRow;

const char* name_of_row(std::uint32_t row) {
  constexpr const char* kNames[] = {
      "",     "PE_CPU", "command queue: head", "PE_SCHEDULER", "DMA read", "DMA write", "FETCH", "STORE",
      "GEMM", "MATH",   "completions"};
  return kNames[row];
}

TraceTrack track_of(PeIndex pe, std::uint32_t row) {
  return {pe + 1, row};
}

TraceTrack port_track(PeIndex pe, StageKind kind) {
  return track_of(pe, kFirstPortRow + static_cast<std::uint32_t>(port_of(kind)));
}

/// An arrow's number: unique over PEs, and exact in a double as long as commands are fewer than 2^32.
std::uint64_t arrow_of(PeIndex pe, CompletionId command) {
  return (std::uint64_t{pe} << 32U) + command;
}

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

bool is_transfer(StageKind kind) {
  return kind == StageKind::dma_read || kind == StageKind::dma_write;
}

}  // namespace

TraceWriter::TraceWriter(const std::string& path, const std::vector<std::string>& pe_names,
                         const OutputOrigin& origin)
    : file_(path), pes_(pe_names.size()) {
  file_.metadata({0, 0}, "petal",
                 fmt::format("{{\"format\":1,\"version\":{},\"config\":{}}}", json_text(origin.version),
                             origin.config_json));
  for (std::size_t pe = 0; pe < pe_names.size(); ++pe)
    describe_tracks(static_cast<PeIndex>(pe), pe_names[pe]);
}

TraceWriter::~TraceWriter() {
  finish();
}

void TraceWriter::describe_tracks(PeIndex pe, const std::string& name) {
  file_.metadata(track_of(pe, 0), "process_name", fmt::format("{{\"name\":{}}}", json_text(name)));
  file_.metadata(track_of(pe, 0), "process_sort_index", fmt::format("{{\"sort_index\":{}}}", pe));
  for (std::uint32_t row = 1; row <= kRows; ++row) {
    file_.metadata(track_of(pe, row), "thread_name", fmt::format("{{\"name\":\"{}\"}}", name_of_row(row)));
    file_.metadata(track_of(pe, row), "thread_sort_index", fmt::format("{{\"sort_index\":{}}}", row));
  }
}

/// The PE, for something that happens at `time`.
TraceWriter::Pe& TraceWriter::at(PeIndex index, Picoseconds time) {
  Pe& pe = pes_[index];
  if (time > pe.reached) {
    write_counters(index, pe);
    pe.reached = time;
  }
  return pe;
}

// --- Counters ---

void TraceWriter::write_counters(PeIndex index, Pe& pe) {
  if (pe.queue.unwritten) {
    file_.counter(track_of(index, 0), "queue bytes", pe.queue.at, {{"bytes", pe.queue.values[0]}});
    file_.counter(track_of(index, 0), "queue entries", pe.queue.at, {{"entries", pe.queue.values[1]}});
  }
  if (pe.outstanding.unwritten)
    file_.counter(track_of(index, 0), "DMA bytes outstanding", pe.outstanding.at,
                  {{"read", pe.outstanding.values[0]}, {"write", pe.outstanding.values[1]}});
  pe.queue.unwritten = pe.outstanding.unwritten = false;
}

void TraceWriter::on_queue_level(const QueueLevelEvent& event) {
  at(event.pe, event.at).queue = {{event.bytes, event.entries}, event.at, true};
}

/// `difference` is modulo 2^64, so that it may be negative.
void TraceWriter::transfer(PeIndex index, StageKind kind, Picoseconds time, std::uint64_t difference) {
  Counter& counter = at(index, time).outstanding;
  counter.values[kind == StageKind::dma_read ? 0 : 1] += difference;
  counter.at = time;
  counter.unwritten = true;
}

// --- PE_CPU, queue and PE_SCHEDULER ---

// Dispatches and overhead are written with their commands.
void TraceWriter::end_cpu_state(PeIndex index, Pe& pe, Picoseconds until) {
  if ((pe.cpu != CpuState::queue_full && pe.cpu != CpuState::waiting) || until <= pe.cpu_since) return;
  if (pe.cpu == CpuState::queue_full)
    file_.slice(track_of(index, kCpuRow), "cpu", name_of(pe.cpu), pe.cpu_since, until,
                {{"cmd", pe.cpu_command}});
  else
    file_.slice(track_of(index, kCpuRow), "cpu", name_of(pe.cpu), pe.cpu_since, until, {});
}

void TraceWriter::on_cpu_state(const CpuStateEvent& event) {
  Pe& pe = at(event.pe, event.at);
  end_cpu_state(event.pe, pe, event.at);
  pe.cpu = event.state;
  pe.cpu_since = event.at;
}

void TraceWriter::on_dispatch(const DispatchEvent& event) {
  Pe& pe = at(event.pe, event.start);
  pe.cpu_command = event.slice.completion;
  const TraceTrack track = track_of(event.pe, kCpuRow);
  if (std::holds_alternative<OverheadCmd>(*event.slice.command))
    return file_.slice(track, "cpu", "overhead", event.start, event.end, {});
  file_.slice(track, "dispatch", kind_name(*event.slice.command), event.start, event.end,
              {{"cmd", event.slice.completion},
               {"op", 0, op_name(*event.slice.command)},
               {"logical_bytes", event.slice.logical_bytes.count()},
               {"segment", event.slice.segment},
               {"segments", event.slice.segments}});
  file_.flow(track, 's', arrow_of(event.pe, event.slice.completion), event.start);
}

void TraceWriter::on_take(const TakeEvent& event) {
  Pe& pe = at(event.pe, event.at);
  file_.slice(track_of(event.pe, kQueueRow), "queue", kind_name(*event.slice.command),
              std::max(event.pushed, pe.latest_take), event.at,
              {{"cmd", event.slice.completion},
               {"queued_ps", static_cast<std::uint64_t>((event.at - event.pushed).count())}});
  pe.latest_take = event.at;
}

void TraceWriter::end_scheduler_state(PeIndex index, Pe& pe, Picoseconds until) {
  const SchedulerStateEvent& state = pe.scheduler;
  if (state.state == SchedulerState::idle || until <= state.at) return;
  file_.slice(track_of(index, kSchedulerRow), "scheduler", name_of(state.state), state.at, until,
              {{"in_flight", state.in_flight}, {"held", state.held}});
}

void TraceWriter::on_scheduler_state(const SchedulerStateEvent& event) {
  Pe& pe = at(event.pe, event.at);
  end_scheduler_state(event.pe, pe, event.at);
  pe.scheduler = event;
}

void TraceWriter::on_complete(const CompleteEvent& event) {
  at(event.pe, event.at);
  const TraceTrack track = track_of(event.pe, kCompletionRow);
  file_.flow(track, 'f', arrow_of(event.pe, event.slice.completion), event.at);
  file_.instant(track, "complete", kind_name(*event.slice.command), event.at,
                {{"cmd", event.slice.completion},
                 {"taken_ps", static_cast<std::uint64_t>(event.taken.count())},
                 {"status", 0, name_of(event.status)}});
}

// --- Engine ports ---

void TraceWriter::write_stage(const StageEvent& event) {
  const TraceTrack track = port_track(event.pe, event.kind);
  const TraceArgument work = event.macs != 0       ? TraceArgument{"macs", event.macs}
                             : event.elements != 0 ? TraceArgument{"elements", event.elements}
                                                   : TraceArgument{"bytes", event.bytes};
  const auto end = static_cast<std::uint64_t>(event.end.count());
  if (event.has_tile)
    file_.slice(track, name_of(event.kind), event.op, event.start, event.busy_end,
                {{"cmd", event.command},
                 {"stage", event.stage},
                 {"tile_m", event.tile.m},
                 {"tile_n", event.tile.n},
                 {"tile_k", event.tile.k},
                 work,
                 {"end_ps", end}});
  else
    file_.slice(track, name_of(event.kind), event.op, event.start, event.busy_end,
                {{"cmd", event.command}, {"stage", event.stage}, work, {"end_ps", end}});
  if (event.busy_end > event.start) file_.flow(track, 't', arrow_of(event.pe, event.command), event.start);
}

void TraceWriter::on_stage(const StageEvent& event) {
  at(event.pe, event.in_phases ? event.end : event.start);
  write_stage(event);
  if (!is_transfer(event.kind)) return;
  if (event.in_phases)
    transfer(event.pe, event.kind, event.end, 0 - event.bytes);
  else
    transfer(event.pe, event.kind, event.start, event.bytes);
}

void TraceWriter::on_stage_end(const StageEndEvent& event) {
  if (is_transfer(event.kind)) transfer(event.pe, event.kind, event.at, 0 - event.bytes);
}

void TraceWriter::on_stage_begin(const StageEvent& event) {
  if (is_transfer(event.kind)) transfer(event.pe, event.kind, event.start, event.bytes);
}

// --- The rest ---

void TraceWriter::on_interrupt(const InterruptEvent& event) {
  file_.instant(track_of(event.pe, kCompletionRow), "interrupt",
                event.level ? "interrupt up" : "interrupt down", event.at, {});
}

void TraceWriter::on_reset(const ResetEvent& event) {
  Pe& pe = at(event.pe, event.at);
  end_scheduler_state(event.pe, pe, event.at);
  pe.scheduler = SchedulerStateEvent();
  pe.latest_take = event.at;
  pe.outstanding = {{}, event.at, true};
  file_.instant(track_of(event.pe, kSchedulerRow), "reset", "reset", event.at, {});
}

void TraceWriter::on_finish(const FinishEvent& event) {
  at(event.pe, event.at);
}

void TraceWriter::finish() {
  if (finished_) return;
  finished_ = true;
  for (std::size_t pe = 0; pe < pes_.size(); ++pe) {
    const auto index = static_cast<PeIndex>(pe);
    write_counters(index, pes_[pe]);
    end_cpu_state(index, pes_[pe], pes_[pe].reached);
    end_scheduler_state(index, pes_[pe], pes_[pe].reached);
  }
}

void TraceWriter::close() {
  finish();
  file_.close();
}

}  // namespace petal
