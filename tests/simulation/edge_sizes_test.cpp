// SPDX-License-Identifier: Apache-2.0
//
// Sizes of zero, of one, and beyond 32 bits.
#include <boost/test/unit_test.hpp>

#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Names = std::vector<std::string>;

Kernel product_in_hbm(std::uint64_t m, std::uint64_t k, std::uint64_t n, bool with_bias = false) {
  return [=](TlContext& tl) {
    CompositeRequest request;
    request.a = tl.ref(0x0, {m, k}, DType::f16);
    request.b = tl.ref(0x1000, {k, n}, DType::f16);
    request.out = tl.ref(0x2000, {m, n}, DType::f16);
    if (with_bias) request.epilogue = {CompositeEntry("add", {{"other", tl.empty({m, n}, DType::f32)}})};
    tl.composite(request);
  };
}

/// Adds up what a run without a log would be too large to keep.
class WriteCounter : public Observer {
 public:
  std::uint64_t tiles = 0;
  std::uint64_t bytes = 0;
  std::uint64_t macs = 0;
  std::uint64_t end = 0;
  bool ascending = true;

  void on_stage(const StageEvent& event) override {
    macs += event.macs;
    if (event.kind != StageKind::dma_write) return;
    ++tiles;
    bytes += event.bytes;
    // Tiles go along a row of tiles; each begins where its indices say.
    const std::uint64_t begin = kOut + (event.tile.m * 256 * 65536 + event.tile.n * 256) * 2;
    ascending = ascending && event.writes[0].begin == begin && (tiles == 1 || begin > previous_);
    previous_ = begin;
    end = std::max(end, event.writes[0].end);
  }

  static constexpr std::uint64_t kOut = 0x200000000;

 private:
  std::uint64_t previous_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(edge_sizes)

// F23: nothing to multiply gives zeros, written once: no DMA_READ, no GEMM, 4 x 4 f16 = 32 bytes. With a bias
// it is the bias that is written.
BOOST_AUTO_TEST_CASE(inner_dimension_zero_writes_each_output_tile_once) {
  KernelBench plain;
  KernelBench biased;
  plain.launch(product_in_hbm(4, 0, 4));
  biased.launch(product_in_hbm(4, 0, 4, true));
  simulate();
  BOOST_TEST(names_in_plan_order(plain.log().stages_of(1)) == (Names{"STORE gemm", "DMA_WRITE gemm"}),
             boost::test_tools::per_element());
  BOOST_TEST(names_in_plan_order(biased.log().stages_of(1)) ==
                 (Names{"FETCH add", "MATH add", "STORE gemm", "DMA_WRITE gemm"}),
             boost::test_tools::per_element());
  for (const KernelBench* const bench : {&plain, &biased}) {
    BOOST_TEST(bench->log().stages_of(1, StageKind::dma_write).front().bytes == 32U);
    BOOST_TEST(bench->log().completions.size() == 1U);
    BOOST_TEST(bench->summary().total.macs == 0U);
    require_no_violations(bench->op_log());
  }
}

// F23: no output, no work, one completion, at the usual price.
BOOST_AUTO_TEST_CASE(outer_dimension_zero_completes_once_without_a_stage) {
  KernelBench no_rows;
  KernelBench no_columns;
  KernelBench nothing;
  no_rows.launch(product_in_hbm(0, 8, 4));
  no_columns.launch(product_in_hbm(4, 8, 0));
  nothing.launch(product_in_hbm(0, 0, 0));
  simulate();
  for (const KernelBench* const bench : {&no_rows, &no_columns, &nothing}) {
    BOOST_TEST(bench->log().stages.empty());
    BOOST_TEST_REQUIRE(bench->log().completions.size() == 1U);
    BOOST_TEST(bench->log().dispatch_of(1).cycles == 43.375);
    BOOST_TEST(bench->log().completion_of(1).at_ps == 43375);
    require_no_violations(bench->op_log());
  }
}

// F28: 24 bytes cost 41.5 cycles whatever they move. The transfer of nothing completes, and what follows
// runs.
BOOST_AUTO_TEST_CASE(a_load_of_nothing_completes_at_the_usual_price) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    tl.wait(tl.load(tl.ref(0x1000, {0, 64}, DType::f16)));
    const TensorHandle empty = tl.empty({0, 64}, DType::f16);
    tl.store(tl.ref(0x1000, {0, 64}, DType::f16), empty);
    tl.load(tl.ref(0x2000, {4, 64}, DType::f16));
  });
  simulate();
  BOOST_CHECK_NO_THROW(bench.platform().finish());
  BOOST_TEST(bench.log().completions.size() == 3U);
  BOOST_TEST(bench.log().dispatch_of(1).cycles == 41.5);
  BOOST_TEST(bench.log().dispatch_of(2).cycles == 41.5);
  BOOST_TEST(bench.summary().total.dma_read.count() == 512U);
  BOOST_TEST(bench.summary().total.dma_write.count() == 0U);
  require_no_violations(bench.op_log());
}

