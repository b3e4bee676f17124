// SPDX-License-Identifier: Apache-2.0
//
// What the driver writes for a command is, byte for byte, what encode() gives, cut as the host compiler cuts.
#include <boost/test/unit_test.hpp>

#include "../command/command_equality.hpp"
#include "../command/random_command.hpp"
#include "../command/sample_commands.hpp"
#include "driver_bench.hpp"
#include "petal/command/error.hpp"
#include "petal/command/wire_codec.hpp"
#include "petal/host/segmentation.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Builds `command` as the first one of a bench of its own and compares the only entry's bytes.
void expect_same_bytes(PeCommand command, std::size_t bytes) {
  DriverBench bench;
  bench.init();
  BOOST_TEST_CONTEXT(kind_name(command) << " " << op_name(command)) {
    BOOST_REQUIRE(bench.build(command) == PETAL_DONE);
    framing_of(command).completion = 1;
    BOOST_TEST((bench.command_bytes(0) == encode(command, bench.table)));
    BOOST_TEST(bench.command_bytes(0).size() == bytes);
    const RingEntry entry = bench.entry(0).entry;
    BOOST_TEST(entry.first);
    BOOST_TEST(entry.last);
    BOOST_TEST(entry.completion == 1U);
  }
}

OpSpec op_of(const OpcodeSchema& schema, std::size_t scalars) {
  OpSpec op;
  op.kind = schema.opcode;
  for (std::size_t index = 0; index < schema.operands.size(); ++index)
    op.operands.push_back(in_tcm(64 * index, {4}));
  for (std::size_t index = 0; index < scalars; ++index) {
    if (schema.extras[index].type == ScalarType::f32)
      op.extras.emplace_back(-2.5F);
    else
      op.extras.emplace_back(std::int32_t{7});
  }
  op.out = in_tcm(0x400, {4});
  return op;
}

/// The lengths of the entries that hold `command`, which is the first, once the device has taken it whole.
std::vector<std::uint64_t> lengths_in_ring(DriverBench& bench, const PeCommand& command) {
  std::vector<std::uint64_t> lengths;
  while (!bench.assembler().complete()) {
    lengths.push_back(bench.entry(static_cast<std::uint32_t>(lengths.size())).entry.length);
    bench.fetch();
  }
  PeCommand expected = command;
  framing_of(expected).completion = 1;
  BOOST_TEST(same_command(*bench.assemble().slices[0].command, expected));
  return lengths;
}

BenchSizes with_cap(std::uint32_t cap) {
  BenchSizes sizes;
  sizes.cap = cap;
  sizes.ring_slots = 300;
  return sizes;
}

