// SPDX-License-Identifier: Apache-2.0
//
// ADR-0065 D4, D8: which DMA the scheduler adds, and which bytes it moves.
#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// 32 x 128 x 64 at the default tile: 1 x 2 x 2 steps (m, n, k) and two output tiles.
Kernel product_of(bool a_in_hbm, bool b_in_hbm, bool out_in_hbm) {
  return [=](TlContext& tl) {
    CompositeRequest request;
    request.a = a_in_hbm ? tl.ref(0x0, {32, 128}, DType::f16) : tl.empty({32, 128}, DType::f16);
    request.b = b_in_hbm ? tl.ref(0x10000, {128, 64}, DType::f16) : tl.empty({128, 64}, DType::f16);
    request.out = out_in_hbm ? tl.ref(0x20000, {32, 64}, DType::f32) : tl.empty({32, 64});
    request.epilogue = {CompositeEntry("add", {{"other", tl.empty({32, 64})}})};
    tl.composite(request);
  };
}

/// The bytes of `range` are read exactly once by all of `reads` together; reads outside of it do not count.
void require_read_once(const std::vector<LoggedStage>& reads, std::uint64_t begin, std::uint64_t end,
                       const std::string& what) {
  std::vector<ByteRange> parts;
  for (const LoggedStage& read : reads)
    for (const ByteRange& range : read.reads)
      if (range.begin >= begin && range.end <= end && !range.empty()) parts.push_back(range);
  std::sort(parts.begin(), parts.end(),
            [](const ByteRange& x, const ByteRange& y) { return x.begin < y.begin; });
  std::uint64_t next = begin;
  for (const ByteRange& part : parts) {
    BOOST_TEST_REQUIRE(part.begin == next,
                       what << ": bytes before " << part.begin << " are missing or read twice");
    next = part.end;
  }
  BOOST_TEST(next == end, what << ": bytes from " << next << " on are missing");
}

std::vector<std::uint64_t> bytes_of(const std::vector<LoggedStage>& stages) {
  std::vector<std::uint64_t> bytes;
  for (const LoggedStage& stage : stages) bytes.push_back(stage.bytes);
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dma_insertion)

// ADR-0065 test 5, all eight placements of a, b and out. The epilogue's operand gets none.
BOOST_AUTO_TEST_CASE(an_operand_is_read_by_dma_exactly_if_it_is_not_pinned) {
  std::vector<std::unique_ptr<KernelBench>> benches;
  for (unsigned placement = 0; placement < 8; ++placement) {
    benches.push_back(std::make_unique<KernelBench>());
    benches.back()->launch(product_of((placement & 1U) != 0, (placement & 2U) != 0, (placement & 4U) != 0));
  }
  simulate();
  for (unsigned placement = 0; placement < 8; ++placement) {
    const EventLog& log = benches[placement]->log();
    const std::size_t streamed = ((placement & 1U) != 0 ? 1U : 0U) + ((placement & 2U) != 0 ? 1U : 0U);
    BOOST_TEST(log.stages_of(1, StageKind::dma_read).size() == 4 * streamed);
    BOOST_TEST(log.stages_of(1, StageKind::dma_write).size() == ((placement & 4U) != 0 ? 2U : 0U));
    BOOST_TEST(log.stages_of(1, StageKind::store).size() == 2U);
    BOOST_TEST(log.stages_of(1, StageKind::gemm).size() == 4U);
    for (const LoggedStage& stage : log.stages)
      if (stage.op == "add") BOOST_TEST((stage.kind == StageKind::fetch || stage.kind == StageKind::math));
    require_no_violations(benches[placement]->op_log());
  }
}

// D4: the DMA of a tile comes before its FETCH, the STORE before the DMA_WRITE.
BOOST_AUTO_TEST_CASE(a_tile_is_fetched_after_it_was_read_and_written_after_it_was_stored) {
  KernelBench bench;
  bench.launch(product_of(true, true, true));
  simulate();
  const auto find = [&](StageKind kind, const TileIndex& tile, std::size_t nth) {
    for (const LoggedStage& stage : bench.log().stages_of(1, kind))
      if (stage.op == "gemm" && stage.tile.n == tile.n && stage.tile.k == tile.k && nth-- == 0) return stage;
    throw std::out_of_range("no such stage");
  };
  for (std::uint64_t n = 0; n < 2; ++n) {
    for (std::uint64_t k = 0; k < 2; ++k)
      for (std::size_t operand = 0; operand < 2; ++operand) {
        const LoggedStage read = find(StageKind::dma_read, {0, n, k}, operand);
        const LoggedStage fetch = find(StageKind::fetch, {0, n, k}, operand);
        BOOST_TEST(fetch.start_ps >= read.end_ps);
        BOOST_TEST((fetch.reads.front() == read.writes.front()));
      }
    BOOST_TEST(find(StageKind::dma_write, {0, n, 1}, 0).start_ps >=
               find(StageKind::store, {0, n, 1}, 0).end_ps);
  }
}

