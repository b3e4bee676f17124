// SPDX-License-Identifier: Apache-2.0
#include "petal/command/hazard_ranges.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "observe/sample_slices.hpp"

namespace {

using namespace petal;
using petal::test::hbm;
using petal::test::slice_of;
using petal::test::tcm;
using Ranges = HazardRanges::List;

std::string text_of(const Ranges& ranges) {
  std::string text;
  for (const ByteRange& range : ranges)
    text += fmt::format("{}:{}..{} ", name_of(range.space), range.begin, range.end);
  return text;
}

void check_ranges(const Ranges& found, const Ranges& expected) {
  BOOST_TEST(text_of(found) == text_of(expected));
}

ByteRange in_tcm(std::uint64_t begin, std::uint64_t length) {
  return {Space::tcm, begin, begin + length};
}
ByteRange in_hbm(std::uint64_t begin, std::uint64_t length) {
  return {Space::hbm, begin, begin + length};
}

OpSpec op(Opcode kind, Scope scope, OperandList operands, ScalarList extras, const TensorHandle& out) {
  return {kind, scope, std::move(operands), std::move(extras), out};
}

// Decode opt2's second composite with G = 4, TILE = 64, d = 128: softmax_merge, P.V and O += P.V. All in f32
// but V.
const TensorHandle kS = tcm(0x0, {4, 64});  // 1024 bytes
const TensorHandle kM = tcm(0x400, {4});    // 16 bytes each
const TensorHandle kL = tcm(0x440, {4});
const TensorHandle kO = tcm(0x480, {4, 128});  // 2048 bytes
const TensorHandle kMLoc = tcm(0xC80, {4});
const TensorHandle kMNew = tcm(0xCC0, {4});
const TensorHandle kCorr = tcm(0xD00, {4});
const TensorHandle kLLoc = tcm(0xD40, {4});
const TensorHandle kP = tcm(0xD80, {4, 64});      // 1024 bytes
const TensorHandle kV = hbm(0x10000, {64, 128});  // 16384 bytes of f16

CompositeCmd merge_and_product() {
  constexpr auto kKernel = Scope::kernel;
  CompositeCmd command;
  command.ops = {
      op(Opcode::rmax, kKernel, {kS}, {std::int32_t{-1}}, kMLoc),
      op(Opcode::max_elem, kKernel, {kM, kMLoc}, {}, kMNew),
      op(Opcode::exp_diff, kKernel, {kM, kMNew}, {}, kCorr),
      op(Opcode::exp_diff, kKernel, {kS, kMNew}, {std::int32_t{0}}, kP),
      op(Opcode::rsum, kKernel, {kP}, {std::int32_t{-1}}, kLLoc),
      op(Opcode::fma, kKernel, {kL, kCorr, kLLoc}, {}, kL),
      op(Opcode::mul_bcast, kKernel, {kO, kCorr}, {std::int32_t{1}}, kO),
      op(Opcode::copy, kKernel, {kMNew}, {}, kM),
      op(Opcode::gemm, kKernel, {kP, kV}, {std::int32_t{4}, std::int32_t{64}, std::int32_t{128}}, kO),
      op(Opcode::add, Scope::output_tile, {kO, kO}, {}, kO)};
  command.rw_handles = {kM, kL, kO};
  return command;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hazard_ranges_of_a_slice)

BOOST_AUTO_TEST_CASE(a_primitive_reads_its_operands_and_writes_its_out) {
  MathCmd command;
  command.kind = Opcode::fma;
  command.operands = {kL, kCorr, kLLoc};
  command.out = kL;
  const HazardRanges ranges = hazard_ranges(slice_of(command, 1));
  check_ranges(ranges.reads, {in_tcm(0x440, 16), in_tcm(0xD00, 16), in_tcm(0xD40, 16)});
  check_ranges(ranges.writes, {in_tcm(0x440, 16)});
}

BOOST_AUTO_TEST_CASE(a_load_reads_hbm_and_writes_tcm) {
  const HazardRanges ranges = hazard_ranges(slice_of(petal::test::load_64_bytes(), 1));
  check_ranges(ranges.reads, {in_hbm(0x1000, 64)});
  check_ranges(ranges.writes, {in_tcm(0x40, 64)});
}

BOOST_AUTO_TEST_CASE(a_gemm_primitive_reads_a_and_b) {
  GemmCmd command;
  command.a = kP;
  command.b = tcm(0x8000, {64, 128}, DType::f16);
  command.out = kO;
  const HazardRanges ranges = hazard_ranges(slice_of(command, 1));
  check_ranges(ranges.reads, {in_tcm(0xD80, 1024), in_tcm(0x8000, 16384)});
  check_ranges(ranges.writes, {in_tcm(0x480, 2048)});
}

BOOST_AUTO_TEST_CASE(the_322_byte_composite_covers_operands_outs_and_recipe_scratch_each_once) {
  const CommandSlice slice = slice_of(merge_and_product(), 7);
  BOOST_TEST(slice.logical_bytes.count() == 322U);
  const HazardRanges ranges = hazard_ranges(slice);
  // In op order: s; m, m_loc; m_new; P; l, corr, l_loc; O; V. The second mention of a tensor adds nothing.
  check_ranges(ranges.reads, {in_tcm(0x0, 1024), in_tcm(0x400, 16), in_tcm(0xC80, 16), in_tcm(0xCC0, 16),
                              in_tcm(0xD80, 1024), in_tcm(0x440, 16), in_tcm(0xD00, 16), in_tcm(0xD40, 16),
                              in_tcm(0x480, 2048), in_hbm(0x10000, 16384)});
  check_ranges(ranges.writes, {in_tcm(0xC80, 16), in_tcm(0xCC0, 16), in_tcm(0xD00, 16), in_tcm(0xD80, 1024),
                               in_tcm(0xD40, 16), in_tcm(0x440, 16), in_tcm(0x480, 2048), in_tcm(0x400, 16)});
}

BOOST_AUTO_TEST_CASE(a_segment_has_its_own_ops_and_all_rw_handles) {
  CommandSlice slice = slice_of(merge_and_product(), 7);
  slice.first_op = 0;
  slice.last_op = 2;
  const HazardRanges ranges = hazard_ranges(slice);
  // rmax and max_elem read s, m, m_loc; the rw_handles add l and O.
  check_ranges(ranges.reads, {in_tcm(0x0, 1024), in_tcm(0x400, 16), in_tcm(0xC80, 16), in_tcm(0x440, 16),
                              in_tcm(0x480, 2048)});
  check_ranges(ranges.writes, {in_tcm(0xC80, 16), in_tcm(0xCC0, 16), in_tcm(0x400, 16), in_tcm(0x440, 16),
                               in_tcm(0x480, 2048)});
}

BOOST_AUTO_TEST_CASE(a_segment_of_the_header_alone_has_the_rw_handles) {
  CommandSlice slice = slice_of(merge_and_product(), 7);
  slice.first_op = 0;
  slice.last_op = 0;
  const HazardRanges ranges = hazard_ranges(slice);
  const Ranges handles = {in_tcm(0x400, 16), in_tcm(0x440, 16), in_tcm(0x480, 2048)};
  check_ranges(ranges.reads, handles);
  check_ranges(ranges.writes, handles);
}

BOOST_AUTO_TEST_CASE(the_accumulator_of_a_tile_op_is_no_read_but_its_other_operand_is) {
  CompositeCmd command;
  const TensorHandle c = tcm(0x2000, {4, 128});
  const TensorHandle bias = tcm(0x4000, {4, 128});
  command.ops = {
      op(Opcode::gemm, Scope::kernel, {kP, kV}, {std::int32_t{4}, std::int32_t{64}, std::int32_t{128}}, c),
      op(Opcode::add, Scope::output_tile, {c, bias}, {}, c)};
  const HazardRanges ranges = hazard_ranges(slice_of(command, 1));
  check_ranges(ranges.reads, {in_tcm(0xD80, 1024), in_hbm(0x10000, 16384), in_tcm(0x4000, 2048)});
  check_ranges(ranges.writes, {in_tcm(0x2000, 2048)});
}

BOOST_AUTO_TEST_CASE(an_empty_tensor_has_no_range) {
  MathCmd command;
  command.kind = Opcode::copy;
  command.operands = {tcm(0x40, {0, 8})};
  command.out = tcm(0x80, {0, 8});
  const HazardRanges ranges = hazard_ranges(slice_of(command, 1));
  BOOST_TEST(ranges.reads.empty());
  BOOST_TEST(ranges.writes.empty());
}

BOOST_AUTO_TEST_CASE(a_strided_tensor_counts_as_its_bounding_interval) {
  MathCmd command;
  command.kind = Opcode::copy;
  TensorHandle rows = tcm(0x100, {2, 4});  // rows of 16 bytes, 64 bytes apart: 64 + 16 = 80 bytes
  rows.strides = {16, 1};
  command.operands = {rows};
  command.out = tcm(0x400, {2, 4});
  check_ranges(hazard_ranges(slice_of(command, 1)).reads, {in_tcm(0x100, 80)});
}

BOOST_AUTO_TEST_SUITE_END()
