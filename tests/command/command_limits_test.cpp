// SPDX-License-Identifier: Apache-2.0
#include "petal/command/command_limits.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>

#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr std::uint64_t kKiB = 1024;

/// A PE with 64 KiB of TCM and all engines.
CommandLimits small_pe() {
  CommandLimits limits;
  limits.arena = Bytes(64 * kKiB);
  return limits;
}

CommandLimits streaming_pe() {
  CommandLimits limits = small_pe();
  limits.math_head_streaming = true;
  limits.gemm_tile = {8, 16, 8};  // chunks of 64 elements
  return limits;
}

void expect_accepted(const PeCommand& command, const CommandLimits& limits = small_pe()) {
  BOOST_TEST(find_limit_error(command, limits).value_or("") == "");
}

void expect_refused(const PeCommand& command, const std::string& reason,
                    const CommandLimits& limits = small_pe()) {
  const std::string problem = find_limit_error(command, limits).value_or("accepted");
  BOOST_TEST(problem.find(reason) != std::string::npos, "'" << problem << "' does not say " << reason);
  BOOST_TEST(problem.find('\n') == std::string::npos);
}

TensorHandle with_strides(TensorHandle tensor, const Dims& strides) {
  tensor.strides = strides;
  return tensor;
}

MathCmd math(Opcode kind, OperandList operands, const TensorHandle& out, ScalarList extras = {}) {
  MathCmd command;
  command.kind = kind;
  command.operands = std::move(operands);
  command.extras = std::move(extras);
  command.out = out;
  return command;
}

CompositeCmd only(const OpSpec& op) {
  CompositeCmd composite;
  composite.ops = {op};
  return composite;
}

DmaReadCmd read(const TensorHandle& src, const TensorHandle& dst) {
  DmaReadCmd command;
  command.src = src;
  command.dst = dst;
  command.nbytes = static_cast<std::uint32_t>(src.bytes().count());
  return command;
}

GemmCmd gemm(const TensorHandle& a, const TensorHandle& b, const TensorHandle& out) {
  GemmCmd command;
  command.a = a;
  command.b = b;
  command.out = out;
  command.m = static_cast<std::uint32_t>(a.shape[0]);
  command.k = static_cast<std::uint32_t>(a.shape[1]);
  command.n = static_cast<std::uint32_t>(b.shape[1]);
  return command;
}

const TensorHandle kMatrix = in_tcm(0, {4, 8});
const TensorHandle kOther = in_tcm(0x400, {4, 8});
const TensorHandle kOut = in_tcm(0x800, {4, 8});

}  // namespace

BOOST_AUTO_TEST_SUITE(command_limits)

BOOST_AUTO_TEST_CASE(what_the_compiler_emits_is_accepted) {
  for (const PeCommand& command : one_of_each_kind()) expect_accepted(command);
  for (const PeCommand& command : merge_commands()) expect_accepted(command);
  expect_accepted(scores_composite(true));
  expect_accepted(values_composite());
}

BOOST_AUTO_TEST_CASE(command_rules_come_first) {
  expect_refused(read(kMatrix, kOut), "dma_read: src is f32[4, 8]@tcm:0x0, but it must lie in hbm");
  expect_refused(CompositeCmd(), "the composite has no ops");
}

BOOST_AUTO_TEST_CASE(tensors_in_tcm_lie_in_the_arena) {
  const auto copy_from = [](const TensorHandle& src) {
    return math(Opcode::copy, {src}, in_tcm(0x800, {16}));
  };
  expect_accepted(copy_from(in_tcm(64 * kKiB - 64, {16})));
  expect_refused(copy_from(in_tcm(64 * kKiB - 63, {16})), "not all within the 65536 bytes of the TCM arena");
  expect_refused(copy_from(in_tcm(0x7FFFFFFFFFF0, {16})), "the TCM arena");
  expect_refused(copy_from(with_strides(in_tcm(0, {16}), {4096})), "with strides [4096]");
  expect_refused(math(Opcode::fill, {}, in_tcm(64 * kKiB, {1}), {1.0F}), "the TCM arena");
  CompositeCmd composite = merge_values_composite();
  composite.rw_handles.push_back(in_tcm(64 * kKiB, {1}));
  expect_refused(composite, "the TCM arena");
}