// F24: no keys: the state is normalised and stored, and no byte of K or V is read. One key: one tile of one.
BOOST_AUTO_TEST_CASE(decode_of_no_keys_and_of_one_key_completes) {
  struct Case {
    std::uint64_t kv_len;
    std::unique_ptr<ScenarioBench> bench;
  };
  std::vector<Case> cases;
  for (const std::uint64_t kv_len : {0U, 1U})
    for (const std::string& kernel : decode_kernels())
      cases.push_back({kv_len, std::make_unique<ScenarioBench>(small_decode(kv_len), kernel)});
  simulate();
  for (const auto& [kv_len, bench] : cases) {
    const Summary summary = bench->summary();
    // Q: 4 heads of 128 f16; K and V: 128 f16 a key; O: 4 x 128 f32.
    BOOST_TEST(summary.total.dma_read.count() == 1024 + 2 * kv_len * 256);
    BOOST_TEST(summary.total.dma_write.count() == 2048U);
    BOOST_TEST(summary.total.macs == 2 * 4 * kv_len * 128);
    BOOST_TEST(summary.tiles == kv_len);
    require_no_violations(bench->op_log());
  }
}

// F24: one query row against 20 keys in tiles of 16.
BOOST_AUTO_TEST_CASE(one_query_row_against_a_ragged_number_of_keys_completes) {
  std::vector<std::unique_ptr<ScenarioBench>> benches;
  for (const std::string& kernel : decode_kernels())
    benches.push_back(std::make_unique<ScenarioBench>(small_decode(20, {"q_heads=1", "tile=16"}), kernel));
  simulate();
  for (const auto& bench : benches) {
    BOOST_TEST(bench->summary().tiles == 2U);
    BOOST_TEST(bench->summary().total.macs == 2U * 20 * 128);
    require_no_violations(bench->op_log());
  }
}

// F19: 65536 x 65536 f16 at 8 GiB is 8 GiB: nothing on the way is counted in 32 bits. 256 x 256 tiles of 256.
BOOST_AUTO_TEST_CASE(a_matrix_of_8_gib_has_no_negative_or_repeated_address) {
  PlatformConfig config;
  config.pes.front().scheduler.gemm_tile = {256, 64, 256};
  Platform platform("platform", config);
  WriteCounter writes;
  platform.attach(writes);
  platform.add_launch({[&config](CommandSink& sink) {
    TlOptions options;
    options.gemm_tile = config.pes.front().scheduler.gemm_tile;
    TlContext tl(sink, options);
    CompositeRequest request;
    request.a = tl.ref(0x0, {65536, 64}, DType::f16);
    request.b = tl.ref(0x1000000, {64, 65536}, DType::f16);
    request.out = tl.ref(WriteCounter::kOut, {65536, 65536}, DType::f16);
    tl.composite(request);
  }});
  simulate();
  BOOST_CHECK_NO_THROW(platform.finish());
  BOOST_TEST(writes.tiles == 65536U);
  BOOST_TEST(writes.bytes == 8589934592U);
  BOOST_TEST(writes.end - 1 == WriteCounter::kOut + 8589934591U);
  BOOST_TEST(writes.macs == 274877906944U);
  BOOST_TEST(writes.ascending);
}

BOOST_AUTO_TEST_SUITE_END()
