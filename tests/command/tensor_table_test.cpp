// SPDX-License-Identifier: Apache-2.0
#include "petal/command/tensor_table.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "petal/command/error.hpp"
#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr std::uint64_t kTop = std::numeric_limits<std::uint64_t>::max();

TensorHandle with_strides(TensorHandle tensor, const Dims& strides) {
  tensor.strides = strides;
  return tensor;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_table)

BOOST_AUTO_TEST_CASE(indices_follow_first_use_and_equal_tensors_share_one) {
  TensorTable table;
  TensorHandle a = in_tcm(0, {4});
  BOOST_TEST(table.intern(a) == 0U);
  BOOST_TEST(table.intern(in_tcm(64, {4})) == 1U);
  a.pending = 99;
  BOOST_TEST(table.intern(a) == 0U);
  BOOST_TEST(table.intern(in_hbm(0, {4}, DType::f32)) == 2U);
  BOOST_TEST(table.size() == 3U);
}

BOOST_AUTO_TEST_CASE(entries_forget_what_was_pending) {
  TensorTable table;
  TensorHandle a = in_tcm(0, {4});
  a.pending = 99;
  const TensorReference reference = table.intern(a);
  BOOST_TEST(table.resolve(reference).same_tensor(a));
  BOOST_TEST(table.resolve(reference).pending == kNoCompletion);
}

BOOST_AUTO_TEST_CASE(an_offset_in_the_high_half_moves_the_address) {
  TensorTable table;
  table.intern(in_tcm(0, {4}));
  table.intern(in_tcm(0x1000, {4}));
  BOOST_TEST(table.resolve(0x0000004000000001U).same_tensor(in_tcm(0x1040, {4})));
}

BOOST_AUTO_TEST_CASE(references_outside_table_or_address_space_are_refused) {
  TensorTable table;
  table.append(in_tcm(kTop - 16, {4}));  // 16 bytes that end at the top
  BOOST_CHECK_THROW(table.resolve(1), DecodeError);
  BOOST_CHECK_THROW(table.resolve(0xFFFFFFFFU), DecodeError);
  BOOST_CHECK_THROW(table.resolve(0x0000000100000000U), DecodeError);
  BOOST_TEST(table.resolve(0).address == kTop - 16);
}

BOOST_AUTO_TEST_CASE(appended_entries_keep_their_place_and_intern_finds_the_first) {
  TensorTable table;
  BOOST_TEST(table.append(in_tcm(0, {4})) == 0U);
  BOOST_TEST(table.append(in_tcm(0, {4})) == 1U);
  BOOST_TEST(table.append(in_tcm(8, {4})) == 2U);
  BOOST_TEST(table.intern(in_tcm(0, {4})) == 0U);
  BOOST_TEST(table.intern(in_tcm(8, {4})) == 2U);
}

BOOST_AUTO_TEST_CASE(tensors_that_memory_cannot_hold_are_refused) {
  const std::uint64_t huge = std::uint64_t{1} << 62U;
  const TensorHandle bad[] = {
      in_tcm(kTop - 15, {4}),                         // ends one byte past the top
      in_tcm(0, {huge}),                              // 2^64 bytes
      with_strides(in_tcm(0, {3}), {kTop}),           // 2 * (2^64 - 1)
      with_strides(in_tcm(0, {2, 2}), {kTop, kTop}),  // the distances add up too far
      with_strides(in_tcm(0, {2}), {kTop}),           // the last element starts at the top
      with_strides(in_tcm(0, {huge, huge}), {0, 0}),  // no distance, but more bytes than a number holds
      with_strides(in_tcm(0, {2, 2}), {1}),           // a stride is missing
      in_tcm(0, {2}, static_cast<DType>(200)),        // no dtype
      dense_tensor(static_cast<Space>(2), 0, {2}, DType::f32),
  };
  for (const TensorHandle& tensor : bad) {
    TensorTable table;
    BOOST_CHECK_THROW(table.append(tensor), DecodeError);
    BOOST_CHECK_THROW(table.intern(tensor), EmitError);
    BOOST_TEST(table.size() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(empty_and_scalar_tensors_are_entries_like_others) {
  TensorTable table;
  BOOST_TEST(table.append(in_tcm(kTop, {0, kTop})) == 0U);
  BOOST_TEST(table.append(in_tcm(8, {})) == 1U);
  BOOST_TEST(table.resolve(1).bytes().count() == 4U);
}

BOOST_AUTO_TEST_CASE(many_tensors_that_differ_little_stay_apart) {
  TensorTable table;
  for (std::uint64_t index = 0; index < 100000; ++index)
    BOOST_REQUIRE(table.intern(in_tcm(index * 64, {4, 128})) == index);
  for (std::uint64_t index = 0; index < 100000; ++index)
    BOOST_REQUIRE(table.intern(in_tcm(index * 64, {4, 128})) == index);
}

BOOST_AUTO_TEST_SUITE_END()