// Data mode would hold every element, and loop over the rows of a tensor that has no columns.
BOOST_AUTO_TEST_CASE(data_is_no_larger_than_the_arena_whatever_the_range_says) {
  const TensorHandle repeated = with_strides(in_hbm(0, {1 << 20, 16}), {0, 1});
  DmaReadCmd command = read(repeated, with_strides(in_tcm(0, {1 << 20, 16}, DType::f16), {0, 1}));
  expect_refused(command, "more than the 65536 bytes that a tensor in tcm can have");
  const std::uint64_t huge = std::uint64_t{1} << 62U;
  expect_refused(math(Opcode::neg, {in_tcm(0, {huge, 0})}, in_tcm(0, {huge, 0})),
                 "more than the 65536 bytes");
  expect_refused(math(Opcode::neg, {in_tcm(0, {0, huge})}, in_tcm(0, {0, huge})),
                 "more than the 65536 bytes");
  expect_accepted(math(Opcode::neg, {in_tcm(0, {1000, 0})}, in_tcm(0, {1000, 0})));
  expect_accepted(math(Opcode::neg, {in_tcm(0, {64, 256})}, in_tcm(0, {64, 256})));
}

BOOST_AUTO_TEST_CASE(tensors_in_hbm_have_a_terabyte_at_most) {
  const std::uint64_t rows = std::uint64_t{1} << 30U;
  const auto product_of = [rows](std::uint64_t columns) {
    const auto m = static_cast<std::int32_t>(rows);
    const auto k = static_cast<std::int32_t>(columns);
    return only(op(Opcode::gemm, {in_hbm(0, {rows, columns}), in_tcm(0, {columns, 1}, DType::f16)},
                   in_hbm(std::uint64_t{1} << 41U, {rows, 1}), {m, k, 1}));
  };
  expect_accepted(product_of(512));  // 2^30 * 512 * 2 bytes
  expect_refused(product_of(513), "more than the 1099511627776 bytes that a tensor in hbm can have");
}

BOOST_AUTO_TEST_CASE(engines_that_are_needed_exist) {
  const auto without = [](bool CommandLimits::*engine) {
    CommandLimits limits = small_pe();
    limits.*engine = false;
    return limits;
  };
  const std::vector<PeCommand> kinds = one_of_each_kind();  // read, write, gemm, math, composite, overhead
  const CommandLimits no_dma = without(&CommandLimits::has_dma);
  expect_refused(kinds[0], "dma_read needs the DMA engine", no_dma);
  expect_refused(kinds[1], "dma_write needs the DMA engine", no_dma);
  expect_refused(kinds[4], "op 8 (gemm): it needs the DMA engine", no_dma);
  expect_accepted(kinds[2], no_dma);
  expect_accepted(kinds[3], no_dma);
  const CommandLimits no_gemm = without(&CommandLimits::has_gemm);
  expect_refused(kinds[2], "gemm needs the GEMM engine", no_gemm);
  expect_refused(kinds[4], "op 8 (gemm): it needs the GEMM engine", no_gemm);
  expect_accepted(kinds[3], no_gemm);
  const CommandLimits no_math = without(&CommandLimits::has_math);
  expect_refused(kinds[3], "rmax needs the MATH engine", no_math);
  expect_refused(kinds[4], "op 0 (rmax): it needs the MATH engine", no_math);
  const CommandLimits no_ports = without(&CommandLimits::has_fetch_store);
  expect_refused(kinds[2], "gemm needs the FETCH_STORE engine", no_ports);
  expect_refused(kinds[3], "rmax needs the FETCH_STORE engine", no_ports);
  expect_accepted(kinds[0], no_ports);
  expect_accepted(kinds[5], no_ports);
}

BOOST_AUTO_TEST_CASE(shapes_of_math_operands_go_together) {
  expect_refused(math(Opcode::add, {kMatrix, in_tcm(0x400, {4})}, kOut), "add: other: shape [4] does not go");
  expect_refused(math(Opcode::add, {kMatrix, in_tcm(0x400, {3, 8})}, kOut), "does not go with shape [4, 8]");
  expect_refused(math(Opcode::mul_bcast, {kMatrix, in_tcm(0x400, {3})}, kOut, {1}),
                 "mul_bcast: src_b: shape [3]");
  expect_refused(math(Opcode::neg, {kMatrix}, in_tcm(0x800, {8, 4})), "neg: out: shape [8, 4]");
  expect_refused(math(Opcode::rsum, {kMatrix}, in_tcm(0x800, {8}), {-1}), "rsum: out: shape [8]");
  expect_refused(math(Opcode::rsum, {kMatrix}, in_tcm(0x800, {8}), {0}), "axis 0");
  expect_refused(math(Opcode::rsum, {in_tcm(0, {})}, in_tcm(0x800, {}), {-1}), "no axis to reduce");
  expect_refused(math(Opcode::band_mask, {in_tcm(0, {8})}, in_tcm(0x800, {8}), {0, 0}),
                 "no rows and columns");
  expect_accepted(math(Opcode::add, {kMatrix, in_tcm(0x400, {8})}, kOut));
}

