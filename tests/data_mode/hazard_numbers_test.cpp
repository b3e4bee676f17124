// SPDX-License-Identifier: Apache-2.0
//
// Data mode shows an order that is wrong: each of these has other numbers if its hazard is not honoured.
// Nothing but the hazard tracker orders the commands: they are issued at once, without auto-await.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support/data_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

PlatformConfig unordered() {
  PlatformConfig config = with_free_dispatch();
  config.pes.front().cpu.auto_await = AutoAwait::none;
  return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hazard_numbers)

// The product takes 1000 cycles a MAC, the copy behind it a few.
BOOST_AUTO_TEST_CASE(read_after_write_reads_what_was_written) {
  PlatformConfig config = unordered();
  config.pes.front().gemm.macs_per_cycle_f32 = 0.001;
  DataBench bench(config);
  const TensorHandle three = bench.put({1, 1}, DType::f32, {3.0});
  const TensorHandle out = bench.put({1, 1}, DType::f32, {7.0});
  bench.launch([=](TlContext& tl) {
    const TensorHandle a = tl.load(three);
    const TensorHandle c = tl.dot(a, a);
    tl.store(out, tl.copy(c));
  });
  simulate();
  BOOST_TEST(bench.read_one(out) == 9.0);
}

// The DMA_WRITE reads TCM when it ends, 100 ns of latency later; a fill takes 5 ns.
BOOST_AUTO_TEST_CASE(write_after_read_leaves_the_reader_its_data) {
  DataBench bench(unordered());
  const TensorHandle out = bench.put({64}, DType::f32, {7.0});
  const TensorHandle later = bench.put({64}, DType::f32, {7.0});
  bench.launch([=](TlContext& tl) {
    TensorHandle first;
    {
      const ScratchScope scope = tl.scratch_scope();
      first = tl.full({64}, 1.0F);
      tl.store(out, first);
    }
    const ScratchScope scope = tl.scratch_scope();
    const TensorHandle second = tl.full({64}, 2.0F);
    BOOST_TEST(second.address == first.address);
    tl.store(later, second);
  });
  simulate();
  BOOST_TEST((bench.read(out) == Values(64, 1.0)));
  BOOST_TEST((bench.read(later) == Values(64, 2.0)));
}

// The product takes 1000 cycles; the copy over its result, a few.
BOOST_AUTO_TEST_CASE(write_after_write_leaves_the_later_value) {
  PlatformConfig config = unordered();
  config.pes.front().gemm.macs_per_cycle_f32 = 0.001;
  DataBench bench(config);
  const TensorHandle two = bench.put({1, 1}, DType::f32, {2.0});
  const TensorHandle out = bench.put({1, 1}, DType::f32, {7.0});
  bench.launch([=](TlContext& tl) {
    const TensorHandle a = tl.load(two);
    const TensorHandle c = tl.empty({1, 1});
    tl.wait(a);
    tl.dot(a, a, {c, std::nullopt});  // 1000 cycles
    tl.copy(a, c);
    tl.store(out, c);
  });
  simulate();
  BOOST_TEST(bench.read_one(out) == 2.0);
}

// The same through HBM, where the hazard is the DMA's: written, read back, overwritten, read again.
BOOST_AUTO_TEST_CASE(hazards_in_hbm_are_honoured) {
  DataBench bench(unordered());
  const TensorHandle cell = bench.put({64}, DType::f32, {7.0});
  const TensorHandle first = bench.put({64}, DType::f32, {7.0});
  const TensorHandle second = bench.put({64}, DType::f32, {7.0});
  bench.launch([=](TlContext& tl) {
    tl.store(cell, tl.full({64}, 1.0F));
    tl.store(first, tl.load(cell));
    tl.store(cell, tl.full({64}, 2.0F));
    tl.store(second, tl.load(cell));
  });
  simulate();
  BOOST_TEST((bench.read(first) == Values(64, 1.0)));
  BOOST_TEST((bench.read(second) == Values(64, 2.0)));
}

// TCM that nothing has written is NaN, in every floating dtype and through a GEMM.
BOOST_AUTO_TEST_CASE(what_nobody_wrote_is_nan_in_the_result) {
  DataBench bench;
  std::vector<TensorHandle> sums;
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2})
    sums.push_back(bench.put({4}, dtype, {1.0}));
  const TensorHandle product = bench.put({4, 4}, DType::f32, {1.0});
  bench.launch([=](TlContext& tl) {
    for (const TensorHandle& sum : sums) {
      const TensorHandle nothing = tl.empty({4}, sum.dtype);
      tl.store(sum, tl.add(tl.zeros({4}, sum.dtype), nothing));
    }
    tl.store(product, tl.dot(tl.zeros({4, 4}), tl.empty({4, 4})));
  });
  simulate();
  sums.push_back(product);
  for (const TensorHandle& result : sums)
    for (const double value : bench.read(result)) BOOST_TEST(std::isnan(value));
}

BOOST_AUTO_TEST_SUITE_END()
