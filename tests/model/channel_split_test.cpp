// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/channel_split.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "model/random_access.hpp"

namespace {

using namespace petal;
using petal::test::channel_by_definition;
using petal::test::channel_bytes_by_definition;
using petal::test::random_access;
using petal::test::random_hbm;
using Bytes = std::vector<std::uint64_t>;

HbmConfig hbm_of(std::uint32_t channels, std::uint64_t interleave_bytes, HbmInterleave interleave) {
  HbmConfig config;
  config.channels = channels;
  config.interleave_bytes = interleave_bytes;
  config.interleave = interleave;
  return config;
}

AccessPattern run_of(std::uint64_t address, std::uint64_t bytes) {
  AccessPattern access;
  access.address = address;
  access.run_bytes = bytes;
  return access;
}

void check_bytes(const Bytes& found, const Bytes& expected) {
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(channel_split)

BOOST_AUTO_TEST_CASE(the_fold_is_over_all_bits_of_the_address) {
  const ChannelSplit split(hbm_of(8, 256, HbmInterleave::xor_fold));
  BOOST_TEST(split.channel_of(0) == 0U);
  BOOST_TEST(split.channel_of(255) == 0U);
  BOOST_TEST(split.channel_of(0x700) == 7U);
  BOOST_TEST(split.channel_of(0x800) == 1U);       // block 010 octal: 1 ^ 0
  BOOST_TEST(split.channel_of(0x900) == 0U);       // block 011 octal: 1 ^ 1
  BOOST_TEST(split.channel_of(0x12345678) == 4U);  // block 4432126 octal: 4^4^3^2^1^2^6
  // The highest bit of a 64-bit address is bit 55 of the block, the middle one of its three.
  BOOST_TEST(split.channel_of(std::uint64_t{1} << 63U) == 2U);
}

BOOST_AUTO_TEST_CASE(plain_modulo_sees_the_lowest_bits_only) {
  const ChannelSplit split(hbm_of(8, 256, HbmInterleave::modulo));
  BOOST_TEST(split.channel_of(0x700) == 7U);
  BOOST_TEST(split.channel_of(0x800) == 0U);
  BOOST_TEST(split.channel_of(0x12345678) == 6U);
  const ChannelSplit six(hbm_of(6, 256, HbmInterleave::modulo));
  BOOST_TEST(six.channel_of(0x700) == 1U);  // 7 mod 6
}

BOOST_AUTO_TEST_CASE(a_fold_beyond_the_channels_wraps) {
  const ChannelSplit split(hbm_of(6, 256, HbmInterleave::xor_fold));
  BOOST_TEST(split.channel_of(0x500) == 5U);
  BOOST_TEST(split.channel_of(0x600) == 0U);  // three bits hold six channels: fold 6, modulo 6
  BOOST_TEST(split.channel_of(0x700) == 1U);
}

BOOST_AUTO_TEST_CASE(one_channel_gets_everything) {
  for (const HbmInterleave interleave : {HbmInterleave::xor_fold, HbmInterleave::modulo})
    check_bytes(ChannelSplit(hbm_of(1, 256, interleave)).bytes_of(run_of(0x1234567, 5000)), {5000});
}

BOOST_AUTO_TEST_CASE(an_unaligned_run_is_cut_at_the_interleave) {
  // 128 bytes to the end of block 0, all of block 1, 16 bytes of block 2.
  const ChannelSplit split(hbm_of(4, 256, HbmInterleave::xor_fold));
  check_bytes(split.bytes_of(run_of(128, 400)), {128, 256, 16, 0});
}

// Blocks 0, 8, ..., 56 are 00, 10, ..., 70 octal.
BOOST_AUTO_TEST_CASE(a_power_of_two_stride_hits_one_channel_under_modulo_and_all_under_the_fold) {
  AccessPattern access = run_of(0, 256);
  access.levels[0] = {8, 2048};
  check_bytes(ChannelSplit(hbm_of(8, 256, HbmInterleave::modulo)).bytes_of(access),
              {2048, 0, 0, 0, 0, 0, 0, 0});
  check_bytes(ChannelSplit(hbm_of(8, 256, HbmInterleave::xor_fold)).bytes_of(access),
              {256, 256, 256, 256, 256, 256, 256, 256});
}

BOOST_AUTO_TEST_CASE(accesses_that_differ_in_high_bits_share_a_split_and_differ_by_a_mask) {
  const ChannelSplit split(hbm_of(8, 256, HbmInterleave::xor_fold));
  const AccessPattern low = run_of(0x40, 300);
  const AccessPattern high = run_of(0x500040, 300);
  BOOST_TEST((split.key_of(low) == split.key_of(high)));
  // 0x5000 is 50000 octal: mask 5; channels 0 and 1 become 5 and 4.
  BOOST_TEST(split.mask_of(high, split.key_of(high)) == 5U);
  check_bytes(split.bytes_of(low), {192, 108, 0, 0, 0, 0, 0, 0});
  check_bytes(split.bytes_of(high), {0, 0, 0, 0, 108, 192, 0, 0});
}

BOOST_AUTO_TEST_CASE(any_access_splits_as_its_bytes_do_one_by_one) {
  constexpr std::uint64_t kSeed = 20260302;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 800; ++round) {
    const HbmConfig config = random_hbm(random);
    const AccessPattern access = random_access(random);
    const ChannelSplit split(config);
    BOOST_TEST_REQUIRE((split.bytes_of(access) == channel_bytes_by_definition(config, access)),
                       "seed " << kSeed << ", round " << round << ": address " << access.address << ", "
                               << config.channels << " channels");
    BOOST_TEST_REQUIRE(split.channel_of(access.address) == channel_by_definition(config, access.address));
  }
}

BOOST_AUTO_TEST_SUITE_END()