BOOST_AUTO_TEST_CASE(dtypes_go_together) {
  expect_refused(math(Opcode::add, {kMatrix, in_tcm(0x400, {4, 8}, DType::i32)}, kOut), "dtype i32");
  expect_refused(math(Opcode::where, {kMatrix, kOther}, kOut, {0.0F}), "no mask");
  expect_refused(math(Opcode::copy, {in_tcm(0, {4}, DType::i8)}, in_tcm(0x800, {4})), "cannot hold");
  const TensorHandle b = in_tcm(0x1000, {8, 2});
  const TensorHandle out = in_tcm(0x800, {4, 2});
  const auto as = [](TensorHandle tensor, DType dtype) {
    tensor.dtype = dtype;
    return tensor;
  };
  expect_accepted(gemm(kMatrix, as(b, DType::f8e4m3), out));
  expect_accepted(gemm(as(kMatrix, DType::i8), as(b, DType::i8), as(out, DType::i32)));
  expect_accepted(gemm(as(kMatrix, DType::i8), as(b, DType::i8), out));
  expect_refused(gemm(as(kMatrix, DType::i8), b, out), "i8 cannot be multiplied by f32");
  expect_refused(gemm(kMatrix, as(b, DType::i8), out), "f32 cannot be multiplied by i8");
  expect_refused(gemm(as(kMatrix, DType::i32), as(b, DType::i32), as(out, DType::i32)), "i32 cannot be");
  expect_refused(gemm(kMatrix, b, as(out, DType::i32)), "cannot hold a product of f32");
  expect_refused(gemm(as(kMatrix, DType::i8), as(b, DType::i8), as(out, DType::boolean)), "cannot hold");
}

BOOST_AUTO_TEST_CASE(sizes_of_a_gemm_command_are_below_2_to_the_31) {
  CommandLimits large = small_pe();
  large.arena = Bytes(std::uint64_t{1} << 40U);
  const std::uint64_t m = std::uint64_t{1} << 31U;
  const DType i8 = DType::i8;
  expect_refused(gemm(in_tcm(0, {m, 0}, i8), in_tcm(0, {0, 1}, i8), in_tcm(0, {m, 1}, i8)), "2147483648",
                 large);
  expect_accepted(gemm(in_tcm(0, {m - 1, 0}, i8), in_tcm(0, {0, 1}, i8), in_tcm(0, {m - 1, 1}, i8)), large);
}

BOOST_AUTO_TEST_CASE(what_is_written_has_its_elements_apart) {
  const TensorHandle repeated = with_strides(kOut, {0, 1});
  expect_refused(math(Opcode::neg, {kMatrix}, repeated),
                 "neg: out: f32[4, 8]@tcm:0x800 has several elements");
  expect_refused(math(Opcode::fill, {}, repeated, {1.0F}), "several elements at one address");
  expect_refused(read(in_hbm(0, {4, 8}, DType::f32), repeated), "dma_read: dst");
  expect_refused(gemm(kMatrix, in_tcm(0x400, {8, 8}), repeated), "gemm: out");
  expect_accepted(math(Opcode::neg, {in_tcm(0, {1, 8})}, with_strides(in_tcm(0x800, {1, 8}), {0, 1})));
  expect_accepted(math(Opcode::neg, {in_tcm(0, {0, 8})}, with_strides(in_tcm(0x800, {0, 8}), {0, 0})));
}

BOOST_AUTO_TEST_CASE(what_is_read_repeats_values_only_where_it_can_be_computed) {
  expect_accepted(math(Opcode::neg, {with_strides(kMatrix, {0, 1})}, kOut));
  expect_accepted(math(Opcode::add, {kMatrix, with_strides(kOther, {1, 0})}, kOut));
  expect_accepted(math(Opcode::add, {kMatrix, with_strides(in_tcm(0x400, {8}), {0})}, kOut));
  const TensorHandle cube = in_tcm(0, {2, 3, 4});
  const TensorHandle out = in_tcm(0x800, {2, 3, 4});
  expect_accepted(math(Opcode::neg, {cube}, out));
  expect_refused(math(Opcode::neg, {with_strides(cube, {12, 0, 1})}, out),
                 "neg: src: f32[2, 3, 4]@tcm:0x0 repeats");
  const TensorHandle rows = with_strides(in_tcm(0x400, {2, 3}), {0, 1});
  expect_refused(math(Opcode::exp_diff, {cube, rows}, out), "exp_diff: src_b: f32[2, 3]@tcm:0x400 repeats");
  expect_refused(gemm(with_strides(kMatrix, {0, 1}), in_tcm(0x400, {8, 8}), in_tcm(0x800, {4, 8})),
                 "gemm: f32[4, 8]@tcm:0x0 repeats values");
}

