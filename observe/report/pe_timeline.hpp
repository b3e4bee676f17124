// SPDX-License-Identifier: Apache-2.0
//
// PeTimeline: what happened on one PE, for a picture of it. Of a long run the beginning and the end are kept
// event by event; for all of it there are exact sums over bins of equal width.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "petal/observe/event.hpp"
#include "petal/report/binned_axis.hpp"
#include "petal/report/command_classes.hpp"
#include "petal/report/head_and_tail.hpp"
#include "petal/report/stage_forms.hpp"
#include "petal/report/track.hpp"

namespace petal {

/// How much of one PE is kept event by event, and in how many bins it is summed up.
struct TimelineLimits {
  std::size_t stages = 600'000;
  std::size_t command_spans = 200'000;
  std::size_t levels = 200'000;  ///< of each of the two levels
  std::size_t bins = 4096;       ///< even

  /// Of each of `timelines` PEs, so that a page that holds them all stays below 20 MB.
  static TimelineLimits shared_by(std::size_t timelines);
};

/// A stage on its port.
struct StageSpan {
  Picoseconds start;
  Picoseconds busy_end;
  Picoseconds end;
  TileIndex tile;
  CompletionId command;
  StageForms::Id form;
  EnginePort port;
  bool has_tile;
};

/// What PE_CPU does, or a command that stands at the queue's head.
struct CommandSpan {
  Track track;
  Picoseconds start;
  Picoseconds end;
  CompletionId command = kNoCompletion;
  std::optional<CommandClasses::Id> command_class;  ///< nothing for PE_CPU waiting for data
  std::vector<CompletionId> waits_on;               ///< of a wait at the head
};

/// The level from `at` on.
struct LevelStep {
  Picoseconds at;
  std::uint64_t level = 0;    ///< bytes in the queue, or commands in flight
  std::uint32_t entries = 0;  ///< of the queue
};

/// Sums over a piece of time.
struct TimelineBin {
  struct Sum {
    std::int64_t time_ps = 0;
    std::uint64_t spans = 0;  ///< that begin in it
  };
  std::array<Sum, kTracks> tracks{};
  std::uint64_t peak_queue_bytes = 0;
  std::uint64_t peak_in_flight = 0;

  TimelineBin& operator+=(const TimelineBin& other);
};

/// The part of a run of which there are sums alone. Its ends are ends of bins.
struct TimelineGap {
  Picoseconds from;
  Picoseconds to;

  bool holds(Picoseconds start, Picoseconds end) const { return start >= from && end <= to; }
};

class PeTimeline {
 public:
  explicit PeTimeline(const TimelineLimits& limits);

  void add(const StageSpan& stage);
  void add(CommandSpan span);
  void set_queue_level(const LevelStep& step);
  void set_in_flight(const LevelStep& step);

  const HeadAndTail<StageSpan>& stages() const { return stages_; }
  const HeadAndTail<CommandSpan>& command_spans() const { return command_spans_; }
  const HeadAndTail<LevelStep>& queue_levels() const { return queue_levels_; }
  const HeadAndTail<LevelStep>& in_flight() const { return in_flight_; }
  const BinnedAxis<TimelineBin>& bins() const { return bins_; }
  /// Nothing if every event is kept.
  std::optional<TimelineGap> gap() const;

 private:
  using PeakOfBin = std::uint64_t TimelineBin::*;

  void add_to_bins(Track track, Picoseconds start, Picoseconds end);
  void leave_out(Picoseconds start, Picoseconds end);
  void set_level(HeadAndTail<LevelStep>& levels, const LevelStep& step, PeakOfBin peak);

  HeadAndTail<StageSpan> stages_;
  HeadAndTail<CommandSpan> command_spans_;
  HeadAndTail<LevelStep> queue_levels_;
  HeadAndTail<LevelStep> in_flight_;
  BinnedAxis<TimelineBin> bins_;
  Picoseconds left_out_from_ = kNever;
  Picoseconds left_out_to_{0};
};

}  // namespace petal
