// SPDX-License-Identifier: Apache-2.0
//
// The decode kernels' command streams: what a tile costs, what it reads and writes, and what does not grow.
#include "petal/host/kernels/gqa_decode.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

#include "host/recording_sink.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Kernel = void (*)(TlContext&, const GqaDecodeArguments&);

constexpr std::uint64_t kQ = 0x1000'0000, kK = 0x2000'0000, kV = 0x3000'0000, kO = 0x4000'0000;

GqaDecodeArguments problem(std::uint64_t kv_len) {
  GqaDecodeArguments arguments;
  arguments.q_heads = 8;
  arguments.kv_heads = 2;
  arguments.head_dim = 128;
  arguments.kv_len = kv_len;
  arguments.q = kQ;
  arguments.k = kK;
  arguments.v = kV;
  arguments.o = kO;
  return arguments;
}

/// One KV head of the problem, so that a stream is one head's.
GqaDecodeArguments one_head(std::uint64_t kv_len) {
  GqaDecodeArguments arguments = problem(kv_len);
  arguments.q_heads = 4;
  arguments.kv_heads = 1;
  return arguments;
}

constexpr std::size_t kHeadCommands = 4;  // load Q, fill m, l and O
constexpr std::size_t kTailCommands = 3;  // clamp_min, div_bcast, store O

/// Commands and bytes of one steady-state tile: what 5 tiles issue beyond 4.
struct TileCost {
  std::size_t commands = 0;
  std::uint64_t bytes = 0;
};

TileCost tile_cost(Kernel kernel) {
  Bench four, five;
  kernel(four.tl, one_head(4 * 64));
  kernel(five.tl, one_head(5 * 64));
  return {five.sink.issued.size() - four.sink.issued.size(),
          five.sink.bytes(0, five.sink.issued.size()) - four.sink.bytes(0, four.sink.issued.size())};
}

/// FIXED a command and R a byte (ADR-0064 D1).
double dispatch_cycles(const TileCost& tile, double fixed, double r) {
  return static_cast<double>(tile.commands) * fixed + static_cast<double>(tile.bytes) * r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gqa_decode)

// load 24, dot 40, scale 25, merge 232, load 24, dot 40, add 29: 414.
BOOST_AUTO_TEST_CASE(opt1_issues_fourteen_primitives_a_tile) {
  Bench f;
  gqa_decode_opt1(f.tl, one_head(64));
  BOOST_REQUIRE(f.sink.issued.size() == kHeadCommands + 14 + kTailCommands);
  BOOST_TEST(f.sink.names(0, 4) == "dma_read fill fill fill");
  BOOST_TEST(f.sink.names(4, 18) ==
             "dma_read gemm scale rmax max_elem exp_diff exp_diff rsum fma mul_bcast copy dma_read gemm add");
  BOOST_TEST(f.sink.names(18, 21) == "clamp_min div_bcast dma_write");
  BOOST_TEST(f.sink.bytes(4, 18) == 414U);
  BOOST_TEST(f.sink.bytes(7, 15) == 232U);
  const TileCost tile = tile_cost(&gqa_decode_opt1);
  BOOST_TEST(tile.commands == 14U);
  BOOST_TEST(tile.bytes == 414U);
  BOOST_TEST(dispatch_cycles(tile, 40.0, 0.0625) == 585.875);  // 14*40 + 414/16
}

// Scores 58, softmax_merge + P.V + add 322: 380.
BOOST_AUTO_TEST_CASE(opt2_issues_two_composites_a_tile) {
  Bench f;
  gqa_decode_opt2(f.tl, one_head(64));
  BOOST_REQUIRE(f.sink.issued.size() == kHeadCommands + 2 + kTailCommands);
  BOOST_TEST(f.sink.bytes(4, 5) == 58U);
  BOOST_TEST(f.sink.bytes(5, 6) == 322U);
  const TileCost tile = tile_cost(&gqa_decode_opt2);
  BOOST_TEST(tile.commands == 2U);
  BOOST_TEST(tile.bytes == 380U);
  BOOST_TEST(dispatch_cycles(tile, 40.0, 0.0625) == 103.75);  // 2*40 + 380/16
}

