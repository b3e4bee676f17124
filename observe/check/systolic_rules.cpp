// SPDX-License-Identifier: Apache-2.0
//
// The durations of GEMM stages on a systolic array. They follow from a tile's sizes, and a log has only the
// MACs of a GEMM and the bytes of its two FETCHes. With a's and b's element sizes, which a log does not say
// either, these give m, k and n. Of all pairs of element sizes those count that fit every step of the
// command: sizes are whole, no larger than gemm_tile, and equal to it in all but the last tile of a
// direction. Often that is one pair; each stage must take what one of them gives.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "petal/check/rules.hpp"

namespace petal::check {
namespace {

constexpr const char* kRule = "duration";

/// What an element of an operand can have.
constexpr std::array<std::uint64_t, 3> kElementBytes = {1, 2, 4};

/// Whole picoseconds, whichever way half of one was rounded.
constexpr Time kRounding = 1;

/// Of a and of b.
struct ElementBytes {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};

struct TileSizes {
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  std::uint64_t n = 0;
};

/// One step of a tile loop.
struct Step {
  const LogRow* gemm = nullptr;
  std::vector<const LogRow*> fetches;  ///< a's, then b's
};

/// The sizes that make `step`'s bytes and MACs; nothing if none do.
std::optional<TileSizes> sizes_of(const Step& step, ElementBytes element) {
  const std::uint64_t macs = step.gemm->macs;
  const std::uint64_t a = step.fetches[0]->bytes / element.a;
  const std::uint64_t b = step.fetches[1]->bytes / element.b;
  if (macs == 0 || a == 0 || b == 0 || macs < b) return std::nullopt;
  TileSizes sizes{macs / b, 0, macs / a};
  sizes.k = a / sizes.m;
  const bool fits = sizes.m * sizes.k * element.a == step.fetches[0]->bytes &&
                    sizes.k * sizes.n * element.b == step.fetches[1]->bytes &&
                    sizes.m * sizes.k * sizes.n == macs;
  return fits ? std::optional<TileSizes>(sizes) : std::nullopt;
}

std::uint64_t quotient_up(std::uint64_t value, std::uint64_t by) {
  return value / by + (value % by != 0 ? 1 : 0);
}

/// Cycles of one fold after another; the loads of ws and is can hide behind the fold before.
double cycles_of(const SystolicRules& array, const TileSizes& tile) {
  const auto folds = [&](std::uint64_t down, std::uint64_t across) {
    return static_cast<double>(quotient_up(down, array.rows)) *
           static_cast<double>(quotient_up(across, array.cols));
  };
  const auto rows = static_cast<double>(array.rows);
  const double skew = rows + static_cast<double>(array.cols) - 2;
  if (array.dataflow == "os") return folds(tile.m, tile.n) * (static_cast<double>(tile.k) + skew);
  const bool is_ws = array.dataflow == "ws";
  const double count = is_ws ? folds(tile.k, tile.n) : folds(tile.k, tile.m);
  const double stream = static_cast<double>(is_ws ? tile.m : tile.n) + skew;
  return (array.preload_is_overlapped ? 1 : count) * rows + count * stream;
}

/// The GEMM stages of one command.
class FoldCheck {
 public:
  FoldCheck(const CommandTimeline& command, const PeRules& rules, ViolationList& violations)
      : rules_(rules), array_(*rules.systolic), violations_(violations) {
    for (const LogRow* const stage : command.stages) add(*stage);
  }

  void check() {
    keep_complete_steps();
    if (steps_.empty()) return;
    const std::vector<ElementBytes> elements = possible_elements();
    if (elements.empty()) {
      const LogRow& first = *steps_.begin()->second.gemm;
      return violations_.add(kRule, {first.seq}, [&] {
        return fmt::format(
            "command {}: no element sizes make tiles of its FETCHes' bytes and its GEMMs' MACs", first.cmd);
      });
    }
    for (const auto& [tile, step] : steps_) check_step(step, elements);
  }

 private:
  using Tile = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t>;

  void add(const LogRow& stage) {
    if (!stage.has_tile || (stage.stage != LogStage::gemm && stage.stage != LogStage::fetch)) return;
    Step& step = steps_[{stage.op_index, stage.tile.m, stage.tile.n, stage.tile.k}];
    if (stage.stage == LogStage::fetch)
      step.fetches.push_back(&stage);
    else
      step.gemm = &stage;
  }

  /// FETCHes without a GEMM are of tile-scoped MATH ops.
  void keep_complete_steps() {
    for (auto step = steps_.begin(); step != steps_.end();) {
      const LogRow* const gemm = step->second.gemm;
      const std::size_t fetches = step->second.fetches.size();
      if (gemm != nullptr && fetches != 2)
        violations_.add(kRule, {gemm->seq}, [&] {
          return fmt::format("a GEMM of command {} has {} FETCHes, must have those of a and b", gemm->cmd,
                             fetches);
        });
      step = gemm != nullptr && fetches == 2 ? std::next(step) : steps_.erase(step);
    }
    for (const auto& [tile, step] : steps_) {
      last_.m = std::max(last_.m, step.gemm->tile.m);
      last_.k = std::max(last_.k, step.gemm->tile.k);
      last_.n = std::max(last_.n, step.gemm->tile.n);
    }
  }

  std::vector<ElementBytes> possible_elements() const {
    std::vector<ElementBytes> possible;
    for (const std::uint64_t a : kElementBytes)
      for (const std::uint64_t b : kElementBytes)
        if (std::all_of(steps_.begin(), steps_.end(), [&](const auto& step) {
              return is_possible(step.second, {a, b});
            }))
          possible.push_back({a, b});
    return possible;
  }

  bool is_possible(const Step& step, ElementBytes element) const {
    const std::optional<TileSizes> sizes = sizes_of(step, element);
    const LogTile& at = step.gemm->tile;
    return sizes && is_tile(sizes->m, array_.tile_m, at.m == last_.m) &&
           is_tile(sizes->k, array_.tile_k, at.k == last_.k) &&
           is_tile(sizes->n, array_.tile_n, at.n == last_.n);
  }

  static bool is_tile(std::uint64_t size, std::uint64_t tile, bool is_last) {
    return is_last ? size <= tile : size == tile;
  }

  void check_step(const Step& step, const std::vector<ElementBytes>& elements) {
    const Time duration = step.gemm->end - step.gemm->start;
    std::vector<Time> expected;
    for (const ElementBytes& element : elements)
      expected.push_back(rules_.time_of_cycles(cycles_of(array_, *sizes_of(step, element))));
    const bool is_right = std::any_of(expected.begin(), expected.end(), [&](Time time) {
      return duration >= time - kRounding && duration <= time + kRounding;
    });
    if (is_right && step.gemm->busy_end == step.gemm->end) return;
    violations_.add(kRule, {step.gemm->seq}, [&] {
      return fmt::format(
          "a GEMM of command {} takes {} ps, {} of it occupying its port; must be {} ps, all of "
          "it: the folds of {} MACs on {} x {} {}",
          step.gemm->cmd, duration, step.gemm->busy_end - step.gemm->start, fmt::join(expected, " or "),
          step.gemm->macs, array_.rows, array_.cols, array_.dataflow);
    });
  }

  const PeRules& rules_;
  const SystolicRules& array_;
  ViolationList& violations_;
  std::map<Tile, Step> steps_;
  LogTile last_;  ///< the largest index of each direction
};

}  // namespace

void check_systolic_durations(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  for (const CommandTimeline& command : pe.commands) FoldCheck(command, rules, violations).check();
}

}  // namespace petal::check
