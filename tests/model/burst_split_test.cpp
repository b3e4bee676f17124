// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/burst_split.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/random_access.hpp"

namespace {

using namespace petal;

constexpr std::uint64_t kTop = std::numeric_limits<std::uint64_t>::max();

BusConfig bursts_of(std::uint64_t bytes, RaggedBursts ragged = RaggedBursts::one_burst) {
  BusConfig config;
  config.burst_bytes = bytes;
  config.ragged = ragged;
  return config;
}

AccessPattern run_of(std::uint64_t address, std::uint64_t bytes) {
  AccessPattern access;
  access.address = address;
  access.run_bytes = bytes;
  return access;
}

/// "64@4032 1@4096": bytes and address of each burst.
std::string text_of(const AccessPattern& access, const BusConfig& config) {
  std::string text;
  for (BurstSplit split(access, config); !split.done();) {
    const Burst burst = split.next();
    text += (text.empty() ? "" : " ") + std::to_string(burst.bytes) + "@" + std::to_string(burst.address);
  }
  return text;
}

/// Checks what holds for every burst of every access.
void require_lawful(const Burst& burst, const BusConfig& config, const std::string& where) {
  const std::uint64_t last = burst.address + (burst.bytes - 1);
  BOOST_TEST_REQUIRE(burst.bytes > 0, where);
  BOOST_TEST_REQUIRE(burst.bytes <= config.burst_bytes, where);
  BOOST_TEST_REQUIRE(burst.address / config.burst_bytes == last / config.burst_bytes, where);
  if (config.ragged == RaggedBursts::power_of_two) {
    BOOST_TEST_REQUIRE((burst.bytes & (burst.bytes - 1)) == 0, where);
    BOOST_TEST_REQUIRE(burst.address % burst.bytes == 0, where);
  }
}

using Run = std::pair<std::uint64_t, std::uint64_t>;  // address, bytes

std::vector<Run> runs_of(const AccessPattern& access) {
  std::vector<Run> runs;
  access.for_each_run([&](std::uint64_t address, std::uint64_t bytes) { runs.emplace_back(address, bytes); });
  return runs;
}

/// Joins an access's bursts again, run by run, and checks them on the way.
void require_bursts_make_up(const AccessPattern& access, const BusConfig& config, const std::string& where) {
  BurstSplit split(access, config);
  std::uint64_t offset = 0;
  for (const Run& run : runs_of(access)) {
    for (std::uint64_t done = 0; done < run.second;) {
      BOOST_TEST_REQUIRE(!split.done(), where);
      const Burst burst = split.next();
      require_lawful(burst, config, where);
      BOOST_TEST_REQUIRE(burst.address == run.first + done, where);
      BOOST_TEST_REQUIRE(burst.offset == offset, where);
      done += burst.bytes;
      offset += burst.bytes;
      BOOST_TEST_REQUIRE(done <= run.second, where);
    }
  }
  BOOST_TEST_REQUIRE(split.done(), where);
  BOOST_TEST_REQUIRE(offset == access.bytes().count(), where);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(burst_split)

// F29: the boundary at 4 KiB.
BOOST_AUTO_TEST_CASE(a_burst_may_end_on_a_boundary_and_not_cross_it) {
  BOOST_TEST(text_of(run_of(0xFC0, 64), bursts_of(256)) == "64@4032");
  BOOST_TEST(text_of(run_of(0xFC0, 65), bursts_of(256)) == "64@4032 1@4096");
  BOOST_TEST(text_of(run_of(0xFFF, 2), bursts_of(256)) == "1@4095 1@4096");
  BOOST_TEST(text_of(run_of(3841, 255), bursts_of(256)) == "255@3841");
  BOOST_TEST(text_of(run_of(0x1000, 8192), bursts_of(4096)) == "4096@4096 4096@8192");
  // 8192 / 256
  BurstSplit split(run_of(0x1000, 8192), bursts_of(256));
  for (std::uint64_t burst = 0; burst < 32; ++burst) {
    BOOST_TEST_REQUIRE(!split.done());
    const Burst found = split.next();
    BOOST_TEST(found.address == 0x1000 + 256 * burst);
    BOOST_TEST(found.bytes == 256U);
    BOOST_TEST(found.offset == 256 * burst);
  }
  BOOST_TEST(split.done());
}

BOOST_AUTO_TEST_CASE(head_and_tail_are_ragged_and_the_rest_is_whole) {
  BOOST_TEST(text_of(run_of(250, 530), bursts_of(256)) == "6@250 256@256 256@512 12@768");
}

// 0xF01 is odd: 1, 2, 4, ... 128 up to the boundary; 65 = 64 + 1.
BOOST_AUTO_TEST_CASE(ragged_pieces_can_be_cut_into_aligned_powers_of_two) {
  const BusConfig config = bursts_of(256, RaggedBursts::power_of_two);
  BOOST_TEST(text_of(run_of(3841, 255), config) ==
             "1@3841 2@3842 4@3844 8@3848 16@3856 32@3872 64@3904 128@3968");
  BOOST_TEST(text_of(run_of(0, 100), config) == "64@0 32@64 4@96");
  BOOST_TEST(text_of(run_of(0xFC0, 65), config) == "64@4032 1@4096");
  BOOST_TEST(text_of(run_of(6, 12), config) == "2@6 8@8 2@16");
  BOOST_TEST(text_of(run_of(0, 512), config) == "256@0 256@256");
}

// F32: no bit of an address is lost.
BOOST_AUTO_TEST_CASE(addresses_keep_their_64_bits) {
  BOOST_TEST(text_of(run_of(0x8000000000001000U, 300), bursts_of(256)) ==
             "256@9223372036854779904 44@9223372036854780160");
  BOOST_TEST(text_of(run_of(0x100001000U, 16), bursts_of(256)) == "16@4294971392");
}

BOOST_AUTO_TEST_CASE(the_last_byte_of_the_address_space_is_an_address) {
  BOOST_TEST(text_of(run_of(kTop, 1), bursts_of(256)) == "1@18446744073709551615");
  BOOST_TEST(text_of(run_of(kTop - 299, 300), bursts_of(256)) ==
             "44@18446744073709551316 256@18446744073709551360");
  BOOST_TEST(fits_address_space(run_of(kTop, 1)));
  BOOST_TEST(fits_address_space(run_of(0, kTop)));
  BOOST_TEST(fits_address_space(run_of(kTop, 0)));
}

BOOST_AUTO_TEST_CASE(what_wraps_round_does_not_fit_the_address_space) {
  BOOST_TEST(!fits_address_space(run_of(kTop, 2)));
  BOOST_TEST(!fits_address_space(run_of(kTop - 6, 8)));
  AccessPattern strided = run_of(16, 16);
  strided.levels[1] = {3,
                       std::uint64_t{1} << 63U};  // 2 * 2^63 = 2^64: the third run would be the first again
  BOOST_TEST(!fits_address_space(strided));
  strided.levels[1] = {2, kTop - 31};  // the second run is the last 16 bytes
  BOOST_TEST(fits_address_space(strided));
  strided.levels[1] = {2, kTop - 30};
  BOOST_TEST(!fits_address_space(strided));
}

// F28
BOOST_AUTO_TEST_CASE(without_bytes_there_is_no_burst) {
  BOOST_TEST(BurstSplit().done());
  BOOST_TEST(BurstSplit(run_of(0x1000, 0), bursts_of(256)).done());
  AccessPattern no_rows = run_of(0x1000, 64);
  no_rows.levels[0] = {0, 256};
  BOOST_TEST(BurstSplit(no_rows, bursts_of(256)).done());
  BOOST_TEST(fits_address_space(no_rows));
}

// Rows of 100 bytes, 300 apart, two of them; two such blocks 1000 apart.
BOOST_AUTO_TEST_CASE(every_run_of_a_strided_access_is_cut_on_its_own) {
  AccessPattern access = run_of(200, 100);
  access.levels[0] = {2, 300};
  access.levels[1] = {2, 1000};
  BOOST_TEST(text_of(access, bursts_of(256)) ==
             "56@200 44@256 12@500 88@512 80@1200 20@1280 36@1500 64@1536");
}

BOOST_AUTO_TEST_CASE(an_access_of_any_size_is_walked_from_its_start) {
  AccessPattern access = run_of(64, 64);
  access.levels[0] = {std::uint64_t{1} << 40U, 64};
  BurstSplit split(access, bursts_of(64));
  for (std::uint64_t burst = 0; burst < 1000; ++burst)
    BOOST_TEST_REQUIRE(split.next().address == 64 + 64 * burst);
  BOOST_TEST(!split.done());
}

BOOST_AUTO_TEST_CASE(any_access_is_the_sum_of_its_bursts) {
  constexpr std::uint64_t kSeed = 20260402;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 2000; ++round) {
    const AccessPattern access = test::random_access(random);
    const BusConfig config =
        bursts_of(std::uint64_t{16} << (random() % 9),
                  random() % 2 == 0 ? RaggedBursts::one_burst : RaggedBursts::power_of_two);
    require_bursts_make_up(access, config,
                           "seed " + std::to_string(kSeed) + ", round " + std::to_string(round));
  }
}

BOOST_AUTO_TEST_SUITE_END()