// Scores 58, merge 232, P.V + add 14 + 40 + 28 = 82: 372.
BOOST_AUTO_TEST_CASE(opt3_issues_ten_commands_a_tile) {
  const TileCost tile = tile_cost(&gqa_decode_opt3);
  BOOST_TEST(tile.commands == 10U);
  BOOST_TEST(tile.bytes == 372U);
  BOOST_TEST(dispatch_cycles(tile, 40.0, 0.0625) == 423.25);  // 10*40 + 372/16
}

BOOST_AUTO_TEST_CASE(opt3_issues_the_scores_one_tile_ahead) {
  Bench f;
  gqa_decode_opt3(f.tl, one_head(3 * 64));
  const std::string merge = " rmax max_elem exp_diff exp_diff rsum fma mul_bcast copy gemm";
  // Scores of tile 0, then for each tile the scores of the next one before its own merge.
  BOOST_TEST(f.sink.names(4, f.sink.issued.size() - kTailCommands) ==
             "gemm gemm" + merge + " gemm" + merge + merge);
}

// Scores 58, softmax_merge alone 4 + 1 + 1 + 4*8 + 224 = 262, P.V + add 82: 402.
BOOST_AUTO_TEST_CASE(three_composites_take_402_bytes_a_tile) {
  Bench f;
  gqa_decode_three_composites(f.tl, one_head(64));
  BOOST_REQUIRE(f.sink.issued.size() == kHeadCommands + 3 + kTailCommands);
  BOOST_TEST(f.sink.bytes(4, 5) == 58U);
  BOOST_TEST(f.sink.bytes(5, 6) == 262U);
  BOOST_TEST(f.sink.bytes(6, 7) == 82U);
  const TileCost tile = tile_cost(&gqa_decode_three_composites);
  BOOST_TEST(tile.commands == 3U);
  BOOST_TEST(dispatch_cycles(tile, 40.0, 0.0625) == 145.125);  // 3*40 + 402/16
}

BOOST_AUTO_TEST_CASE(opt3_costs_more_than_twice_opt2_and_the_ratio_falls_with_r) {
  const TileCost two = tile_cost(&gqa_decode_opt2), three = tile_cost(&gqa_decode_opt3);
  const auto ratio = [&](double r) {
    return dispatch_cycles(three, 40.0, r) / dispatch_cycles(two, 40.0, r);
  };
  // (400 + 372 R) / (80 + 380 R): 411.625 / 91.875, 423.25 / 103.75, 493 / 175.
  BOOST_TEST(ratio(0.03125) == 4.48, boost::test_tools::tolerance(0.001));
  BOOST_TEST(ratio(0.0625) == 4.08, boost::test_tools::tolerance(0.001));
  BOOST_TEST(ratio(0.25) == 2.82, boost::test_tools::tolerance(0.002));
  BOOST_TEST(ratio(0.0625) > 2.0);
}

// opt3 > 2 opt2 when 10 F + 372 R > 4 F + 760 R, that is F > 388 R / 6.
BOOST_AUTO_TEST_CASE(the_factor_of_two_needs_fixed_above_388_r_over_6) {
  const TileCost two = tile_cost(&gqa_decode_opt2), three = tile_cost(&gqa_decode_opt3);
  for (const double r : {0.0625, 0.25}) {
    const double crossover = 388.0 * r / 6.0;
    const auto excess = [&](double f) {
      return dispatch_cycles(three, f, r) - 2 * dispatch_cycles(two, f, r);
    };
    BOOST_TEST(excess(crossover * 1.01) > 0.0);
    BOOST_TEST(excess(crossover * 0.99) < 0.0);
  }
}

