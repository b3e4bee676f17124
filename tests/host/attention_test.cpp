// SPDX-License-Identifier: Apache-2.0
//
// The command stream of the attention kernel.
#include "petal/host/kernels/attention.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <utility>

#include "host/recording_sink.hpp"
#include "petal/host/kernels/attention_work.hpp"

using namespace petal;
using namespace petal::test;

namespace {

TensorHandle f16(std::uint64_t address, const Dims& shape) {
  return dense_tensor(Space::hbm, address, shape, DType::f16);
}

/// One batch, 4 query heads over 2 KV heads, heads of 16.
struct Problem {
  Problem(std::uint64_t queries, std::uint64_t keys) {
    tensors.q = f16(0x10000, {1, 4, queries, 16});
    tensors.k = f16(0x20000, {1, 2, keys, 16});
    tensors.v = f16(0x30000, {1, 2, keys, 16});
  }

  AttentionArguments arguments(std::uint64_t tile, std::uint64_t row_block = 64) const {
    AttentionArguments result;
    result.problem = attention_problem(attributes, tensors);
    result.y = 0x60000;
    result.tile = tile;
    result.row_block = row_block;
    return result;
  }

  AttentionAttributes attributes;
  AttentionTensors tensors;
};

struct Stream : Bench {
  explicit Stream(const AttentionArguments& arguments, const TlOptions& options = {}) : Bench(options) {
    attention(tl, arguments);
  }
  std::string names() const { return sink.names(0, sink.issued.size()); }
  std::vector<CompositeCmd> composites() const {
    std::vector<CompositeCmd> list;
    for (std::size_t index = 0; index < sink.issued.size(); ++index)
      if (const auto* composite = std::get_if<CompositeCmd>(&sink.command(index))) list.push_back(*composite);
    return list;
  }
  std::uint64_t read_bytes() const {
    std::uint64_t bytes = 0;
    for (std::size_t index = 0; index < sink.issued.size(); ++index)
      if (const auto* load = std::get_if<DmaReadCmd>(&sink.command(index))) bytes += load->nbytes;
    return bytes;
  }
};

std::string op_names(const CompositeCmd& composite) {
  std::string names;
  for (const OpSpec& op : composite.ops) names += (names.empty() ? "" : " ") + std::string(name_of(op.kind));
  return names;
}

std::int32_t scalar(const OpSpec& op, const char* name) {
  return std::get<std::int32_t>(*op.extra(name));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attention_kernel)

// The two heads of a group attend together: load Q, fill m, l, O, two composites a tile, clamp, divide,
// store.
BOOST_AUTO_TEST_CASE(decode_stacks_the_heads_of_a_group) {
  const Stream stream(Problem(1, 8).arguments(8));
  BOOST_TEST(stream.sink.issued.size() == 2U * (4 + 2 + 3));
  const std::vector<CompositeCmd> composites = stream.composites();
  BOOST_REQUIRE(composites.size() == 4U);
  BOOST_TEST(op_names(composites[0]) == "gemm");
  BOOST_TEST(op_names(composites[1]) == "rmax max_elem exp_diff exp_diff rsum fma mul_bcast copy gemm add");
  BOOST_TEST(gemm_shape_of(composites[0].ops[0]).m == 2U);
  BOOST_TEST(gemm_scale_of(composites[0].ops[0]) == 0.25F);  // 1 / sqrt(16)
  // KV head 1 of K: 8 keys of 16 f16 elements behind head 0's.
  BOOST_TEST(composites[2].ops[0].operand("b").address == 0x20000U + 8 * 16 * 2);
  BOOST_TEST(stream.sink.get<DmaReadCmd>(9).src.address == 0x10000U + 2 * 16 * 2);
}

// 380 bytes a tile, as gqa_decode_opt2: nothing is paid for what is not asked for.
BOOST_AUTO_TEST_CASE(a_plain_tile_costs_what_it_costs_in_decode) {
  const Stream stream(Problem(1, 8).arguments(8));
  BOOST_TEST(stream.sink.bytes(4, 5) == 58U);
  BOOST_TEST(stream.sink.bytes(5, 6) == 322U);
}

BOOST_AUTO_TEST_CASE(prefill_cuts_queries_into_blocks) {
  Problem problem(100, 10);
  const AttentionArguments arguments = problem.arguments(10, 64);
  BOOST_TEST(attention_row_blocks(arguments) == 8U);  // 4 heads of 64 + 36 queries
  BOOST_TEST(attention_tiles(arguments) == 8U);
  BOOST_TEST(attention_macs(arguments) == 4U * 100 * 10 * 32);
  const std::vector<CompositeCmd> composites = Stream(arguments).composites();
  BOOST_TEST(gemm_shape_of(composites[0].ops[0]).m == 64U);
  BOOST_TEST(gemm_shape_of(composites[2].ops[0]).m == 36U);
}

BOOST_AUTO_TEST_CASE(blocks_go_round_robin_over_programs) {
  TlOptions options;
  options.num_programs = 3;
  std::size_t composites = 0;
  for (const auto& [program, blocks] : {std::pair<int, int>{0, 2}, {1, 1}, {2, 1}}) {
    options.program_id = static_cast<std::uint64_t>(program);
    const Stream stream(Problem(2, 8).arguments(8), options);
    BOOST_TEST(stream.composites().size() == 2U * static_cast<std::size_t>(blocks));
    composites += stream.composites().size();
  }
  BOOST_TEST(composites == 8U);
}

// Queries 0 to 7, keys 0 to 7, tiles of 4, blocks of 4: block 0 sees tile 0 behind a band, block 1 sees all
// of tile 0 and tile 1 behind a band.
BOOST_AUTO_TEST_CASE(causal_skips_tiles_and_masks_only_where_it_must) {
  Problem problem(8, 8);
  problem.attributes.is_causal = true;
  const AttentionArguments arguments = problem.arguments(4, 4);
  BOOST_TEST(attention_tiles(arguments) == 4U * 3);
  const std::vector<CompositeCmd> composites = Stream(arguments).composites();
  BOOST_TEST(op_names(composites[0]) == "gemm band_mask");
  BOOST_TEST(op_names(composites[2]) == "gemm");
  BOOST_TEST(op_names(composites[4]) == "gemm band_mask");
  for (const std::size_t index : {0U, 4U}) {
    BOOST_TEST(scalar(composites[index].ops[1], "low") == std::numeric_limits<std::int32_t>::min());
    BOOST_TEST(scalar(composites[index].ops[1], "high") == 0);
  }
}

// Query 8 of a block [8, 12) with windows of 2 and 1 stands at key 8: keys 6 to 12 are read, from key 6 on.
BOOST_AUTO_TEST_CASE(windows_cut_the_keys) {
  Problem problem(12, 100);
  problem.attributes.left_window_size = 2;
  problem.attributes.right_window_size = 1;
  const AttentionArguments arguments = problem.arguments(16, 4);
  const AttentionRows rows = attention_rows(arguments, 2);
  BOOST_TEST(rows.query == 8U);
  const std::vector<AttentionKeyTile> tiles = attention_key_tiles(arguments, rows);
  BOOST_REQUIRE(tiles.size() == 1U);
  BOOST_TEST(tiles[0].first == 6U);
  BOOST_TEST(tiles[0].count == 7U);
  const KeyBand band = attention_band(arguments.problem, rows, tiles[0]);
  BOOST_TEST(band.low == 0);
  BOOST_TEST(band.high == 3);
}

BOOST_AUTO_TEST_CASE(past_and_current_keys_are_tiled_apart) {
  Problem problem(1, 5);
  problem.tensors.past_key = f16(0x40000, {1, 2, 6, 16});
  problem.tensors.past_value = f16(0x50000, {1, 2, 6, 16});
  const AttentionArguments arguments = problem.arguments(4);
  const std::vector<CompositeCmd> composites = Stream(arguments).composites();
  BOOST_REQUIRE(composites.size() == 16U);
  const auto b = [&](std::size_t index) {
    return composites[index].ops.back().kind == Opcode::add ? composites[index].ops[8].operand("b")
                                                            : composites[index].ops[0].operand("b");
  };
  BOOST_TEST(b(0).address == 0x40000U);
  BOOST_TEST(b(1).address == 0x50000U);
  BOOST_TEST(b(2).address == 0x40000U + 4 * 32);
  BOOST_TEST((b(2).shape == Dims{16, 2}));
  BOOST_TEST(b(4).address == 0x20000U);
  BOOST_TEST((b(6).shape == Dims{16, 1}));
}

BOOST_AUTO_TEST_CASE(softcap_and_masks_stand_in_the_epilogue_in_this_order) {
  Problem problem(8, 8);
  problem.attributes.is_causal = true;
  problem.attributes.softcap = 20.0;
  problem.tensors.attn_mask = f16(0x70000, {8, 8});
  BOOST_TEST(op_names(Stream(problem.arguments(8)).composites()[0]) == "gemm softcap add band_mask");
  problem.tensors.attn_mask->dtype = DType::boolean;
  const Stream stream(problem.arguments(8));
  BOOST_TEST(op_names(stream.composites()[0]) == "gemm softcap where band_mask");
}

// The header (14 bytes) goes ahead; gemm 44, softcap 24, where 32 and band_mask 28 are 128.
BOOST_AUTO_TEST_CASE(all_of_the_epilogue_fits_in_a_cap_of_128_bytes) {
  Problem problem(8, 8);
  problem.attributes.is_causal = true;
  problem.attributes.softcap = 20.0;
  problem.tensors.attn_mask = dense_tensor(Space::hbm, 0x70000, {8, 8}, DType::boolean);
  TlOptions options;
  options.composite_cap = Bytes(128);
  const Stream stream(problem.arguments(8), options);
  BOOST_TEST(stream.sink.bytes(5, 6) == 14U);
  BOOST_TEST(stream.sink.bytes(6, 7) == 128U);
}

// Per block: 2 rows of 16 f16 elements for Q, and the mask's 8 keys of 2 bytes once, or once a row.
BOOST_AUTO_TEST_CASE(a_mask_of_one_row_is_loaded_once_for_a_block) {
  Problem problem(2, 8);
  problem.tensors.attn_mask = f16(0x70000, {1, 8});
  BOOST_TEST(Stream(problem.arguments(8)).read_bytes() == 4U * (64 + 16));
  problem.tensors.attn_mask = f16(0x70000, {2, 8});
  BOOST_TEST(Stream(problem.arguments(8)).read_bytes() == 4U * (64 + 32));
}

BOOST_AUTO_TEST_CASE(nothing_to_compute_issues_nothing) {
  BOOST_TEST(Stream(Problem(0, 8).arguments(8)).sink.issued.empty());
  Problem problem(1, 8);
  problem.tensors.v = f16(0x30000, {1, 2, 8, 0});
  BOOST_TEST(Stream(problem.arguments(8)).sink.issued.empty());
}

BOOST_AUTO_TEST_CASE(no_keys_still_write_y) {
  const Stream stream(Problem(1, 0).arguments(8));
  BOOST_TEST(stream.composites().empty());
  BOOST_TEST(stream.sink.names(4, 7) == "clamp_min div_bcast dma_write");
}

BOOST_AUTO_TEST_CASE(scratch_is_given_back) {
  Problem problem(100, 50);
  problem.attributes.is_causal = true;
  const Stream stream(problem.arguments(16, 32));
  BOOST_TEST(stream.tl.scratch().used().count() == 0U);
}

BOOST_AUTO_TEST_CASE(arguments_that_are_none) {
  AttentionArguments arguments = Problem(1, 8).arguments(8);
  arguments.tile = 0;
  Bench bench;
  BOOST_CHECK_THROW(attention(bench.tl, arguments), ConfigError);
  arguments = Problem(1, 8).arguments(8);
  arguments.row_block = 0;
  BOOST_CHECK_THROW(attention(bench.tl, arguments), ConfigError);
  arguments = Problem(1, 8).arguments(8);
  arguments.y = ~std::uint64_t{0};
  BOOST_CHECK_THROW(attention(bench.tl, arguments), EmitError);
}

BOOST_AUTO_TEST_SUITE_END()
