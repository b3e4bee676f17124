// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/what_if.hpp"

#include <boost/test/unit_test.hpp>

using namespace petal;

namespace {

/// CPU 900 + 100, FETCH 300, STORE 50, GEMM 800, MATH 500 ps; 64000 bytes are 250 ns at 256 GB/s.
PeWork some_work() {
  PeWork work;
  work.dispatching = Picoseconds(900);
  work.kernel_cycles = Picoseconds(100);
  work.fetch = Picoseconds(300);
  work.store = Picoseconds(50);
  work.gemm = Picoseconds(800);
  work.math = Picoseconds(500);
  return work;
}

std::vector<std::int64_t> bounds_of(const std::vector<PeWork>& pes,
                                    const std::optional<MemoryFacts>& memory) {
  std::vector<std::int64_t> bounds;
  for (const WhatIf& what_if : what_if_bounds(pes, memory)) bounds.push_back(what_if.at_least.count());
  return bounds;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(what_if)

BOOST_AUTO_TEST_CASE(the_slowest_part_that_is_left_is_the_bound) {
  const std::vector<std::int64_t> expected = {800, 1000, 1000};
  BOOST_TEST(bounds_of({some_work()}, std::nullopt) == expected, boost::test_tools::per_element());
}

// 64000 bytes in 10 stages on 8 channels: 250000 ps, less 40 that rounding may have taken.
BOOST_AUTO_TEST_CASE(the_memory_is_a_part_too) {
  PeWork work = some_work();
  work.memory_bytes = Bytes(64000);
  work.dma_stages = 10;
  const std::vector<std::int64_t> alone = {249960, 1000, 249960};
  BOOST_TEST(bounds_of({work, some_work()}, MemoryFacts{256.0, 8, false}) == alone,
             boost::test_tools::per_element());
  const std::vector<std::int64_t> shared = {499920, 1000, 499920};
  BOOST_TEST(bounds_of({work, work}, MemoryFacts{256.0, 8, true}) == shared,
             boost::test_tools::per_element());
  const std::vector<std::int64_t> unlimited = {800, 1000, 1000};
  BOOST_TEST(bounds_of({work}, MemoryFacts{0.0, 8, false}) == unlimited, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