BOOST_AUTO_TEST_CASE(scores_take_turns_between_two_buffers) {
  for (const Kernel kernel : {&gqa_decode_opt2, &gqa_decode_opt3, &gqa_decode_three_composites}) {
    Bench f;
    kernel(f.tl, one_head(4 * 64));
    std::vector<std::uint64_t> buffers;
    for (std::size_t index = 0; index < f.sink.issued.size(); ++index) {
      const auto* composite = std::get_if<CompositeCmd>(&f.sink.command(index));
      const bool is_scores = composite && f.sink.issued[index].slice.logical_bytes == Bytes(58);
      if (is_scores) buffers.push_back(composite->ops[0].out->address);
    }
    BOOST_REQUIRE(buffers.size() == 4U);
    BOOST_TEST(buffers[0] != buffers[1]);
    BOOST_TEST(buffers[0] == buffers[2]);
    BOOST_TEST(buffers[1] == buffers[3]);
  }
}

BOOST_AUTO_TEST_CASE(keys_and_values_are_read_once_a_tile_at_their_true_sizes) {
  for (const std::uint64_t kv_len : {1U, 63U, 64U, 65U, 200U}) {
    Bench f;
    gqa_decode_opt1(f.tl, problem(kv_len));
    std::uint64_t key_bytes = 0, value_bytes = 0;
    std::size_t key_loads = 0;
    for (std::size_t index = 0; index < f.sink.issued.size(); ++index) {
      const auto* load = std::get_if<DmaReadCmd>(&f.sink.command(index));
      if (!load || load->src.address < kK) continue;
      const bool is_key = load->src.address < kV;
      key_loads += is_key ? 1 : 0;
      (is_key ? key_bytes : value_bytes) += load->nbytes;
      BOOST_TEST(load->src.range().end <= (is_key ? kK : kV) + 2 * kv_len * 128 * 2);
    }
    BOOST_TEST(key_bytes == 2 * kv_len * 128 * 2);
    BOOST_TEST(value_bytes == key_bytes);
    BOOST_TEST(key_loads == gqa_decode_tiles(problem(kv_len)));
  }
}

BOOST_AUTO_TEST_CASE(tiles_count_the_ragged_last_one) {
  BOOST_TEST(gqa_decode_tiles(problem(0)) == 0U);
  BOOST_TEST(gqa_decode_tiles(problem(1)) == 2U);
  BOOST_TEST(gqa_decode_tiles(problem(64)) == 2U);
  BOOST_TEST(gqa_decode_tiles(problem(65)) == 4U);
}

BOOST_AUTO_TEST_CASE(without_keys_there_are_no_tile_commands) {
  for (const Kernel kernel :
       {&gqa_decode_opt1, &gqa_decode_opt2, &gqa_decode_opt3, &gqa_decode_three_composites}) {
    Bench f;
    kernel(f.tl, one_head(0));
    BOOST_TEST(f.sink.names(0, f.sink.issued.size()) ==
               "dma_read fill fill fill clamp_min div_bcast dma_write");
  }
}

BOOST_AUTO_TEST_CASE(queries_are_loaded_once_a_head) {
  Bench f;
  gqa_decode_opt2(f.tl, problem(640));
  std::vector<std::uint64_t> addresses;
  for (std::size_t index = 0; index < f.sink.issued.size(); ++index)
    if (const auto* load = std::get_if<DmaReadCmd>(&f.sink.command(index)))
      addresses.push_back(load->src.address);
  // 4 query heads of 128 f16 share a KV head: 1024 bytes.
  BOOST_TEST((addresses == std::vector<std::uint64_t>{kQ, kQ + 1024}));
}

BOOST_AUTO_TEST_CASE(query_head_h_reads_kv_head_h_over_the_group_size) {
  for (const auto& [q_heads, kv_heads] : {std::pair<int, int>{12, 12}, {32, 8}, {28, 4}, {24, 4}}) {
    GqaDecodeArguments arguments = problem(16);
    arguments.q_heads = static_cast<std::uint64_t>(q_heads);
    arguments.kv_heads = static_cast<std::uint64_t>(kv_heads);
    const std::uint64_t group = arguments.q_heads / arguments.kv_heads;
    Bench f;
    gqa_decode_opt1(f.tl, arguments);
    std::uint64_t kv_head = 0;
    for (std::size_t index = 0; index + 4 < f.sink.issued.size(); ++index) {
      const auto* q = std::get_if<DmaReadCmd>(&f.sink.command(index));
      if (!q || q->src.address >= kK) continue;
      BOOST_TEST(q->src.address == kQ + kv_head * group * 128 * 2);
      BOOST_TEST(q->src.shape[0] == group);
      BOOST_TEST(f.sink.get<DmaReadCmd>(index + 4).src.address == kK + kv_head * 16 * 128 * 2);
      ++kv_head;
    }
    BOOST_TEST(kv_head == arguments.kv_heads);
  }
}

