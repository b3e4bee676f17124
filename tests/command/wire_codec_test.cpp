// SPDX-License-Identifier: Apache-2.0
#include "petal/command/wire_codec.hpp"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <limits>

#include "command_equality.hpp"
#include "petal/command/error.hpp"
#include "random_command.hpp"
#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

namespace {

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
  std::vector<std::byte> bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

/// A table with tensors 0 and 1, as the byte strings below name them.
TensorTable two_tensors() {
  TensorTable table;
  table.append(in_tcm(0, {4}));
  table.append(in_tcm(64, {4}));
  return table;
}

void expect_refused(std::initializer_list<unsigned> bytes, const std::string& reason) {
  const auto says_why = [&reason](const DecodeError& error) {
    BOOST_TEST_INFO(error.what());
    return std::string(error.what()).find(reason) != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(decode(bytes_of(bytes), two_tensors()), DecodeError, says_why);
}

void expect_emit_error(const PeCommand& command, const std::string& reason) {
  TensorTable table;
  BOOST_CHECK_EXCEPTION(encode(command, table), EmitError, [&reason](const EmitError& error) {
    return std::string(error.what()).find(reason) != std::string::npos;
  });
}

CompositeCmd one_op(const OpSpec& only) {
  CompositeCmd composite;
  composite.ops = {only};
  return composite;
}

/// An op of that schema with the first `count` of its scalars.
OpSpec op_with_scalars(const OpcodeSchema& schema, std::size_t count) {
  OpSpec spec;
  spec.kind = schema.opcode;
  spec.operands.assign(schema.operands.size(), in_tcm(64, {4}));
  spec.out = in_tcm(0, {4});
  for (std::size_t index = 0; index < count; ++index) {
    if (schema.extras[index].type == ScalarType::f32)
      spec.extras.emplace_back(2.5F);
    else
      spec.extras.emplace_back(std::int32_t{3});
  }
  return spec;
}

void expect_round_trip(const PeCommand& command) {
  TensorTable table;
  const std::vector<std::byte> bytes = encode(command, table);
  BOOST_TEST(bytes.size() == logical_bytes(command).count(), op_name(command));
  BOOST_TEST(same_command(decode(bytes, table), command), op_name(command));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wire_codec)

BOOST_AUTO_TEST_CASE(an_overhead_is_kind_completion_cycles) {
  TensorTable table;
  OverheadCmd command;
  command.cycles = 20;
  command.completion = 0x0A01020304U;  // the wire keeps 24 bits
  command.data_op = false;
  BOOST_TEST((encode(command, table) == bytes_of({6, 0x04, 0x03, 0x02, 20, 0, 0, 0})));
  command.data_op = true;
  BOOST_TEST((encode(command, table) == bytes_of({0x86, 0x04, 0x03, 0x02, 20, 0, 0, 0})));
}

BOOST_AUTO_TEST_CASE(a_math_command_has_no_markers) {
  TensorTable table = two_tensors();
  MathCmd command;
  command.kind = Opcode::rmax;
  command.completion = 1;
  command.operands = {in_tcm(64, {4})};
  command.out = in_tcm(0, {4});
  command.extras = {-1};
  BOOST_TEST((encode(command, table) == bytes_of({0x84, 1,    0,    0,                // MathCmd, data_op
                                                  4,                                  // rmax
                                                  1,    0,    0,    0,   0, 0, 0, 0,  // src
                                                  0,    0,    0,    0,   0, 0, 0, 0,  // out
                                                  0xFF, 0xFF, 0xFF, 0xFF})));
}

BOOST_AUTO_TEST_CASE(a_composite_is_framing_rw_handles_ops) {
  TensorTable table = two_tensors();
  CompositeCmd command =
      one_op(op(Opcode::exp_diff, {in_tcm(0, {4}), in_tcm(64, {4})}, in_tcm(64, {4}), {0}));
  command.ops.push_back({Opcode::copy, Scope::output_tile, {in_tcm(0, {4})}, {}, std::nullopt});
  command.rw_handles = {in_tcm(64, {4})};
  command.completion = 7;
  BOOST_TEST(
      (encode(command, table) == bytes_of({0x85, 7,    0, 0,                 // framing
                                           1,    1,    0, 0, 0, 0, 0, 0, 0,  // one rw handle
                                           2,                                // two ops
                                           8,    0x80, 2,                    // exp_diff, KERNEL with out
                                           0,    0,    0, 0, 0, 0, 0, 0,     // src_a
                                           1,    0,    0, 0, 0, 0, 0, 0,     // src_b
                                           1,    0,    0, 0, 0, 0, 0, 0,     // out
                                           1,    0,    0, 0, 0,              // bcast_axis 0
                                           3,    2,    1, 0, 0, 0, 0, 0, 0, 0, 0, 0})));  // copy, OUTPUT_TILE
}

BOOST_AUTO_TEST_CASE(decode_gives_back_what_encode_was_given_at_its_logical_bytes) {
  constexpr std::uint32_t kSeed = 20240613;
  constexpr int kCommands = 20000;
  RandomCommands random(kSeed);
  TensorTable table;
  for (int index = 0; index < kCommands; ++index) {
    const PeCommand command = random.command();
    const std::vector<std::byte> bytes = encode(command, table);
    BOOST_TEST_CONTEXT("seed " << kSeed << ", command " << index << ", a " << kind_name(command)) {
      BOOST_REQUIRE_EQUAL(bytes.size(), logical_bytes(command).count());
      BOOST_REQUIRE(same_command(decode(bytes, table), with_wire_completion(command)));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_opcode_comes_back_as_op_and_as_command) {
  for (const OpcodeSchema* schema = begin_of_schemas(); schema != end_of_schemas(); ++schema)
    for (std::size_t count = schema->required_extras; count <= schema->extras.size(); ++count) {
      const OpSpec spec = op_with_scalars(*schema, count);
      expect_round_trip(one_op(spec));
      if (schema->engine != EngineClass::math) continue;
      MathCmd math;
      math.kind = spec.kind;
      math.operands = spec.operands;
      math.extras = spec.extras;
      math.out = *spec.out;
      expect_round_trip(math);
    }
}

BOOST_AUTO_TEST_CASE(a_nan_keeps_its_payload) {
  const std::uint32_t bits = 0x7FC12345U;
  float nan = 0;
  std::memcpy(&nan, &bits, sizeof nan);
  GemmCmd command;
  command.scale = nan;
  TensorTable table;
  BOOST_TEST(same_command(decode(encode(command, table), table), command));
}

BOOST_AUTO_TEST_CASE(sizes_of_32_bits_fit_in_a_gemm_command) {
  GemmCmd command;
  command.m = command.k = command.n = std::numeric_limits<std::uint32_t>::max();
  TensorTable table;
  BOOST_TEST(same_command(decode(encode(command, table), table), command));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_on_the_wire_is_an_emit_error) {
  const TensorHandle t = in_tcm(0, {4});
  CompositeCmd composite;
  composite.ops.assign(256, op(Opcode::copy, {t}, t));
  expect_emit_error(composite, "256 ops");
  composite.ops.resize(255);
  composite.rw_handles.assign(256, t);
  expect_emit_error(composite, "256 rw handles");
  expect_emit_error(one_op(op(Opcode::copy, {t, t}, t)), "copy: has 2 operands");
  expect_emit_error(one_op(op(Opcode::rmax, {t}, t)), "'reduce_axis' must be there");
  expect_emit_error(one_op(op(Opcode::copy, {t}, t, {1})), "copy: has 1 scalars");
  expect_emit_error(one_op(op(Opcode::scale, {t}, t, {1})), "'factor' is an i32");
  expect_emit_error(one_op(op(Opcode::gemm, {t, t}, t, {-1, 1, 1})), "'m' is -1");
  expect_emit_error(one_op(op(static_cast<Opcode>(99), {t}, t)), "opcode 99");
  expect_emit_error(one_op(op(Opcode::copy, {t}, t, {}, static_cast<Scope>(3))), "scope 3");
  MathCmd gemm;
  gemm.kind = Opcode::gemm;
  expect_emit_error(gemm, "MathCmd cannot carry a GEMM");
}

BOOST_AUTO_TEST_CASE(a_full_count_byte_is_no_error) {
  CompositeCmd composite;
  composite.ops.assign(255, op(Opcode::copy, {in_tcm(0, {4})}, in_tcm(64, {4})));
  composite.rw_handles.assign(255, in_tcm(64, {4}));
  TensorTable table;
  BOOST_TEST(same_command(decode(encode(composite, table), table), composite));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_command_are_refused_with_the_reason) {
  expect_refused({}, "ends after 0 bytes");
  expect_refused({0x86, 0, 0}, "the framing");
  expect_refused({0x80, 0, 0, 0, 1, 0, 0, 0}, "command kind 0");
  expect_refused({0x87, 0, 0, 0, 1, 0, 0, 0}, "command kind 7");
  expect_refused({0x86, 0, 0, 0, 1, 0, 0}, "cycles");
  expect_refused({0x86, 0, 0, 0, 1, 0, 0, 0, 9}, "1 bytes follow");
  expect_refused({0x84, 0, 0, 0, 0}, "opcode 0");
  expect_refused({0x84, 0, 0, 0, 1}, "cannot carry opcode gemm");
  expect_refused({0x84, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0, 0}, "tensor index 2");
  expect_refused({0x85, 0, 0, 0, 0, 1, 3, 0x83, 1}, "scope 3");
  expect_refused({0x85, 0, 0, 0, 0, 1, 3, 0x80, 2}, "copy has 2 operands");
  expect_refused({0x85, 0, 0, 0, 0, 1, 250, 0x80, 1}, "opcode 250");
  expect_refused({0x85, 0, 0, 0, 255}, "rw handle");
  expect_refused({0x85, 0, 0, 0, 0, 1, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2}, "rmax has 2 scalars");
  // gemm of tensors 0, 0 without out, three scalars of which the first is -1.
  expect_refused({0x85, 0, 0, 0, 0, 1, 1, 0,    2,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0,
                  0,    0, 0, 0, 0, 0, 3, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 1, 0, 0, 0},
                 "gemm's m is -1");
}

BOOST_AUTO_TEST_CASE(decode_adds_a_references_offset) {
  const auto bytes =
      bytes_of({0x81, 0, 0, 0, 1, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0});
  const PeCommand command = decode(bytes, two_tensors());
  BOOST_TEST(std::get<DmaReadCmd>(command).src.same_tensor(in_tcm(80, {4})));  // 64 + 16
  BOOST_TEST(std::get<DmaReadCmd>(command).nbytes == 16U);
}

BOOST_AUTO_TEST_SUITE_END()
