// SPDX-License-Identifier: Apache-2.0
//
// The rules of the tile loop (SPEC 5, 11.13, 11.14) against engines that end their stages in random order.
#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include <set>

#include "model/tile_loop_bench.hpp"

namespace {

using namespace petal;
using namespace petal::test;

/// A GEMM with operands anywhere, and up to two tile ops.
struct Subject {
  GemmShape shape;
  GemmTile tile;
  std::uint32_t tile_buffers = 1;
  bool a_in_hbm = false;
  bool b_in_hbm = false;
  bool out_in_hbm = false;
  bool k_tile_op = false;
  bool output_tile_op = false;

  std::vector<OpSpec> ops() const {
    const auto space = [](bool in_hbm) { return in_hbm ? Space::hbm : Space::tcm; };
    const TensorHandle out = dense_tensor(space(out_in_hbm), 0x9000, {shape.m, shape.n}, DType::f32);
    std::vector<OpSpec> list = {gemm_op(dense_tensor(space(a_in_hbm), 0, {shape.m, shape.k}, DType::f16),
                                        dense_tensor(space(b_in_hbm), 0x4000, {shape.k, shape.n}, DType::f16),
                                        out)};
    if (k_tile_op) list.push_back(op(Opcode::relu, {out}, out, {}, Scope::k_tile));
    if (output_tile_op)
      list.push_back(op(Opcode::add, {out, in_tcm(0xE000, {shape.m, shape.n})}, out, {}, Scope::output_tile));
    return list;
  }
};

Subject random_subject(std::mt19937_64& random) {
  const auto coin = [&] { return random() % 2 == 0; };
  Subject subject;
  subject.shape = {1 + random() % 9, random() % 13, 1 + random() % 9};
  subject.tile = {1 + random() % 5, 1 + random() % 5, 1 + random() % 5};
  subject.tile_buffers = static_cast<std::uint32_t>(1 + random() % 4);
  subject.a_in_hbm = coin();
  subject.b_in_hbm = coin();
  subject.out_in_hbm = coin();
  subject.k_tile_op = coin();
  subject.output_tile_op = coin();
  return subject;
}

/// Sees every stage become ready and end, and says what rule it breaks.
class Referee {
 public:
  explicit Referee(const Subject& subject)
      : subject_(subject), k_steps_((subject.shape.k + subject.tile.k - 1) / subject.tile.k) {}

  std::string ready(const Stage& stage) {
    if (!numbers_.insert(stage.number).second) return "a plan number is used twice";
    switch (stage.kind) {
      case StageKind::dma_read:
        return stage.step < fetched_ + subject_.tile_buffers ? "" : "read without a free slot";
      case StageKind::fetch:
        return stage.op_index == 0 ? gemm_fetch_ready(stage) : "";
      case StageKind::gemm:
        return gemm_ready(stage);
      case StageKind::math:
        return in_tile_ ? "" : "MATH without an accumulator";
      case StageKind::store:
        ++out_slots_;
        if (subject_.out_in_hbm && out_slots_ > subject_.tile_buffers) return "STORE without an out slot";
        return gemms_ended_ % std::max<std::uint64_t>(1, k_steps_) == 0 ? "" : "STORE before the last K";
      case StageKind::dma_write:
        return "";
    }
    return "";
  }

  void ended(const Stage& stage) {
    if (stage.kind == StageKind::dma_read) arrived_.insert({stage.step, stage.operand});
    if (stage.kind == StageKind::fetch && stage.op_index == 0 && stage.operand == 1) ++fetched_;
    if (stage.kind == StageKind::gemm) ++gemms_ended_;
    if (stage.kind == StageKind::gemm || stage.kind == StageKind::math) working_ = false;
    if (stage.kind == StageKind::store) {
      ++stores_;
      in_tile_ = k_steps_ == 0;
      if (!subject_.out_in_hbm) --out_slots_;
    }
    if (stage.kind == StageKind::dma_write) --out_slots_;
  }

 private:
  std::string gemm_fetch_ready(const Stage& stage) {
    const bool streams = stage.operand == 0 ? subject_.a_in_hbm : subject_.b_in_hbm;
    if (streams && arrived_.count({stage.step, stage.operand}) == 0) return "FETCH before its DMA_READ";
    if (stage.step > gemms_ended_ + 1) return "FETCH two steps ahead of the GEMM";
    if (stage.step != fetched_) return "FETCH out of order";
    if (stage.operand != fetch_turn_) return "FETCH b before a";
    fetch_turn_ = static_cast<std::uint8_t>(1 - fetch_turn_);
    return "";
  }