BOOST_AUTO_TEST_CASE(heads_go_round_robin_over_programs) {
  const auto outputs_of = [](std::uint64_t program, std::uint64_t programs) {
    TlOptions options;
    options.program_id = program;
    options.num_programs = programs;
    Bench f(options);
    GqaDecodeArguments arguments = problem(64);
    arguments.kv_heads = 8;  // one query head each, 512 bytes of O
    gqa_decode_opt2(f.tl, arguments);
    std::vector<std::uint64_t> heads;
    for (std::size_t index = 0; index < f.sink.issued.size(); ++index)
      if (const auto* store = std::get_if<DmaWriteCmd>(&f.sink.command(index)))
        heads.push_back((store->dst.address - kO) / 512);
    return heads;
  };
  using Heads = std::vector<std::uint64_t>;
  BOOST_TEST((outputs_of(0, 3) == Heads{0, 3, 6}));
  BOOST_TEST((outputs_of(2, 3) == Heads{2, 5}));
  BOOST_TEST((outputs_of(9, 10) == Heads{}));
}

BOOST_AUTO_TEST_CASE(state_is_stored_only_if_it_is_asked_for) {
  Bench f;
  GqaDecodeArguments arguments = one_head(64);
  arguments.m = 0x5000'0000;
  arguments.l = 0x6000'0000;
  gqa_decode_opt2(f.tl, arguments);
  BOOST_TEST(f.sink.names(6, 11) == "dma_write dma_write clamp_min div_bcast dma_write");
  BOOST_TEST(f.sink.get<DmaWriteCmd>(6).dst.address == 0x5000'0000U);
  BOOST_TEST(f.sink.get<DmaWriteCmd>(7).dst.address == 0x6000'0000U);
}

BOOST_AUTO_TEST_CASE(scratch_does_not_grow_with_tiles_or_heads) {
  for (const Kernel kernel :
       {&gqa_decode_opt1, &gqa_decode_opt2, &gqa_decode_opt3, &gqa_decode_three_composites}) {
    Bench few, many;
    kernel(few.tl, problem(3 * 64));
    GqaDecodeArguments arguments = problem(100 * 64);
    arguments.q_heads = 32;
    arguments.kv_heads = 8;
    kernel(many.tl, arguments);
    BOOST_TEST(many.tl.scratch().peak().count() == few.tl.scratch().peak().count());
    BOOST_TEST(many.tl.scratch().used().count() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(tcm_that_is_too_small_is_an_emit_error) {
  TlOptions options;
  options.arena = Bytes(4096);
  Bench f(options);
  BOOST_CHECK_THROW(gqa_decode_opt2(f.tl, one_head(64)), EmitError);
}

BOOST_AUTO_TEST_CASE(problems_that_are_none_are_refused) {
  Bench f;
  const auto refused = [&](auto change, const std::string& text) {
    GqaDecodeArguments arguments = problem(64);
    change(arguments);
    BOOST_CHECK_EXCEPTION(gqa_decode_opt2(f.tl, arguments), ConfigError,
                          [&](const ConfigError& error) { return mentions(error, text); });
  };
  refused([](GqaDecodeArguments& arguments) { arguments.q_heads = 9; }, "q_heads 9");
  refused([](GqaDecodeArguments& arguments) { arguments.kv_heads = 0; }, "kv_heads");
  refused([](GqaDecodeArguments& arguments) { arguments.tile = 0; }, "tile");
  refused([](GqaDecodeArguments& arguments) { arguments.head_dim = 0; }, "head_dim");
  refused([](GqaDecodeArguments& arguments) { arguments.dtype = DType::i8; }, "i8");
  BOOST_TEST(f.sink.issued.empty());
}

BOOST_AUTO_TEST_SUITE_END()
