// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/staging_layout.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "petal/command/tensor_handle.hpp"

namespace {

using namespace petal;

struct Slot {
  std::uint64_t begin;
  std::uint64_t end;
};

constexpr std::uint64_t kWidest = 4;  // bytes of an f32

/// Every slot of every command in flight, as large as f32 tiles need: a and b of a GEMM (a streamed MATH op
/// has up to three chunks of m x n), and the out tile.
std::vector<Slot> slots_of(const PeSchedulerConfig& config, const StagingLayout& layout) {
  const GemmTile& tile = config.gemm_tile;
  const std::uint64_t chunk = tile.m * tile.n;
  const std::uint64_t elements[] = {std::max(tile.m * tile.k, chunk), std::max(tile.k * tile.n, chunk),
                                    chunk};
  std::vector<Slot> slots;
  for (std::uint32_t run = 0; run < config.max_in_flight; ++run)
    for (std::uint64_t slot = 0; slot < config.tile_buffers; ++slot) {
      for (std::uint32_t operand = 0; operand < 3; ++operand) {
        const std::uint64_t address = layout.operand_address(run, slot, operand);
        slots.push_back({address, address + elements[operand] * kWidest});
      }
      const std::uint64_t address = layout.out_address(run, slot);
      slots.push_back({address, address + chunk * kWidest});
    }
  return slots;
}

PeSchedulerConfig scheduler_of(const GemmTile& tile, std::uint32_t tile_buffers,
                               std::uint32_t max_in_flight) {
  PeSchedulerConfig config;
  config.gemm_tile = tile;
  config.tile_buffers = tile_buffers;
  config.max_in_flight = max_in_flight;
  return config;
}

void check_layout(const PeSchedulerConfig& config, const TcmConfig& tcm) {
  const StagingLayout layout(config, tcm);
  std::vector<Slot> slots = slots_of(config, layout);
  std::sort(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) { return a.begin < b.begin; });
  for (std::size_t index = 1; index < slots.size(); ++index)
    BOOST_TEST_REQUIRE(slots[index - 1].end <= slots[index].begin);
  BOOST_TEST(slots.front().begin >= tcm.arena.count());
  BOOST_TEST(slots.back().end <= slots.front().begin + layout.total().count());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(staging_layout)

BOOST_AUTO_TEST_CASE(no_two_slots_overlap_and_all_lie_beyond_the_arena) {
  TcmConfig odd_arena;
  odd_arena.arena = Bytes(1000);
  for (const GemmTile& tile : {GemmTile{}, GemmTile{3, 5, 7}, GemmTile{64, 1, 64}, GemmTile{1, 1, 1}})
    for (const std::uint32_t tile_buffers : {1U, 2U, 5U})
      for (const std::uint32_t max_in_flight : {1U, 8U}) {
        check_layout(scheduler_of(tile, tile_buffers, max_in_flight), TcmConfig{});
        check_layout(scheduler_of(tile, tile_buffers, max_in_flight), odd_arena);
      }
}

BOOST_AUTO_TEST_CASE(slots_go_round_and_neighbouring_steps_have_different_ones) {
  const StagingLayout layout(scheduler_of(GemmTile{}, 4, 8), TcmConfig{});
  BOOST_TEST(layout.operand_address(2, 1, 0) == layout.operand_address(2, 5, 0));
  BOOST_TEST(layout.operand_address(2, 1, 0) != layout.operand_address(2, 2, 0));
  BOOST_TEST(layout.out_address(2, 3) == layout.out_address(2, 7));
  BOOST_TEST(layout.out_address(2, 3) != layout.out_address(2, 4));
}

// Tiles of 32 x 64, 64 x 32 and 32 x 32 in f32 are 8192, 8192 and 4096 bytes. A slot has room for three
// operands, an out slot for one tile: 4 * (3 * 8192 + 4096) for each of 8 commands.
BOOST_AUTO_TEST_CASE(the_total_is_what_the_whole_window_needs) {
  BOOST_TEST(StagingLayout(PeSchedulerConfig{}, TcmConfig{}).total().count() == 917504U);
  BOOST_TEST(StagingLayout(scheduler_of(GemmTile{}, 1, 1), TcmConfig{}).total().count() == 28672U);
}

BOOST_AUTO_TEST_SUITE_END()