// F20: each KV head's K and V, and each head's queries, are read once, whichever way the heads are grouped.
// Tensors lie one after another from address 0, each at a multiple of 4096: Q, K, V.
BOOST_AUTO_TEST_CASE(each_kv_heads_keys_and_values_are_read_once) {
  struct HeadCase {
    std::uint64_t q_heads;
    std::uint64_t kv_heads;
  };
  constexpr std::uint64_t kD = 16;
  constexpr std::uint64_t kKeys = 40;  // tiles of 16, 16 and 8
  std::vector<std::pair<HeadCase, std::unique_ptr<ScenarioBench>>> benches;
  for (const HeadCase heads : {HeadCase{12, 12}, HeadCase{32, 8}, HeadCase{28, 4}, HeadCase{24, 4}})
    for (const std::string& kernel : decode_kernels())
      benches.emplace_back(
          heads,
          std::make_unique<ScenarioBench>(
              shipped_scenario("llama3_8b_decode.yaml",
                               {fmt::format("q_heads={}", heads.q_heads),
                                fmt::format("kv_heads={}", heads.kv_heads), fmt::format("head_dim={}", kD),
                                fmt::format("kv_len={}", kKeys), "tile=16", "platform.pes=3"}),
              kernel));
  simulate();
  const auto next_page = [](std::uint64_t address) { return (address + 4095) / 4096 * 4096; };
  for (const auto& [heads, bench] : benches) {
    const std::vector<LoggedStage> reads = bench->log().stages_of_kind(StageKind::dma_read);
    const std::uint64_t head_bytes = kKeys * kD * 2;
    const std::uint64_t k = next_page(heads.q_heads * kD * 2);
    const std::uint64_t v = next_page(k + heads.kv_heads * head_bytes);
    require_read_once(reads, 0, heads.q_heads * kD * 2, "Q");
    for (std::uint64_t head = 0; head < heads.kv_heads; ++head) {
      require_read_once(reads, k + head * head_bytes, k + (head + 1) * head_bytes,
                        fmt::format("K of head {}", head));
      require_read_once(reads, v + head * head_bytes, v + (head + 1) * head_bytes,
                        fmt::format("V of head {}", head));
    }
    const std::uint64_t expected = (heads.q_heads + 2 * heads.kv_heads * kKeys) * kD * 2;
    BOOST_TEST(bench->summary().total.dma_read.count() == expected);
    BOOST_TEST(bench->summary().total.dma_write.count() == heads.q_heads * kD * 4);
  }
}

// F21: M = 40, N = 72 in tiles of 32 x 32 into a C whose rows are 80 elements apart, and with M and N
// exchanged.
BOOST_AUTO_TEST_CASE(ragged_output_tiles_are_written_with_their_true_rows_and_columns) {
  const auto kernel = [](std::uint64_t m, std::uint64_t n) {
    return [m, n](TlContext& tl) {
      CompositeRequest request;
      request.a = tl.ref(0x0, {m, 32}, DType::f16);
      request.b = tl.ref(0x10000, {32, n}, DType::f16);
      request.out = tl.ref(0x20000, {m, n}, DType::f16, {80, 1});
      tl.composite(request);
    };
  };
  KernelBench wide;
  KernelBench tall;
  wide.launch(kernel(40, 72));
  tall.launch(kernel(72, 40));
  simulate();
  // Rows of 32 and 8, columns of 32, 32 and 8, two bytes an element.
  const std::vector<std::uint64_t> wide_bytes = {2048, 2048, 512, 512, 512, 128};
  const std::vector<std::uint64_t> tall_bytes = {2048, 512, 2048, 512, 512, 128};
  const std::vector<LoggedStage> wide_writes = wide.log().stages_of(1, StageKind::dma_write);
  const std::vector<LoggedStage> tall_writes = tall.log().stages_of(1, StageKind::dma_write);
  BOOST_TEST(bytes_of(wide_writes) == wide_bytes, boost::test_tools::per_element());
  BOOST_TEST(bytes_of(tall_writes) == tall_bytes, boost::test_tools::per_element());
  BOOST_TEST(wide.summary().total.dma_write.count() == 5760U);
  BOOST_TEST(tall.summary().total.dma_write.count() == 5760U);
  // Each write ends with the last true element of its last row: the guard elements between rows stay
  // untouched.
  std::size_t next = 0;
  for (std::uint64_t row = 0; row < 40; row += 32)
    for (std::uint64_t column = 0; column < 72; column += 32) {
      const std::uint64_t last_row = std::min<std::uint64_t>(row + 32, 40) - 1;
      const std::uint64_t end_column = std::min<std::uint64_t>(column + 32, 72);
      const ByteRange range = wide_writes[next++].writes.front();
      BOOST_TEST(range.begin == 0x20000 + (row * 80 + column) * 2);
      BOOST_TEST(range.end == 0x20000 + (last_row * 80 + end_column) * 2);
    }
  require_no_violations(wide.op_log());
  require_no_violations(tall.op_log());
}

// A transposed view moves the stored rows' bytes: K [64, 128] f16 as the 128 x 64 operand of Q.K^T.
BOOST_AUTO_TEST_CASE(a_transposed_operand_moves_the_bytes_of_the_stored_tile) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    CompositeRequest request;
    request.a = tl.empty({4, 128}, DType::f16);
    request.b = tl.trans(tl.ref(0x4000, {64, 128}, DType::f16));
    tl.composite(request);
  });
  simulate();
  const std::vector<LoggedStage> reads = bench.log().stages_of(1, StageKind::dma_read);
  // k tiles of 64, n tiles of 32 keys: each 32 rows of 64 elements.
  BOOST_TEST(bytes_of(reads) == (std::vector<std::uint64_t>{4096, 4096, 4096, 4096}),
             boost::test_tools::per_element());
  // Tile (n = 1, k = 0): keys 32 to 63, the first 64 of their 128 elements.
  BOOST_TEST(reads[2].reads.front().begin == 0x4000U + 32 * 256);
  BOOST_TEST(reads[2].reads.front().end == 0x4000U + 63 * 256 + 128);
  BOOST_TEST(bench.summary().total.dma_read.count() == 16384U);
}

BOOST_AUTO_TEST_SUITE_END()
