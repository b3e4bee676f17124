// SPDX-License-Identifier: Apache-2.0
#include "petal/device/tcm_window.hpp"

#include <boost/test/unit_test.hpp>

#include "device/payload.hpp"
#include "petal/command/error.hpp"
#include "petal/memory/dense_memory.hpp"
#include "petal/memory/sparse_memory.hpp"

namespace petal {
namespace {

constexpr std::uint64_t kBase = 0x100000;

/// 256 bytes of TCM, the first 128 of them in the window; byte i holds i.
struct Bench {
  Bench() {
    for (unsigned i = 0; i < 256; ++i) {
      const auto byte = static_cast<std::byte>(i);
      memory.write(i, &byte, 1);
    }
  }
  unsigned at(std::uint64_t address) const {
    std::byte byte{};
    memory.read(address, &byte, 1);
    return std::to_integer<unsigned>(byte);
  }

  DenseMemory memory{"pe0.tcm", 256};
  TcmWindow window{kBase, 128, &memory};
};

using Bytes8 = std::vector<unsigned char>;

BOOST_AUTO_TEST_SUITE(tcm_window)

// F32: below the base, over the end, addresses that wrap or have high bits.
BOOST_AUTO_TEST_CASE(an_access_lies_in_the_window_from_its_first_byte_to_its_last) {
  const Bench bench;
  BOOST_TEST(bench.window.contains(kBase, 128));
  BOOST_TEST(bench.window.contains(kBase + 127, 1));
  BOOST_TEST(!bench.window.contains(kBase, 129));
  BOOST_TEST(!bench.window.contains(kBase + 124, 8));
  BOOST_TEST(!bench.window.contains(kBase + 128, 1));
  BOOST_TEST(!bench.window.contains(kBase - 2, 8));
  BOOST_TEST(!bench.window.contains(kBase - 1, 1));
  BOOST_TEST(!bench.window.contains(0x1'0010'0000, 4));
  BOOST_TEST(!bench.window.contains(0x8000'0000'0010'0000, 4));
  BOOST_TEST(!bench.window.contains(~std::uint64_t{0}, 8));
}

BOOST_AUTO_TEST_CASE(any_length_and_alignment) {
  Bench bench;
  Payload read = read_payload(kBase + 3, 7);
  BOOST_TEST(bench.window.access(read.generic) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(read.data == Bytes8({3, 4, 5, 6, 7, 8, 9}));
  Payload write = write_payload(kBase + 125, {0x55, 0x66, 0x77});
  BOOST_TEST(bench.window.access(write.generic) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.at(124) == 124);
  BOOST_TEST(bench.at(125) == 0x55);
  BOOST_TEST(bench.at(127) == 0x77);
  BOOST_TEST(bench.at(128) == 128);
}

BOOST_AUTO_TEST_CASE(only_enabled_bytes_are_moved) {
  Bench bench;
  Payload read = read_payload(kBase, 6);
  read.set_byte_enables({0, 0xFF, 0xFF});
  BOOST_TEST(bench.window.access(read.generic) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(read.data == Bytes8({0xAA, 1, 2, 0xAA, 4, 5}));
  Payload write = write_payload(kBase + 16, {0xE0, 0xE1, 0xE2, 0xE3});
  write.set_byte_enables({0xFF, 0, 0, 0xFF});
  BOOST_TEST(bench.window.access(write.generic) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.at(16) == 0xE0);
  BOOST_TEST(bench.at(17) == 17);
  BOOST_TEST(bench.at(18) == 18);
  BOOST_TEST(bench.at(19) == 0xE3);
}

BOOST_AUTO_TEST_CASE(what_is_refused_moves_nothing) {
  Bench bench;
  Payload write = write_payload(kBase, {0xE0, 0xE1, 0xE2, 0xE3});
  write.generic.set_streaming_width(3);
  BOOST_TEST(bench.window.access(write.generic) == tlm::TLM_BURST_ERROR_RESPONSE);
  write.generic.set_streaming_width(4);
  write.set_byte_enables({0xFF, 0x0F});
  BOOST_TEST(bench.window.access(write.generic) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  write.generic.set_byte_enable_length(0);
  BOOST_TEST(bench.window.access(write.generic) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  write.generic.set_byte_enable_ptr(nullptr);
  write.generic.set_data_length(0);
  BOOST_TEST(bench.window.access(write.generic) == tlm::TLM_BURST_ERROR_RESPONSE);
  write.generic.set_data_length(4);
  write.generic.set_data_ptr(nullptr);
  BOOST_TEST(bench.window.access(write.generic) == tlm::TLM_GENERIC_ERROR_RESPONSE);
  BOOST_TEST(bench.window.debug_access(write.generic) == 0);
  for (unsigned i = 0; i < 4; ++i) BOOST_TEST(bench.at(i) == i);
}

BOOST_AUTO_TEST_CASE(debug_access_moves_both_ways_whatever_is_enabled) {
  Bench bench;
  Payload write = write_payload(kBase + 8, {0xD0, 0xD1});
  write.set_byte_enables({0});
  BOOST_TEST(bench.window.debug_access(write.generic) == 2);
  Payload read = read_payload(kBase + 7, 4);
  BOOST_TEST(bench.window.debug_access(read.generic) == 4);
  BOOST_TEST(read.data == Bytes8({7, 0xD0, 0xD1, 10}));
}

// What is given away stays where it is, also when the part behind the window is used for the first time.
BOOST_AUTO_TEST_CASE(direct_access_is_to_the_memory_itself_and_does_not_move) {
  DenseMemory memory("pe0.tcm", 1 << 16);
  TcmWindow window(kBase, 128, &memory);
  std::byte* const direct = window.direct();
  BOOST_REQUIRE(direct != nullptr);
  direct[5] = std::byte{0x77};
  const std::byte last{1};
  memory.write((1 << 16) - 1, &last, 1);
  BOOST_TEST(window.direct() == direct);
  std::byte read{};
  memory.read(5, &read, 1);
  BOOST_TEST(std::to_integer<int>(read) == 0x77);
}

BOOST_AUTO_TEST_CASE(without_memory_there_is_no_window) {
  TcmWindow window(kBase, 128, nullptr);
  BOOST_TEST(window.bytes() == 0);
  BOOST_TEST(!window.contains(kBase, 1));
  BOOST_TEST(window.direct() == nullptr);
}

BOOST_AUTO_TEST_CASE(memory_that_does_not_lie_together_gives_no_direct_access) {
  SparseMemory memory("pe0.tcm", 128);
  TcmWindow window(kBase, 128, &memory);
  BOOST_TEST(window.direct() == nullptr);
}

BOOST_AUTO_TEST_CASE(a_window_larger_than_its_memory_is_refused) {
  DenseMemory memory("pe0.tcm", 64);
  BOOST_CHECK_EXCEPTION(TcmWindow(kBase, 65, &memory), ConfigError, [](const ConfigError& error) {
    const std::string text = error.what();
    return text.find("pe0.tcm") != std::string::npos && text.find("65") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
