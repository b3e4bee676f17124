// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>

#include "petal/check/rules.hpp"

namespace petal::check {
namespace {

/// One use of a slot, from the first stage that needs it to the end of the last.
struct SlotUse {
  Time start = 0;
  Time end = 0;
  std::uint64_t seq = 0;  ///< of the row that starts it
};

using TileKey = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t>;

/// The uses of `command`'s slots that `first` stages begin and `last` stages of the same tile end. Tiles
/// without a stage that moves data to or from HBM (`must`) use no slot.
std::vector<SlotUse> uses_of(const CommandTimeline& command, LogStage first, LogStage last, LogStage must) {
  struct Tile {
    const LogRow* begin = nullptr;
    Time end = 0;
    bool counts = false;
  };
  std::map<TileKey, Tile> tiles;
  for (const LogRow* const stage : command.stages) {
    if (!stage->has_tile || (stage->stage != first && stage->stage != last)) continue;
    Tile& tile = tiles[{stage->op_index, stage->tile.m, stage->tile.n, stage->tile.k}];
    if (stage->stage == first && (tile.begin == nullptr || stage->start < tile.begin->start))
      tile.begin = stage;
    tile.end = std::max(tile.end, stage->end);
    tile.counts = tile.counts || stage->stage == must;
  }
  std::vector<SlotUse> uses;
  for (const auto& [key, tile] : tiles)
    if (tile.begin != nullptr && tile.counts) uses.push_back({tile.begin->start, tile.end, tile.begin->seq});
  std::sort(uses.begin(), uses.end(), [](const SlotUse& a, const SlotUse& b) { return a.start < b.start; });
  return uses;
}

void check_slots(const std::vector<SlotUse>& uses, const char* what, std::uint64_t command,
                 const PeRules& rules, ViolationList& violations) {
  std::priority_queue<Time, std::vector<Time>, std::greater<>> ends;
  for (const SlotUse& use : uses) {
    while (!ends.empty() && ends.top() <= use.start) ends.pop();
    if (use.end == use.start) continue;
    ends.push(use.end);
    if (ends.size() > rules.tile_buffers)
      violations.add("staging", {use.seq}, [&] {
        return fmt::format("command {} uses {} {} slots at {} ps, tile_buffers is {}", command, ends.size(),
                           what, use.start, rules.tile_buffers);
      });
  }
}

}  // namespace

void check_staging(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  for (const CommandTimeline& command : pe.commands) {
    check_slots(uses_of(command, LogStage::dma_read, LogStage::fetch, LogStage::dma_read), "staging",
                command.id, rules, violations);
    check_slots(uses_of(command, LogStage::store, LogStage::dma_write, LogStage::dma_write), "out",
                command.id, rules, violations);
  }
}

}  // namespace petal::check
