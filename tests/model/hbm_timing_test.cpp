// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/hbm_timing.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "model/random_access.hpp"

namespace {

using namespace petal;
using petal::test::channel_bytes_by_definition;
using petal::test::random_access;
using petal::test::random_hbm;

AccessPattern run_of(std::uint64_t address, std::uint64_t bytes) {
  AccessPattern access;
  access.address = address;
  access.run_bytes = bytes;
  return access;
}

std::int64_t moved(HbmTiming& hbm, std::int64_t arrival, const AccessPattern& access) {
  return hbm.reserve(Picoseconds(arrival), access).count();
}

/// 1000 transfers of 64 bytes through one channel, all asked for at time 0.
std::int64_t thousand_small_transfers(double gb_per_s) {
  HbmConfig config;
  config.channels = 1;
  config.channel_bandwidth = Bandwidth(gb_per_s);
  HbmTiming hbm(config);
  std::int64_t end = 0;
  for (std::uint64_t index = 0; index < 1000; ++index) end = moved(hbm, 0, run_of(index * 64, 64));
  return end;
}

/// First come, first served, from the definition: bytes are counted one by one.
class HbmByDefinition {
 public:
  explicit HbmByDefinition(const HbmConfig& config) : config_(config), free_at_(config.channels, 0) {}

  std::int64_t reserve(std::int64_t arrival, const AccessPattern& access) {
    const std::vector<std::uint64_t> bytes = channel_bytes_by_definition(config_, access);
    std::int64_t end = arrival;
    for (std::size_t channel = 0; channel < bytes.size(); ++channel) {
      if (bytes[channel] == 0) continue;
      const double ps = static_cast<double>(bytes[channel]) * 1000.0 / config_.channel_bandwidth.gb_per_s();
      free_at_[channel] = std::max(arrival, free_at_[channel]) + std::llround(ps);
      end = std::max(end, free_at_[channel]);
    }
    return end;
  }

 private:
  const HbmConfig config_;
  std::vector<std::int64_t> free_at_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(hbm_timing)

// The defaults: 8 channels of 32 GB/s, 256-byte interleave. One block takes 256 / 32 = 8 ns.

BOOST_AUTO_TEST_CASE(an_access_over_all_channels_takes_as_long_as_one_block) {
  HbmTiming hbm{HbmConfig{}};
  BOOST_TEST(moved(hbm, 0, run_of(0, 2048)) == 8000);
}

BOOST_AUTO_TEST_CASE(a_power_of_two_stride_is_eight_times_slower_under_plain_modulo) {
  AccessPattern access = run_of(0, 256);
  access.levels[0] = {8, 2048};
  HbmConfig config;
  HbmTiming folded(config);
  BOOST_TEST(moved(folded, 0, access) == 8000);
  config.interleave = HbmInterleave::modulo;
  HbmTiming plain(config);
  BOOST_TEST(moved(plain, 0, access) == 64000);
}

BOOST_AUTO_TEST_CASE(a_channel_serves_in_order_of_arrival_one_at_a_time) {
  HbmTiming hbm{HbmConfig{}};
  BOOST_TEST(moved(hbm, 0, run_of(0, 256)) == 8000);
  BOOST_TEST(moved(hbm, 1000, run_of(0, 128)) == 12000);   // waits for 8000, then 4 ns
  BOOST_TEST(moved(hbm, 1000, run_of(256, 256)) == 9000);  // another channel
  BOOST_TEST(moved(hbm, 50000, run_of(0, 256)) == 58000);  // idle again
}

BOOST_AUTO_TEST_CASE(an_access_has_moved_when_the_last_of_its_channels_has) {
  HbmTiming hbm{HbmConfig{}};
  BOOST_TEST(moved(hbm, 0, run_of(256, 256)) == 8000);    // channel 1
  BOOST_TEST(moved(hbm, 0, run_of(0, 512)) == 16000);     // channel 0 at 8000, channel 1 at 16000
  BOOST_TEST(moved(hbm, 8000, run_of(0, 256)) == 16000);  // channel 0 was free at 8000
}

BOOST_AUTO_TEST_CASE(an_unaligned_access_is_shared_by_two_channels) {
  HbmTiming hbm{HbmConfig{}};
  BOOST_TEST(moved(hbm, 0, run_of(128, 256)) == 4000);
}

BOOST_AUTO_TEST_CASE(no_bytes_take_no_time_and_no_channel) {
  HbmTiming hbm{HbmConfig{}};
  moved(hbm, 0, run_of(0, 256));
  BOOST_TEST(moved(hbm, 100, run_of(0, 0)) == 100);
  BOOST_TEST(moved(hbm, 100, run_of(0, 256)) == 16000);
}

BOOST_AUTO_TEST_CASE(the_efficiency_is_the_share_of_the_bandwidth_that_is_reached) {
  HbmConfig config;
  config.efficiency = 0.5;
  HbmTiming hbm(config);
  BOOST_TEST(moved(hbm, 0, run_of(0, 256)) == 16000);  // 256 / 16
}

BOOST_AUTO_TEST_CASE(an_unlimited_memory_moves_in_no_time_and_never_stalls) {
  HbmConfig config;
  config.channel_bandwidth = Bandwidth::unlimited();
  config.efficiency = 0.5;
  HbmTiming hbm(config);
  BOOST_TEST(moved(hbm, 7, run_of(0, 1U << 20U)) == 7);
  BOOST_TEST(moved(hbm, 7, run_of(0, 1U << 20U)) == 7);
}

BOOST_AUTO_TEST_CASE(the_latency_occupies_no_channel) {
  HbmConfig config;
  config.latency_ns = 12.5;
  HbmTiming hbm(config);
  BOOST_TEST(hbm.latency().count() == 12500);
  BOOST_TEST(moved(hbm, 0, run_of(0, 256)) == 8000);
  BOOST_TEST(moved(hbm, 0, run_of(0, 256)) == 16000);
}

// 64 / 51.2 = 1.25 ns each, neither 1 nor 2.
BOOST_AUTO_TEST_CASE(a_thousand_small_transfers_take_their_exact_time) {
  BOOST_TEST(thousand_small_transfers(51.2) == 1250000);
  BOOST_TEST(thousand_small_transfers(1e9) == 0);
}

BOOST_AUTO_TEST_CASE(any_sequence_of_accesses_ends_as_it_does_byte_by_byte) {
  constexpr std::uint64_t kSeed = 20260303;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 25; ++round) {
    HbmConfig config = random_hbm(random);
    config.channel_bandwidth = Bandwidth(1.0 + static_cast<double>(random() % 1000) / 7.0);
    HbmTiming hbm(config);
    HbmByDefinition reference(config);
    const AccessPattern shape = random_access(random);
    std::int64_t arrival = 0;
    for (int access = 0; access < 40; ++access) {
      arrival += static_cast<std::int64_t>(random() % 3000);
      AccessPattern next = random() % 2 == 0 ? shape : random_access(random);
      next.address += random() % 2 == 0 ? std::uint64_t{1} << (random() % 30) : 0;
      BOOST_TEST_REQUIRE(moved(hbm, arrival, next) == reference.reserve(arrival, next),
                         "seed " << kSeed << ", round " << round << ", access " << access);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
