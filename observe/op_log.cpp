// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/op_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <tuple>

namespace petal {
namespace {

constexpr const char* kHeader =
    "seq,pe,event,cmd,op,kind,engine,tile_m,tile_n,tile_k,bytes,elements,start_ps,end_ps,busy_end_ps,op_"
    "index,"
    "segment,logical_bytes,cycles,reads,writes,waits_on,macs\n";
constexpr std::size_t kFlushBytes = std::size_t{1} << 16U;

}  // namespace

/// Formats rows into a buffer that is handed to the stream in large pieces.
class OpLog::Writer {
 public:
  Writer(const OpLog& log, std::ostream& out) : log_(log), out_(out) {}
  ~Writer() { flush(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void head(const OpLogOrigin& origin) {
    fmt::format_to(into(), "# petal op_log 1\n# version: {}\n# config: {}\n{}", origin.version,
                   origin.config_json, kHeader);
  }

  void row(std::size_t seq, const Row& row) {
    constexpr const char* kEvents[] = {"dispatch", "queue_wait", "hazard_wait", "stage", "complete"};
    fmt::format_to(into(), "{},{},{},{},{},", seq, row.pe, kEvents[static_cast<std::size_t>(row.kind)],
                   row.command, log_.names_.name_of(row.op));
    switch (row.kind) {
      case Kind::dispatch:
        dispatch(row, log_.dispatches_[row.detail]);
        break;
      case Kind::stage:
        stage(row, log_.stages_[row.detail]);
        break;
      case Kind::hazard_wait:
        fmt::format_to(into(), "{},,,,,,,{},{},,,", command_kind(row), row.start.count(), row.end.count());
        segment(row);
        text(",,,,,");
        ids(log_.waits_[row.detail]);
        text(",");
        break;
      case Kind::queue_wait:
      case Kind::complete:
        fmt::format_to(into(), "{},,,,,,,{},{},,,", command_kind(row), row.start.count(), row.end.count());
        segment(row);
        text(",,,,,,");
        break;
    }
    text("\n");
    if (buffer_.size() > kFlushBytes) flush();
  }

 private:
  void dispatch(const Row& row, const DispatchDetail& detail) {
    const std::string bytes = detail.queued ? fmt::to_string(detail.logical_bytes.count()) : std::string();
    fmt::format_to(into(), "{},,,,,{},,{},{},,,", command_kind(row), bytes, row.start.count(),
                   row.end.count());
    segment(row);
    fmt::format_to(into(), ",{},{},", bytes, detail.cycles.count());
    ranges(detail.first_range, detail.reads);
    text(",");
    ranges(detail.first_range + detail.reads, detail.writes);
    text(",,");
  }

  void stage(const Row& row, const StageDetail& detail) {
    fmt::format_to(into(), "{},{},", petal::name_of(detail.kind), petal::name_of(port_of(detail.kind)));
    if (detail.has_tile)
      fmt::format_to(into(), "{},{},{}", detail.tile.m, detail.tile.n, detail.tile.k);
    else
      text(",,");
    fmt::format_to(into(), ",{},{},{},{},{},{},", detail.bytes, detail.elements, row.start.count(),
                   row.end.count(), detail.busy_end.count(), detail.op_index);
    segment(row);
    text(",,,");
    ranges(detail.first_range, detail.reads);
    text(",");
    ranges(detail.first_range + detail.reads, detail.writes);
    fmt::format_to(into(), ",,{}", detail.macs);
  }

  const std::string& command_kind(const Row& row) const { return log_.names_.name_of(row.command_kind); }

  void segment(const Row& row) {
    if (row.segments > 1) fmt::format_to(into(), "{}/{}", row.segment + 1, row.segments);
  }

  void ranges(std::size_t first, std::size_t count) {
    for (std::size_t index = first; index < first + count; ++index) {
      const ByteRange& range = log_.ranges_[index];
      fmt::format_to(into(), "{}{}:{:#x}+{}", index == first ? "" : ";", petal::name_of(range.space),
                     range.begin, range.end - range.begin);
    }
  }

  void ids(const WaitDetail& detail) {
    for (std::size_t index = detail.first_id; index < detail.first_id + detail.ids; ++index)
      fmt::format_to(into(), "{}{}", index == detail.first_id ? "" : ";", log_.ids_[index]);
  }

  void text(const char* characters) { fmt::format_to(into(), "{}", characters); }
  std::back_insert_iterator<fmt::memory_buffer> into() { return std::back_inserter(buffer_); }
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  const OpLog& log_;
  std::ostream& out_;
  fmt::memory_buffer buffer_;
};

OpLog::Row OpLog::row_of(Kind kind, PeIndex pe, const CommandSlice& slice, Picoseconds start,
                         Picoseconds end) {
  return {start,
          end,
          slice.completion,
          0,
          pe,
          slice.segment,
          slice.segments,
          names_.id_of(op_name(*slice.command)),
          names_.id_of(kind_name(*slice.command)),
          kind};
}

void OpLog::on_dispatch(const DispatchEvent& event) {
  Row row = row_of(Kind::dispatch, event.pe, event.slice, event.start, event.end);
  collect_hazard_ranges(event.slice, hazards_);
  row.detail = dispatches_.size();
  dispatches_.push_back({event.cycles, event.slice.logical_bytes, ranges_.size(),
                         static_cast<std::uint32_t>(hazards_.reads.size()),
                         static_cast<std::uint32_t>(hazards_.writes.size()),
                         !std::holds_alternative<OverheadCmd>(*event.slice.command)});
  ranges_.insert(ranges_.end(), hazards_.reads.begin(), hazards_.reads.end());
  ranges_.insert(ranges_.end(), hazards_.writes.begin(), hazards_.writes.end());
  rows_.push_back(row);
}

void OpLog::on_queue_wait(const QueueWaitEvent& event) {
  rows_.push_back(row_of(Kind::queue_wait, event.pe, event.slice, event.start, event.end));
}

void OpLog::on_hazard_wait(const HazardWaitEvent& event) {
  Row row = row_of(Kind::hazard_wait, event.pe, event.slice, event.start, event.end);
  row.op = names_.id_of(petal::name_of(event.reason));
  row.detail = waits_.size();
  waits_.push_back({ids_.size(), event.waits_on.size()});
  ids_.insert(ids_.end(), event.waits_on.begin(), event.waits_on.end());
  rows_.push_back(row);
}

void OpLog::on_stage(const StageEvent& event) {
  const NameTable::Id op = names_.id_of(event.op);
  rows_.push_back({event.start, event.end, event.command, stages_.size(), event.pe, event.segment,
                   event.segments, op, op, Kind::stage});
  stages_.push_back({event.stage, event.tile, event.bytes, event.elements, event.macs, event.busy_end,
                     ranges_.size(), event.op_index, static_cast<std::uint8_t>(event.read_count),
                     static_cast<std::uint8_t>(event.write_count), event.kind, event.has_tile});
  ranges_.insert(ranges_.end(), event.reads.begin(), event.reads.begin() + event.read_count);
  ranges_.insert(ranges_.end(), event.writes.begin(), event.writes.begin() + event.write_count);
}

void OpLog::on_complete(const CompleteEvent& event) {
  Row row = row_of(Kind::complete, event.pe, event.slice, event.at, event.at);
  if (event.status != CompletionStatus::ok) row.op = names_.id_of(petal::name_of(event.status));
  rows_.push_back(row);
}

std::uint64_t OpLog::stage_number(const Row& row) const {
  return row.kind == Kind::stage ? stages_[row.detail].stage : 0;
}

std::vector<std::size_t> OpLog::sorted() const {
  std::vector<std::size_t> order(rows_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [this](std::size_t index) {
    const Row& row = rows_[index];
    return std::make_tuple(row.start.count(), row.pe, row.kind, row.command, stage_number(row));
  };
  // Stable, so that an OverheadCmd of no cycles, which has no completion to tell it apart, keeps its place.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

void OpLog::write(std::ostream& out, const OpLogOrigin& origin) const {
  if ((origin.version + origin.config_json).find('\n') != std::string::npos)
    throw std::invalid_argument("an op_log's version and configuration must each be one line");
  Writer writer(*this, out);
  writer.head(origin);
  std::size_t seq = 0;
  for (const std::size_t index : sorted()) writer.row(seq++, rows_[index]);
}

}  // namespace petal
