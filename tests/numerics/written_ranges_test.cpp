// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/written_ranges.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <utility>
#include <vector>

using namespace petal;

namespace {

using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Ranges within(const WrittenRanges& written, std::uint64_t begin, std::uint64_t end) {
  Ranges found;
  written.for_each_within(begin, end,
                          [&](std::uint64_t from, std::uint64_t to) { found.emplace_back(from, to); });
  return found;
}

/// The runs of true in `written`, within [begin, end).
Ranges runs_of(const std::vector<bool>& written, std::uint64_t begin, std::uint64_t end) {
  Ranges runs;
  for (std::uint64_t byte = begin; byte < end; ++byte) {
    if (!written[byte]) continue;
    if (runs.empty() || runs.back().second != byte) runs.emplace_back(byte, byte);
    runs.back().second = byte + 1;
  }
  return runs;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(written_ranges)

BOOST_AUTO_TEST_CASE(ranges_that_touch_become_one) {
  WrittenRanges written;
  written.add(10, 20);
  written.add(30, 40);
  BOOST_TEST(written.size() == 2U);
  written.add(20, 30);
  BOOST_TEST(written.size() == 1U);
  BOOST_TEST((within(written, 0, 100) == Ranges{{10, 40}}));
  BOOST_TEST((within(written, 15, 35) == Ranges{{15, 35}}));
  BOOST_TEST((within(written, 0, 10) == Ranges{}));
  BOOST_TEST((within(written, 40, 50) == Ranges{}));
  written.add(50, 50);
  BOOST_TEST(written.size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_is_removed_is_not_written) {
  WrittenRanges written;
  written.add(10, 40);
  written.remove(20, 30);
  BOOST_TEST((within(written, 0, 100) == Ranges{{10, 20}, {30, 40}}));
  written.remove(5, 12);
  written.remove(38, 60);
  BOOST_TEST((within(written, 0, 100) == Ranges{{12, 20}, {30, 38}}));
  written.remove(20, 30);
  written.remove(15, 15);
  BOOST_TEST((within(written, 0, 100) == Ranges{{12, 20}, {30, 38}}));
  written.remove(0, 100);
  BOOST_TEST(written.size() == 0U);
}

BOOST_AUTO_TEST_CASE(any_order_of_writes_and_removals_gives_the_bytes_written) {
  constexpr unsigned kSeed = 12;
  constexpr std::uint64_t kBytes = 200;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 100; ++round) {
    WrittenRanges written;
    std::vector<bool> bitmap(kBytes);
    for (int write = 0; write < 30; ++write) {
      const std::uint64_t begin = random() % kBytes;
      const std::uint64_t end = std::min<std::uint64_t>(kBytes, begin + random() % 12);
      const bool removes = random() % 4 == 0;
      if (removes)
        written.remove(begin, end);
      else
        written.add(begin, end);
      std::fill(bitmap.begin() + static_cast<std::ptrdiff_t>(begin),
                bitmap.begin() + static_cast<std::ptrdiff_t>(std::max(begin, end)), !removes);
      const std::uint64_t from = random() % kBytes;
      const std::uint64_t to = from + random() % (kBytes - from);
      BOOST_TEST_REQUIRE((within(written, from, to) == runs_of(bitmap, from, to)),
                         "seed " << kSeed << ", round " << round << ", write " << write);
    }
    BOOST_TEST(written.size() == runs_of(bitmap, 0, kBytes).size());
  }
}

BOOST_AUTO_TEST_SUITE_END()
