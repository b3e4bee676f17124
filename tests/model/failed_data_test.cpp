// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/failed_data.hpp"

#include <boost/test/unit_test.hpp>

using namespace petal;

namespace {

ByteRange tcm(std::uint64_t begin, std::uint64_t end) {
  return {Space::tcm, begin, end};
}

HazardRanges ranges(std::initializer_list<ByteRange> reads, std::initializer_list<ByteRange> writes) {
  HazardRanges ranges;
  ranges.reads.assign(reads);
  ranges.writes.assign(writes);
  return ranges;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(failed_data)

BOOST_AUTO_TEST_CASE(who_reads_what_a_failed_command_should_have_written_depends_on_it) {
  FailedData failed;
  BOOST_TEST(failed.empty());
  failed.add(ranges({tcm(0, 64)}, {tcm(128, 192)}));
  BOOST_TEST(failed.is_read_by(ranges({tcm(191, 200)}, {})));
  BOOST_TEST(!failed.is_read_by(ranges({tcm(192, 200), tcm(64, 128)}, {})));
  BOOST_TEST(!failed.is_read_by(ranges({tcm(0, 64)}, {})));
  BOOST_TEST(!failed.is_read_by(ranges({{Space::hbm, 128, 192}}, {})));
}

BOOST_AUTO_TEST_CASE(who_writes_it_again_makes_it_good) {
  FailedData failed;
  failed.add(ranges({}, {tcm(128, 192), {Space::hbm, 0, 8}}));
  failed.begin(ranges({}, {tcm(100, 160)}));
  BOOST_TEST(!failed.is_read_by(ranges({tcm(100, 160)}, {})));
  BOOST_TEST(failed.is_read_by(ranges({tcm(160, 161)}, {})));
  failed.begin(ranges({}, {tcm(160, 192)}));
  BOOST_TEST(!failed.empty());
  failed.clear();
  BOOST_TEST(failed.empty());
}

BOOST_AUTO_TEST_SUITE_END()
