// SPDX-License-Identifier: Apache-2.0
#include "petal/host/segmentation.hpp"

#include <boost/test/unit_test.hpp>

#include "host/decode_fixture.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// The 322-byte composite: header 30; ops 24, 28, 28, 32, 24, 36, 32, 20; gemm + add 68.
CompositeCmd second_composite() {
  DecodeFixture f;
  f.tl.composite(f.second_composite());
  return f.sink.get<CompositeCmd>(f.issued_by_setup);
}

std::vector<std::uint64_t> sizes(const CompositeCmd& composite, std::uint64_t cap) {
  std::vector<std::uint64_t> bytes;
  std::uint32_t next_op = 0;
  std::uint64_t sum = 0;
  for (const CompositeSegment& segment : segment_composite(composite, Bytes(cap))) {
    BOOST_TEST(segment.first_op == next_op);
    BOOST_TEST(segment.logical_bytes.count() <= cap);
    next_op = segment.last_op;
    sum += segment.logical_bytes.count();
    bytes.push_back(segment.logical_bytes.count());
  }
  BOOST_TEST(next_op == composite.ops.size());
  BOOST_TEST(sum == logical_bytes(PeCommand(composite)).count());
  return bytes;
}

using Sizes = std::vector<std::uint64_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(segmentation)

BOOST_AUTO_TEST_CASE(within_the_cap_there_is_one_segment) {
  BOOST_TEST((sizes(second_composite(), 1024) == Sizes{322}));
  BOOST_TEST((sizes(second_composite(), 322) == Sizes{322}));
}

// 30 + 224 = 254; the 68 of gemm + add do not fit beside it.
BOOST_AUTO_TEST_CASE(cap_256_cuts_before_the_gemm) {
  BOOST_TEST((sizes(second_composite(), 256) == Sizes{254, 68}));
  BOOST_TEST((sizes(second_composite(), 321) == Sizes{254, 68}));
}

// 30+24 | 28+28 | 32+24 | 36+32 | 20 | 68.
BOOST_AUTO_TEST_CASE(cap_68_fills_each_segment_in_op_order) {
  BOOST_TEST((sizes(second_composite(), 68) == Sizes{54, 56, 56, 68, 20, 68}));
}

BOOST_AUTO_TEST_CASE(group_or_op_beyond_the_cap_is_an_error) {
  BOOST_CHECK_EXCEPTION(
      segment_composite(second_composite(), Bytes(67)), EmitError, [](const EmitError& error) {
        return mentions(error, "gemm + add") && mentions(error, "68") && mentions(error, "67");
      });
  BOOST_CHECK_EXCEPTION(
      segment_composite(second_composite(), Bytes(29)), EmitError,
      [](const EmitError& error) { return mentions(error, "header") && mentions(error, "30"); });
}

// Header 30, then relu of 1+1+9+8+1 = 20: 45 bytes cannot hold both.
BOOST_AUTO_TEST_CASE(first_segment_may_hold_the_header_alone) {
  CompositeCmd composite = second_composite();
  OpSpec relu = composite.ops[7];
  relu.kind = Opcode::relu;
  composite.ops = {relu, relu};
  BOOST_TEST((sizes(composite, 45) == Sizes{30, 40}));
}

BOOST_AUTO_TEST_CASE(kernel_op_after_the_gemm_may_be_cut_off) {
  CompositeCmd composite = second_composite();
  OpSpec copy = composite.ops[7];
  composite.ops.push_back(copy);
  BOOST_TEST((sizes(composite, 256) == Sizes{254, 88}));
  BOOST_TEST((sizes(composite, 68) == Sizes{54, 56, 56, 68, 20, 68, 20}));
}

BOOST_AUTO_TEST_CASE(each_segment_has_a_completion_and_the_result_waits_for_the_last) {
  TlOptions options;
  options.composite_cap = Bytes(68);
  DecodeFixture f(options);
  const TensorHandle result = f.tl.composite(f.second_composite());
  BOOST_REQUIRE(f.sink.issued.size() == f.issued_by_setup + 6);
  for (std::uint32_t index = 0; index < 6; ++index) {
    const CommandSlice& slice = f.sink.issued[f.issued_by_setup + index].slice;
    BOOST_TEST(slice.segment == index);
    BOOST_TEST(slice.segments == 6U);
    BOOST_TEST(slice.completion == 5U + index);  // the fixture's four commands come first
    BOOST_TEST(framing_of(*slice.command).completion == 5U);
  }
  BOOST_TEST(result.pending == 10U);
  BOOST_TEST(f.tl.next_completion() == 11U);
  f.tl.composite(f.second_composite());
  BOOST_TEST((f.sink.issued.back().pending_inputs == std::vector<CompletionId>{10}));
}

BOOST_AUTO_TEST_SUITE_END()
