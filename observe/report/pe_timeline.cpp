// SPDX-License-Identifier: Apache-2.0
#include "petal/report/pe_timeline.hpp"

#include <algorithm>

namespace petal {

TimelineLimits TimelineLimits::shared_by(std::size_t timelines) {
  constexpr std::size_t kFewestEntries = 64;
  constexpr std::size_t kBinsOfAll = 131'072;
  constexpr std::size_t kFewestBins = 64;
  const TimelineLimits all;
  const auto part = [&](std::size_t limit) {
    return std::max(kFewestEntries, limit / std::max<std::size_t>(timelines, 1));
  };
  TimelineLimits limits{part(all.stages), part(all.command_spans), part(all.levels), all.bins};
  while (limits.bins > kFewestBins && limits.bins * timelines > kBinsOfAll) limits.bins /= 2;
  return limits;
}

TimelineBin& TimelineBin::operator+=(const TimelineBin& other) {
  for (std::size_t track = 0; track < tracks.size(); ++track) {
    tracks[track].time_ps += other.tracks[track].time_ps;
    tracks[track].spans += other.tracks[track].spans;
  }
  peak_queue_bytes = std::max(peak_queue_bytes, other.peak_queue_bytes);
  peak_in_flight = std::max(peak_in_flight, other.peak_in_flight);
  return *this;
}

PeTimeline::PeTimeline(const TimelineLimits& limits)
    : stages_(limits.stages),
      command_spans_(limits.command_spans),
      queue_levels_(limits.levels),
      in_flight_(limits.levels),
      bins_(limits.bins) {}

void PeTimeline::add(const StageSpan& stage) {
  add_to_bins(track_of(stage.port), stage.start, stage.busy_end);
  if (const auto left_out = stages_.push(stage)) leave_out(left_out->start, left_out->end);
}

void PeTimeline::add(CommandSpan span) {
  add_to_bins(span.track, span.start, span.end);
  if (const auto left_out = command_spans_.push(std::move(span))) leave_out(left_out->start, left_out->end);
}

void PeTimeline::set_queue_level(const LevelStep& step) {
  set_level(queue_levels_, step, &TimelineBin::peak_queue_bytes);
}

void PeTimeline::set_in_flight(const LevelStep& step) {
  set_level(in_flight_, step, &TimelineBin::peak_in_flight);
}

/// Of several steps at one instant the last one counts.
void PeTimeline::set_level(HeadAndTail<LevelStep>& levels, const LevelStep& step, PeakOfBin peak) {
  LevelStep* const before = levels.last();
  if (before != nullptr && before->at == step.at) {
    *before = step;
    return;
  }
  if (before != nullptr)
    bins_.for_each(before->at, step.at,
                   [&](TimelineBin& bin, Picoseconds) { bin.*peak = std::max(bin.*peak, before->level); });
  // A level that is left out holds until the first one that is kept after it.
  if (const auto left_out = levels.push(step)) leave_out(left_out->at, levels.tail().front().at);
}

void PeTimeline::add_to_bins(Track track, Picoseconds start, Picoseconds end) {
  const auto index = static_cast<std::size_t>(track);
  bins_.for_each(start, end,
                 [index](TimelineBin& bin, Picoseconds part) { bin.tracks[index].time_ps += part.count(); });
  ++bins_.at(start).tracks[index].spans;
}

void PeTimeline::leave_out(Picoseconds start, Picoseconds end) {
  left_out_from_ = std::min(left_out_from_, start);
  left_out_to_ = std::max(left_out_to_, end);
}

std::optional<TimelineGap> PeTimeline::gap() const {
  if (left_out_from_ == kNever) return std::nullopt;
  const std::int64_t width = bins_.width().count();
  const std::int64_t first = left_out_from_.count() / width;
  const std::int64_t last = (left_out_to_.count() + width - 1) / width;
  return TimelineGap{Picoseconds(first * width), Picoseconds(last * width)};
}

}  // namespace petal