// Values from HBM are spread out in the staging slot.
BOOST_AUTO_TEST_CASE(a_gemms_operand_in_hbm_may_repeat_values) {
  expect_accepted(
      only(op(Opcode::gemm, {with_strides(in_hbm(0, {4, 8}, DType::f32), {0, 1}), in_tcm(0x400, {8, 8})},
              kOut, {4, 8, 8})));
}

BOOST_AUTO_TEST_CASE(ops_of_a_composite_are_named_by_index) {
  CompositeCmd composite = merge_values_composite();
  composite.ops[1].out = in_tcm(0x40C0, {3});
  expect_refused(composite, "op 1 (max_elem): out: shape [3] is not the result's shape [4]");
}

BOOST_AUTO_TEST_CASE(tile_ops_are_held_to_the_accumulators_shape) {
  CompositeCmd composite = values_composite();
  composite.ops[1].operands[1] = in_tcm(0x5000, {kHeadDim});
  expect_accepted(composite);
  composite.ops[1].operands[1] = in_tcm(0x5000, {kHeads});
  expect_refused(composite, "op 1 (add): other: shape [4] does not go with shape [4, 128]");
}

BOOST_AUTO_TEST_CASE(a_sum_of_integers_goes_on_after_a_copy_alone) {
  const TensorHandle out = in_tcm(0x800, {4, 2}, DType::i32);
  CompositeCmd composite = only(
      op(Opcode::gemm, {in_tcm(0, {4, 8}, DType::i8), in_tcm(0x400, {8, 2}, DType::i8)}, out, {4, 8, 2}));
  composite.ops.push_back(op(Opcode::neg, {out}, out, {}, Scope::k_tile));
  expect_refused(composite, "op 1 (neg): scope K_TILE on a sum of integers");
  composite.ops[1].scope = Scope::output_tile;
  expect_accepted(composite);
  composite.ops[1] = op(Opcode::copy, {out}, out, {}, Scope::k_tile);
  expect_accepted(composite);
}

BOOST_AUTO_TEST_CASE(hbm_in_a_math_composite_needs_streaming) {
  const CompositeCmd composite =
      only(op(Opcode::neg, {in_hbm(0, {64, 64}, DType::f32)}, in_tcm(0x800, {64, 64})));
  expect_refused(composite, "op 0 (neg): it names a tensor in HBM; load it");
  expect_accepted(composite, streaming_pe());
  CommandLimits no_dma = streaming_pe();
  no_dma.has_dma = false;
  expect_refused(composite, "needs the DMA engine", no_dma);
}

BOOST_AUTO_TEST_CASE(what_is_streamed_can_be_cut_into_chunks) {
  const CommandLimits limits = streaming_pe();
  const TensorHandle source = in_hbm(0, {16, 16}, DType::f32);
  const TensorHandle out = in_tcm(0x800, {16, 16});
  const auto with = [&](Opcode kind, const TensorHandle& other, ScalarList extras = {}) {
    return only(op(kind, {source, other}, out, std::move(extras)));
  };
  expect_accepted(with(Opcode::add, in_tcm(0x4000, {16, 16})), limits);
  expect_accepted(with(Opcode::mul_bcast, in_hbm(0x4000, {16}, DType::f32), {1}), limits);
  expect_refused(with(Opcode::add, in_tcm(0x4000, {1, 16})), "one value a column", limits);
  expect_refused(with(Opcode::add, transposed(in_tcm(0x4000, {16, 16}))), "has gaps", limits);
  expect_refused(with(Opcode::add, with_strides(in_tcm(0x4000, {16, 16}), {0, 1})), "has gaps", limits);
  expect_refused(with(Opcode::mul_bcast, in_hbm(0x4000, {33}, DType::f32), {1}), "shape [33]", limits);
  expect_refused(only(op(Opcode::band_mask, {source}, out, {0, 0})), "band_mask counts", limits);
  const TensorHandle wide = in_hbm(0, {4, 48}, DType::f32);  // 64 / 48 is no whole number of rows
  expect_refused(only(op(Opcode::rsum, {wide}, in_tcm(0x800, {4}), {-1})), "crosses chunks", limits);
  expect_accepted(only(op(Opcode::rsum, {source}, in_tcm(0x800, {16}), {-1})), limits);
}

BOOST_AUTO_TEST_SUITE_END()