/// Ops of any kind, each with an out; those right behind the first GEMM may be its tile ops.
CompositeCmd random_composite(RandomCommands& random) {
  for (;;) {
    PeCommand command = random.command();
    auto* const composite = std::get_if<CompositeCmd>(&command);
    if (composite == nullptr) continue;
    const std::size_t gemm = gemm_index(composite->ops).value_or(composite->ops.size());
    for (std::size_t index = 0; index < composite->ops.size(); ++index) {
      OpSpec& op = composite->ops[index];
      if (!op.out) op.out = in_tcm(0, {4});
      const bool may_be_tile_op =
          index > gemm && (index == gemm + 1 || composite->ops[index - 1].scope != Scope::kernel);
      if (!may_be_tile_op) op.scope = Scope::kernel;
    }
    return *composite;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(driver_bytes)

BOOST_AUTO_TEST_CASE(every_kind_of_command) {
  const std::size_t sizes[] = {24, 24, 40, 25, 322, 8};  // SPEC 1.1
  const std::vector<PeCommand> kinds = one_of_each_kind();
  for (std::size_t index = 0; index < kinds.size(); ++index) expect_same_bytes(kinds[index], sizes[index]);
}

BOOST_AUTO_TEST_CASE(gemm_commands_with_and_without_a_factor) {
  auto gemm = std::get<GemmCmd>(one_of_each_kind()[2]);
  gemm.scale = 0.088388F;
  expect_same_bytes(gemm, 44);
  gemm.data_op = false;
  expect_same_bytes(gemm, 44);
}

BOOST_AUTO_TEST_CASE(every_opcode_alone_and_in_a_composite) {
  for (const OpcodeSchema* schema = begin_of_schemas(); schema != end_of_schemas(); ++schema)
    for (std::size_t scalars = schema->required_extras; scalars <= schema->extras.size(); ++scalars) {
      const OpSpec op = op_of(*schema, scalars);
      CompositeCmd composite;
      composite.ops = {op};
      expect_same_bytes(composite, 6 + 4 + 8 * (schema->operands.size() + 1) + 4 * scalars);
      if (schema->engine != EngineClass::math) continue;
      MathCmd math;
      math.kind = op.kind;
      math.operands = op.operands;
      math.extras = op.extras;
      math.out = *op.out;
      expect_same_bytes(math, 5 + 8 * (schema->operands.size() + 1) + 4 * scalars);
    }
}

BOOST_AUTO_TEST_CASE(opcodes_have_the_numbers_and_counts_of_their_schemas) {
  BOOST_TEST(PETAL_OPCODES == static_cast<std::size_t>(end_of_schemas() - begin_of_schemas()));
  const std::pair<petal_opcode, const char*> names[] = {{PETAL_OP_GEMM, "gemm"},
                                                        {PETAL_OP_FILL, "fill"},
                                                        {PETAL_OP_COPY, "copy"},
                                                        {PETAL_OP_RMAX, "rmax"},
                                                        {PETAL_OP_RSUM, "rsum"},
                                                        {PETAL_OP_MAX_ELEM, "max_elem"},
                                                        {PETAL_OP_EXP, "exp"},
                                                        {PETAL_OP_EXP_DIFF, "exp_diff"},
                                                        {PETAL_OP_FMA, "fma"},
                                                        {PETAL_OP_MUL_BCAST, "mul_bcast"},
                                                        {PETAL_OP_DIV_BCAST, "div_bcast"},
                                                        {PETAL_OP_ADD, "add"},
                                                        {PETAL_OP_SUB, "sub"},
                                                        {PETAL_OP_MUL, "mul"},
                                                        {PETAL_OP_DIV, "div"},
                                                        {PETAL_OP_SCALE, "scale"},
                                                        {PETAL_OP_CLAMP_MIN, "clamp_min"},
                                                        {PETAL_OP_NEG, "neg"},
                                                        {PETAL_OP_RELU, "relu"},
                                                        {PETAL_OP_GELU, "gelu"},
                                                        {PETAL_OP_TANH, "tanh"},
                                                        {PETAL_OP_RSQRT, "rsqrt"},
                                                        {PETAL_OP_SIGMOID, "sigmoid"},
                                                        {PETAL_OP_SILU, "silu"},
                                                        {PETAL_OP_SOFTCAP, "softcap"},
                                                        {PETAL_OP_BAND_MASK, "band_mask"},
                                                        {PETAL_OP_WHERE, "where"}};
  BOOST_TEST(std::size(names) == PETAL_OPCODES);
  for (const auto& [opcode, name] : names) {
    const OpcodeSchema* const schema = find_schema(static_cast<std::uint8_t>(opcode));
    BOOST_REQUIRE(schema != nullptr);
    BOOST_TEST(schema->name == name);
    std::uint32_t operands = 99;
    std::uint32_t least = 99;
    std::uint32_t most = 99;
    BOOST_TEST(petal_counts_of(opcode, &operands, &least, &most));
    BOOST_TEST(operands == schema->operands.size());
    BOOST_TEST(least == schema->required_extras);
    BOOST_TEST(most == schema->extras.size());
  }
  std::uint32_t ignored = 0;
  BOOST_TEST(!petal_counts_of(0, &ignored, &ignored, &ignored));
  BOOST_TEST(!petal_counts_of(28, &ignored, &ignored, &ignored));
}

// SPEC 9: the two composites of opt2.
BOOST_AUTO_TEST_CASE(the_composites_of_decode_have_58_and_322_bytes) {
  expect_same_bytes(scores_composite(true), 58);
  expect_same_bytes(scores_composite(false), 54);
  expect_same_bytes(merge_values_composite(), 322);
}

BOOST_AUTO_TEST_CASE(softmax_merge_is_the_recipe_of_the_compiler) {
  CompositeCmd merge;
  merge.ops = merge_ops();
  DriverBench bench;
  bench.init();
  BOOST_REQUIRE(bench.build(merge) == PETAL_DONE);  // enters the tensors; s m_loc m m_new corr P l_loc l O
  petal_softmax_merge tensors{};
  tensors.s = 0;
  tensors.m_loc = 1;
  tensors.m = 2;
  tensors.m_new = 3;
  tensors.corr = 4;
  tensors.p = 5;
  tensors.l_loc = 6;
  tensors.l = 7;
  tensors.o = 8;
  petal_composite(&bench.device, nullptr, 0, PETAL_SOFTMAX_MERGE_OPS);
  petal_op_softmax_merge(&bench.device, &tensors);
  BOOST_REQUIRE(petal_submit(&bench.device, nullptr) == PETAL_DONE);
  std::vector<std::byte> expected = bench.command_bytes(0);
  expected[1] = std::byte{2};  // the completion id
  BOOST_TEST((bench.command_bytes(1) == expected));
}

BOOST_AUTO_TEST_CASE(a_gemm_op_by_its_sizes_is_the_op_by_its_scalars) {
  DriverBench bench;
  bench.init();
  const CompositeCmd scores = scores_composite(true);
  BOOST_REQUIRE(bench.build(scores) == PETAL_DONE);  // S 0, Q 1, K 2
  const petal_ref s = 0;
  const float scale = std::get<float>(scores.ops[0].extras[3]);
  petal_composite(&bench.device, &s, 1, 1);
  petal_op_gemm(&bench.device, 1, 2, 0, kHeads, kHeadDim, kKeys, &scale);
  BOOST_REQUIRE(petal_submit(&bench.device, nullptr) == PETAL_DONE);
  std::vector<std::byte> expected = bench.command_bytes(0);
  expected[1] = std::byte{2};
  BOOST_TEST((bench.command_bytes(1) == expected));
}

// SPEC 2.1: 30 + 24 | 28 + 28 | 32 + 24 | 36 + 32 | 20 | 68.
BOOST_AUTO_TEST_CASE(a_cap_of_68_cuts_the_composite_in_six) {
  DriverBench bench(with_cap(68));
  bench.init();
  std::uint32_t id = 0;
  BOOST_REQUIRE(bench.build(merge_values_composite(), &id) == PETAL_DONE);
  BOOST_TEST(id == 6U);  // the last slice's
  BOOST_TEST((lengths_in_ring(bench, merge_values_composite()) ==
              std::vector<std::uint64_t>{54, 56, 56, 68, 20, 68}));
}

BOOST_AUTO_TEST_CASE(a_slot_may_be_smaller_than_the_cap) {
  BenchSizes sizes = with_cap(1024);
  sizes.slot_bytes = 96;  // 80 bytes for the command
  DriverBench bench(sizes);
  bench.init();
  BOOST_REQUIRE(bench.build(merge_values_composite()) == PETAL_DONE);
  for (const std::uint64_t length : lengths_in_ring(bench, merge_values_composite()))
    BOOST_TEST(length <= 80U);
}

BOOST_AUTO_TEST_CASE(any_cap_cuts_where_the_compiler_cuts) {
  for (std::uint32_t cap = 40; cap <= 330; ++cap) BOOST_TEST_CONTEXT("cap " << cap) {
      DriverBench bench(with_cap(cap));
      bench.init();
      const petal_result result = bench.build(merge_values_composite());
      BOOST_REQUIRE(result == (cap < 68 ? PETAL_TOO_LARGE : PETAL_DONE));
      if (cap < 68) continue;
      std::vector<std::uint64_t> expected;
      for (const CompositeSegment& segment : segment_composite(merge_values_composite(), Bytes(cap)))
        expected.push_back(segment.logical_bytes.count());
      BOOST_TEST((lengths_in_ring(bench, merge_values_composite()) == expected));
    }
}

// Ops of any kind and order: where the compiler finds a cut, so does the driver.
BOOST_AUTO_TEST_CASE(random_composites_are_cut_alike_or_refused_alike) {
  constexpr std::uint32_t kSeed = 20261206;
  RandomCommands random(kSeed);
  std::size_t cut = 0;
  for (int round = 0; round < 400; ++round) {
    const CompositeCmd composite = random_composite(random);
    const auto cap = static_cast<std::uint32_t>(40 + random.below(200));
    DriverBench bench(with_cap(cap));
    bench.init();
    const petal_result result = bench.build(composite);
    BOOST_TEST_CONTEXT("seed " << kSeed << ", round " << round) {
      std::vector<Bytes> lengths;
      try {
        for (const CompositeSegment& segment : segment_composite(composite, Bytes(cap)))
          lengths.push_back(segment.logical_bytes);
      } catch (const EmitError&) {
        BOOST_REQUIRE(result == PETAL_TOO_LARGE);
        continue;
      }
      BOOST_REQUIRE(result == PETAL_DONE);
      cut += lengths.size() > 1 ? 1 : 0;
      for (std::size_t index = 0; index < lengths.size(); ++index)
        BOOST_REQUIRE(bench.entry(static_cast<std::uint32_t>(index)).entry.length == lengths[index].count());
    }
  }
  BOOST_TEST(cut > 50U);
}

BOOST_AUTO_TEST_CASE(an_offset_is_the_upper_half_of_a_reference) {
  DriverBench bench;
  bench.init();
  const std::uint64_t shape[] = {4, 8};
  petal_ref ref = 0;
  BOOST_REQUIRE(petal_tensor(&bench.device, 0x100, PETAL_DTYPE_F32, PETAL_SPACE_TCM, 2, shape, nullptr,
                             &ref) == PETAL_DONE);
  const petal_ref behind = petal_behind(petal_behind(ref, 0x40), 0x40);
  BOOST_REQUIRE(petal_math(&bench.device, PETAL_OP_NEG, &behind, ref, nullptr, 0, nullptr) == PETAL_DONE);
  bench.fetch();
  const AssembledCommand assembled = bench.assemble();
  const auto& command = std::get<MathCmd>(*assembled.slices[0].command);
  BOOST_TEST(command.operands[0].same_tensor(in_tcm(0x180, {4, 8})));
  BOOST_TEST(command.out.same_tensor(in_tcm(0x100, {4, 8})));
}

BOOST_AUTO_TEST_SUITE_END()