  std::string gemm_ready(const Stage& stage) {
    if (stage.step != gemms_ended_) return "GEMM out of order";
    if (fetched_ <= stage.step) return "GEMM before its FETCH";
    if (stage.step / k_steps_ != stores_) return "GEMM before the STORE of the tile before";
    if (working_) return "GEMM while the accumulator is worked on";
    working_ = in_tile_ = true;
    return "";
  }

  const Subject subject_;
  const std::uint64_t k_steps_;
  std::set<std::uint64_t> numbers_;
  std::set<std::pair<std::uint64_t, std::uint8_t>> arrived_;
  std::uint64_t fetched_ = 0;
  std::uint8_t fetch_turn_ = 0;
  std::uint64_t gemms_ended_ = 0;
  std::uint64_t stores_ = 0;
  std::uint64_t out_slots_ = 0;
  bool in_tile_ = k_steps_ == 0;
  bool working_ = false;
};

/// Runs the loop to its end; a port ends its stages in the order it got them, which port goes next is random.
std::string find_broken_rule(TileLoopBench& bench, Referee& referee, std::mt19937_64& random) {
  std::size_t seen = 0;
  const auto look = [&]() -> std::string {
    for (; seen < bench.bench.history().size(); ++seen) {
      const std::string problem = referee.ready(bench.bench.history()[seen]);
      if (!problem.empty()) return problem + ": " + text_of(bench.bench.history()[seen]);
    }
    return "";
  };
  bench.begin();
  for (;;) {
    if (std::string problem = look(); !problem.empty()) return problem;
    const std::vector<Stage>& waiting = bench.bench.waiting_stages();
    if (waiting.empty()) return bench.loop.done() ? "" : "nothing is left to do and the loop is not done";
    if (bench.loop.done()) return "the loop is done and has stages left";
    std::size_t chosen = random() % waiting.size();
    for (std::size_t index = 0; index < chosen; ++index)
      if (waiting[index].kind == waiting[chosen].kind) chosen = index;
    referee.ended(waiting[chosen]);
    bench.bench.end_at(bench.loop, chosen);
  }
}

std::uint64_t tiles_in(std::uint64_t size, std::uint64_t tile) {
  return (size + tile - 1) / tile;
}

void check_totals(const Subject& subject, const StageBench& bench) {
  const GemmShape& shape = subject.shape;
  const std::uint64_t rows = tiles_in(shape.m, subject.tile.m);
  const std::uint64_t columns = tiles_in(shape.n, subject.tile.n);
  const std::uint64_t k_steps = tiles_in(shape.k, subject.tile.k);
  const std::uint64_t a_bytes = shape.m * shape.k * 2 * columns;
  const std::uint64_t b_bytes = shape.k * shape.n * 2 * rows;
  const std::uint64_t out_bytes = shape.m * shape.n * 4;
  BOOST_TEST(bytes_of(bench.all_of(StageKind::dma_read)) ==
             (subject.a_in_hbm ? a_bytes : 0) + (subject.b_in_hbm ? b_bytes : 0));
  BOOST_TEST(bytes_of(bench.all_of(StageKind::fetch)) ==
             a_bytes + b_bytes + (subject.output_tile_op ? out_bytes : 0));
  BOOST_TEST(bytes_of(bench.all_of(StageKind::store)) == out_bytes);
  BOOST_TEST(bytes_of(bench.all_of(StageKind::dma_write)) == (subject.out_in_hbm ? out_bytes : 0));
  BOOST_TEST(bench.all_of(StageKind::store).size() == rows * columns);
  BOOST_TEST(bench.all_of(StageKind::gemm).size() == rows * columns * k_steps);
  BOOST_TEST(bench.all_of(StageKind::math).size() ==
             rows * columns * ((subject.k_tile_op ? k_steps : 0) + (subject.output_tile_op ? 1 : 0)));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tile_loop_random)

BOOST_AUTO_TEST_CASE(any_loop_keeps_the_rules_in_any_order_of_completions) {
  constexpr std::uint64_t kSeed = 20260305;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 400; ++round) {
    BOOST_TEST_CONTEXT("seed " << kSeed << ", round " << round) {
      const Subject subject = random_subject(random);
      TileLoopBench bench(tiles_of(subject.tile, subject.tile_buffers), subject.ops());
      Referee referee(subject);
      BOOST_TEST_REQUIRE(find_broken_rule(bench, referee, random) == "");
      check_totals(subject, bench.bench);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
