// SPDX-License-Identifier: Apache-2.0
#include "petal/report/timeline_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "petal/report/base64.hpp"
#include "petal/report/varint_bytes.hpp"

namespace petal {
namespace {

using Json = nlohmann::ordered_json;

std::string segment_text(std::uint32_t segment, std::uint32_t segments) {
  return segments > 1 ? fmt::format("{}/{}", segment + 1, segments) : std::string();
}

template <typename Value>
void add_unless_empty(Json& json, const char* name, const Value& value) {
  if (value != Value()) json[name] = value;
}

Json json_of(const CommandClass& command) {
  Json json = {{"kind", command.kind}, {"op", command.op}};
  add_unless_empty(json, "ops", command.ops);
  json["bytes"] = command.logical_bytes.count();
  add_unless_empty(json, "segment", segment_text(command.segment, command.segments));
  return json;
}

Json json_of(const StageForm& form) {
  Json json = {{"op", form.op}};
  add_unless_empty(json, "op_index", form.op_index);
  add_unless_empty(json, "bytes", form.bytes);
  add_unless_empty(json, "elements", form.elements);
  add_unless_empty(json, "macs", form.macs);
  add_unless_empty(json, "segment", segment_text(form.segment, form.segments));
  return json;
}

/// The events of one track: each is stored as its difference to the one before.
class TrackBytes {
 public:
  void add(const StageSpan& stage) {
    span(stage.start, stage.busy_end);
    if (stage.port == EnginePort::dma_read || stage.port == EnginePort::dma_write)
      bytes_.add(static_cast<std::uint64_t>((stage.end - stage.busy_end).count()));
    command(stage.command);
    bytes_.add(stage.form);
    bytes_.add(stage.has_tile ? stage.tile.m + 1 : 0);
    if (!stage.has_tile) return;
    bytes_.add(stage.tile.n);
    bytes_.add(stage.tile.k);
  }

  void add(const CommandSpan& event) {
    span(event.start, event.end);
    command(event.command);
    bytes_.add(event.command_class ? *event.command_class + 1 : 0);
    if (event.track < Track::hazard) return;
    bytes_.add(event.waits_on.size());
    for (const CompletionId waited : event.waits_on)
      bytes_.add_signed(static_cast<std::int64_t>(event.command - waited));
  }

  Json json() const { return {{"count", count_}, {"data", base64(bytes_.bytes())}}; }

 private:
  void span(Picoseconds start, Picoseconds end) {
    bytes_.add_signed((start - end_before_).count());
    bytes_.add(static_cast<std::uint64_t>((end - start).count()));
    end_before_ = end;
    ++count_;
  }
  void command(CompletionId command) {
    bytes_.add_signed(static_cast<std::int64_t>(command - command_before_));
    command_before_ = command;
  }

