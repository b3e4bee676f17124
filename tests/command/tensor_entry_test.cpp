// SPDX-License-Identifier: Apache-2.0
#include "petal/command/tensor_entry.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>

#include "petal/command/error.hpp"
#include "random_command.hpp"
#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// f16[64, 128] in HBM, transposed: [128, 64] with strides [1, 128].
std::vector<std::byte> sample_entry() {
  return encode_tensor_entry(transposed(in_hbm(0x123456789A, {64, 128})));
}

std::vector<std::byte> changed(std::size_t at, unsigned value) {
  std::vector<std::byte> bytes = sample_entry();
  bytes[at] = static_cast<std::byte>(value);
  return bytes;
}

void expect_refused(const std::vector<std::byte>& bytes, const std::string& reason) {
  BOOST_CHECK_EXCEPTION(decode_tensor_entry(bytes), DecodeError, [&reason](const DecodeError& error) {
    BOOST_TEST_INFO(error.what());
    return std::string(error.what()).find(reason) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_entry)

BOOST_AUTO_TEST_CASE(fields_lie_where_the_layout_says) {
  std::vector<std::byte> expected(80);
  const auto set = [&expected](std::size_t at, unsigned value) {
    expected[at] = static_cast<std::byte>(value);
  };
  set(0, 0x9A);
  set(1, 0x78);
  set(2, 0x56);
  set(3, 0x34);
  set(4, 0x12);
  set(8, 1);     // f16
  set(9, 0);     // hbm
  set(10, 2);    // axes
  set(16, 128);  // shape
  set(24, 64);
  set(48, 1);  // strides
  set(56, 128);
  BOOST_TEST((sample_entry() == expected));
}

BOOST_AUTO_TEST_CASE(decode_gives_back_what_encode_was_given) {
  constexpr std::uint32_t kSeed = 20261201;
  RandomCommands random(kSeed);
  for (int round = 0; round < 5000; ++round) {
    const TensorHandle tensor = random.tensor();
    const TensorHandle decoded = decode_tensor_entry(encode_tensor_entry(tensor));
    BOOST_TEST_CONTEXT("seed " << kSeed << ", round " << round) {
      BOOST_REQUIRE(decoded.same_tensor(tensor));
      BOOST_REQUIRE(decoded.pending == kNoCompletion);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_tensor_is_refused_with_the_reason) {
  expect_refused(changed(8, 8), "8 is no dtype");
  expect_refused(changed(9, 2), "2 is no space");
  expect_refused(changed(10, 5), "5 axes");
  expect_refused(changed(10, 1), "shape of axis 1 is 64");
  expect_refused(changed(15, 1), "reserved byte 15 is 1");
  expect_refused(changed(72, 1), "stride of axis 3 is 1");
  expect_refused(changed(23, 0x80), "past the end");  // 2^63 + 128 rows
  expect_refused(std::vector<std::byte>(79), "80 bytes, not 79");
  expect_refused(std::vector<std::byte>(81), "80 bytes, not 81");
}

BOOST_AUTO_TEST_CASE(any_bytes_are_a_tensor_that_encodes_to_them_or_an_error) {
  constexpr std::uint32_t kSeed = 20261202;
  RandomCommands random(kSeed);
  std::size_t tensors = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes = encode_tensor_entry(random.tensor());
    for (std::uint64_t count = random.below(4); count > 0; --count)
      bytes[random.below(80)] = static_cast<std::byte>(random.below(256));
    try {
      const TensorHandle tensor = decode_tensor_entry(bytes);
      ++tensors;
      BOOST_TEST_CONTEXT("seed " << kSeed << ", round " << round)
      BOOST_REQUIRE((encode_tensor_entry(tensor) == bytes));
    } catch (const DecodeError&) {
    }
  }
  BOOST_TEST(tensors > 1000U);
}

BOOST_AUTO_TEST_SUITE_END()
