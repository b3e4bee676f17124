// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>

#include "petal/command/error.hpp"
#include "petal/memory/dense_memory.hpp"
#include "petal/memory/sparse_memory.hpp"
#include "petal/numerics/element_codec.hpp"

namespace {

using namespace petal;

using Bytes16 = std::array<std::byte, 16>;

Bytes16 counted() {
  Bytes16 bytes{};
  for (std::size_t index = 0; index < bytes.size(); ++index) bytes[index] = static_cast<std::byte>(index + 1);
  return bytes;
}

Bytes16 read_16(const ByteMemory& memory, std::uint64_t address) {
  Bytes16 bytes{};
  memory.read(address, bytes.data(), bytes.size());
  return bytes;
}

Bytes16 all(int value) {
  Bytes16 bytes{};
  bytes.fill(static_cast<std::byte>(value));
  return bytes;
}

void check_bounds(ByteMemory& memory, std::uint64_t capacity) {
  constexpr std::uint64_t kLast = ~std::uint64_t{0};
  Bytes16 bytes = counted();
  BOOST_CHECK_NO_THROW(memory.write(capacity - 16, bytes.data(), 16));
  BOOST_TEST((read_16(memory, capacity - 16) == counted()));
  for (const std::uint64_t address : {capacity - 15, capacity, capacity + 1, kLast - 15, kLast}) {
    BOOST_CHECK_THROW(memory.read(address, bytes.data(), 16), AddressError);
    BOOST_CHECK_THROW(memory.write(address, bytes.data(), 16), AddressError);
  }
  BOOST_CHECK_THROW(memory.read(1, bytes.data(), kLast), AddressError);  // the sum wraps to 0
  BOOST_CHECK_NO_THROW(memory.read(kLast, nullptr, 0));
  BOOST_CHECK_NO_THROW(memory.write(kLast, nullptr, 0));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(byte_memory)

BOOST_AUTO_TEST_CASE(sparse_memory_reads_zero_until_written) {
  SparseMemory memory("hbm", std::uint64_t{1} << 40U);
  BOOST_TEST((read_16(memory, (std::uint64_t{1} << 40U) - 16) == all(0)));
  BOOST_TEST(memory.pages() == 0U);
  memory.write(3, counted().data(), 16);
  BOOST_TEST((read_16(memory, 3) == counted()));
  BOOST_TEST((read_16(memory, 19) == all(0)));
  BOOST_TEST(memory.pages() == 1U);
}

BOOST_AUTO_TEST_CASE(an_access_may_cross_pages) {
  SparseMemory memory("hbm", std::uint64_t{1} << 40U);
  constexpr std::uint64_t kPage = SparseMemory::kPageBytes;
  memory.write(kPage - 5, counted().data(), 16);
  BOOST_TEST(memory.pages() == 2U);
  BOOST_TEST((read_16(memory, kPage - 5) == counted()));
  std::byte first_of_second{};
  memory.read(kPage, &first_of_second, 1);
  BOOST_TEST(std::to_integer<int>(first_of_second) == 6);
  // Written, never written, written: the middle page reads as zero.
  memory.write(3 * kPage, counted().data(), 16);
  std::vector<std::byte> long_read(2 * kPage + 1, std::byte{0x55});
  memory.read(kPage, long_read.data(), long_read.size());
  BOOST_TEST(std::to_integer<int>(long_read[kPage]) == 0);
  BOOST_TEST(std::to_integer<int>(long_read[2 * kPage]) == 1);
  BOOST_TEST(memory.pages() == 3U);
}

// The page last used is remembered: alternate between two, and read one before it is written.
BOOST_AUTO_TEST_CASE(pages_are_not_confused) {
  SparseMemory memory("hbm", std::uint64_t{1} << 40U);
  constexpr std::uint64_t kFar = std::uint64_t{1} << 36U;
  memory.write(0, counted().data(), 16);
  BOOST_TEST((read_16(memory, kFar) == all(0)));
  memory.write(kFar, all(7).data(), 16);
  BOOST_TEST((read_16(memory, 0) == counted()));
  BOOST_TEST((read_16(memory, kFar) == all(7)));
}

// Two memories start from one image: each sees it until it writes, and what one writes neither the other nor
// the image sees. The rest of a page written to is still the image's.
BOOST_AUTO_TEST_CASE(memories_that_start_from_one_image_do_not_see_each_other) {
  constexpr std::uint64_t kCapacity = std::uint64_t{1} << 40U;
  constexpr std::uint64_t kPage = SparseMemory::kPageBytes;
  const auto image = std::make_shared<SparseMemory>("image", kCapacity);
  image->write(kPage - 8, counted().data(), 16);
  SparseMemory first("first", kCapacity, image);
  SparseMemory second("second", kCapacity, image);
  BOOST_TEST((read_16(first, kPage - 8) == counted()));
  BOOST_TEST(first.pages() == 0U);
  first.write(kPage - 24, all(9).data(), 16);
  BOOST_TEST(first.pages() == 1U);
  BOOST_TEST((read_16(first, kPage - 24) == all(9)));
  BOOST_TEST((read_16(first, kPage - 8) == counted()));
  const SparseMemory* const others[] = {&second, image.get()};
  for (const SparseMemory* const other : others) {
    BOOST_TEST((read_16(*other, kPage - 24) == all(0)));
    BOOST_TEST((read_16(*other, kPage - 8) == counted()));
  }
  first.write(kPage - 8, all(5).data(), 16);
  BOOST_TEST((read_16(second, kPage - 8) == counted()));
  BOOST_TEST((read_16(first, kPage - 8) == all(5)));
  BOOST_TEST(second.pages() == 0U);
  BOOST_TEST(image->pages() == 2U);
}

BOOST_AUTO_TEST_CASE(an_image_of_an_image_is_seen_through_both) {
  const auto bottom = std::make_shared<SparseMemory>("bottom", 1U << 20U);
  bottom->write(0, counted().data(), 16);
  const auto middle = std::make_shared<SparseMemory>("middle", 1U << 20U, bottom);
  SparseMemory top("top", 1U << 20U, middle);
  top.write(16, all(3).data(), 16);
  BOOST_TEST((read_16(top, 0) == counted()));
  BOOST_TEST((read_16(*middle, 16) == all(0)));
}

BOOST_AUTO_TEST_CASE(dense_memory_reads_ff_until_written) {
  DenseMemory memory("tcm", std::uint64_t{1} << 20U);
  BOOST_TEST(memory.allocated_bytes() == 0U);
  BOOST_TEST((read_16(memory, 0) == all(0xFF)));
  memory.write(100, counted().data(), 16);
  BOOST_TEST((read_16(memory, 100) == counted()));
  BOOST_TEST((read_16(memory, 84) == all(0xFF)));
  Bytes16 half_written = all(0xFF);
  half_written[0] = std::byte{16};
  BOOST_TEST((read_16(memory, 115) == half_written));
  BOOST_TEST((read_16(memory, 5000) == all(0xFF)));
  memory.write(5000, all(3).data(), 16);  // grows
  BOOST_TEST((read_16(memory, 100) == counted()));
  BOOST_TEST((read_16(memory, 4984) == all(0xFF)));
  BOOST_TEST((read_16(memory, 5000) == all(3)));
}

BOOST_AUTO_TEST_CASE(what_nobody_wrote_to_tcm_is_nan_in_every_floating_dtype) {
  const DenseMemory memory("tcm", 64);
  const Bytes16 bytes = read_16(memory, 0);
  for (const DType dtype : kAllDTypes) {
    if (!is_floating(dtype)) continue;
    float value = 0;
    decode(bytes.data(), dtype, &value, 1);
    BOOST_TEST(std::isnan(value), name_of(dtype));
  }
}

BOOST_AUTO_TEST_CASE(accesses_beyond_the_capacity_are_refused_even_where_the_sum_wraps) {
  SparseMemory hbm("hbm", 1000);
  check_bounds(hbm, 1000);
  DenseMemory tcm("tcm", 1000);
  check_bounds(tcm, 1000);
}

BOOST_AUTO_TEST_CASE(the_error_names_memory_address_bytes_and_capacity) {
  const DenseMemory memory("pe3.tcm", 4096);
  std::byte byte{};
  try {
    memory.read(0x1000, &byte, 1);
    BOOST_FAIL("the access was allowed");
  } catch (const AddressError& error) {
    BOOST_TEST(error.address() == 0x1000U);
    BOOST_TEST(error.bytes() == 1U);
    BOOST_TEST(error.capacity() == 4096U);
    const std::string text = error.what();
    for (const char* part : {"pe3.tcm", "1 bytes", "0x1000", "4096"})
      BOOST_TEST(text.find(part) != std::string::npos, part << " in: " << text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