  VarintBytes bytes_;
  Picoseconds end_before_{0};
  CompletionId command_before_ = 0;
  std::size_t count_ = 0;
};

Track track_of(const StageSpan& stage) {
  return track_of(stage.port);
}
Track track_of(const CommandSpan& span) {
  return span.track;
}

/// Adds the tracks of `kept`; returns how many events are left out of them.
template <typename Span>
std::uint64_t add_tracks(Json& json, const HeadAndTail<Span>& kept, const std::optional<TimelineGap>& gap) {
  std::array<std::vector<const Span*>, kTracks> tracks;
  std::uint64_t left_out = kept.left_out();
  kept.for_each([&](const Span& span) {
    if (gap && gap->holds(span.start, span.end))
      ++left_out;
    else
      tracks[static_cast<std::size_t>(track_of(span))].push_back(&span);
  });
  for (std::size_t index = 0; index < kTracks; ++index) {
    std::vector<const Span*>& track = tracks[index];
    if (track.empty()) continue;
    std::stable_sort(track.begin(), track.end(), [](const Span* a, const Span* b) {
      return std::make_tuple(a->start.count(), a->end.count()) <
             std::make_tuple(b->start.count(), b->end.count());
    });
    TrackBytes bytes;
    for (const Span* const span : track) bytes.add(*span);
    json[name_of(static_cast<Track>(index))] = bytes.json();
  }
  return left_out;
}

enum class Entries : std::uint8_t { absent, present };

Json levels_json(const HeadAndTail<LevelStep>& levels, Entries entries) {
  VarintBytes bytes;
  Picoseconds before{0};
  std::size_t count = 0;
  levels.for_each([&](const LevelStep& step) {
    bytes.add(static_cast<std::uint64_t>((step.at - before).count()));
    bytes.add(step.level);
    if (entries == Entries::present) bytes.add(step.entries);
    before = step.at;
    ++count;
  });
  return {{"count", count}, {"data", base64(bytes.bytes())}};
}

/// `write(bytes, bin)` for each bin of the gap.
template <typename Write>
std::string bins_text(const BinnedAxis<TimelineBin>& bins, const TimelineGap& gap, const Write& write) {
  VarintBytes bytes;
  const std::int64_t width = bins.width().count();
  const auto first = static_cast<std::size_t>(gap.from.count() / width);
  const auto last = static_cast<std::size_t>(gap.to.count() / width);
  for (std::size_t index = first; index < last; ++index)
    write(bytes, index < bins.cells().size() ? bins.cells()[index] : TimelineBin());
  return base64(bytes.bytes());
}

Json gap_json(const PeTimeline& pe, const TimelineGap& gap) {
  Json json = {
      {"from_ps", gap.from.count()}, {"to_ps", gap.to.count()}, {"bin_ps", pe.bins().width().count()}};
  Json tracks = Json::object();
  for (std::size_t track = 0; track < kTracks; ++track)
    tracks[name_of(static_cast<Track>(track))] =
        bins_text(pe.bins(), gap, [track](VarintBytes& bytes, const TimelineBin& bin) {
          bytes.add(static_cast<std::uint64_t>(bin.tracks[track].time_ps));
          bytes.add(bin.tracks[track].spans);
        });
  json["tracks"] = std::move(tracks);
  json["queue_bytes"] = bins_text(
      pe.bins(), gap, [](VarintBytes& bytes, const TimelineBin& bin) { bytes.add(bin.peak_queue_bytes); });
  json["in_flight"] = bins_text(
      pe.bins(), gap, [](VarintBytes& bytes, const TimelineBin& bin) { bytes.add(bin.peak_in_flight); });
  return json;
}

Json json_of(const PeTimeline& pe) {
  const std::optional<TimelineGap> gap = pe.gap();
  Json json = Json::object();
  Json tracks = Json::object();
  const std::uint64_t command_spans = add_tracks(tracks, pe.command_spans(), gap);
  const std::uint64_t stages = add_tracks(tracks, pe.stages(), gap);
  json["tracks"] = std::move(tracks);
  json["queue_bytes"] = levels_json(pe.queue_levels(), Entries::present);
  json["in_flight"] = levels_json(pe.in_flight(), Entries::absent);
  if (!gap) return json;
  json["gap"] = gap_json(pe, *gap);
  json["gap"]["stages"] = stages;
  json["gap"]["command_spans"] = command_spans;
  return json;
}

}  // namespace

Json timeline_json(const TimelineRecorder& recorder) {
  Json json = {{"commands", Json::array()}, {"stages", Json::array()}, {"pes", Json::array()}};
  for (const CommandClass& command : recorder.commands().classes())
    json["commands"].push_back(json_of(command));
  for (const StageForm& form : recorder.stage_forms().forms()) json["stages"].push_back(json_of(form));
  for (std::size_t pe = 0; pe < recorder.size(); ++pe) json["pes"].push_back(json_of(recorder.pe(pe)));
  return json;
}

}  // namespace petal
