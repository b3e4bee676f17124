// SPDX-License-Identifier: Apache-2.0
//
// Which operands a MATH op takes beside its first one.
#include "petal/command/math_rules.hpp"

#include <boost/test/unit_test.hpp>

#include "host/decode_fixture.hpp"

using namespace petal;
using namespace petal::test;

namespace {

TensorHandle in_tcm(const Dims& shape, DType dtype = DType::f32) {
  return dense_tensor(Space::tcm, 0, shape, dtype);
}

/// True if `kind` takes an operand of `shape` and `dtype` beside one of `first`.
bool is_taken(Opcode kind, const Dims& first, const Dims& shape, DType dtype = DType::f32) {
  OperandList operands{in_tcm(first), in_tcm(shape, dtype)};
  if (schema_of(kind).operands.size() == 3) operands.push_back(operands[1]);
  return !find_operand_problem(kind, operands, {}).has_value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(math_rules)

BOOST_AUTO_TEST_CASE(elementwise_ops_take_what_can_be_broadcast_to_the_first_operand) {
  for (const Opcode kind :
       {Opcode::add, Opcode::sub, Opcode::mul, Opcode::div, Opcode::max_elem, Opcode::fma})
    BOOST_TEST_CONTEXT(name_of(kind)) {
      for (const Dims& shape : {Dims{4, 8}, {8}, {1, 8}, {4, 1}, {1, 1}, {1}, {}})
        BOOST_TEST(is_taken(kind, {4, 8}, shape), shape.to_string());
      for (const Dims& shape : {Dims{4}, {8, 4}, {2, 8}, {4, 2}, {8, 1}, {1, 4}, {0}, {1, 4, 8}, {4, 8, 1}})
        BOOST_TEST(!is_taken(kind, {4, 8}, shape), shape.to_string());
    }
}

BOOST_AUTO_TEST_CASE(a_vector_takes_vectors_and_single_values) {
  BOOST_TEST(is_taken(Opcode::add, {4}, {4}));
  BOOST_TEST(is_taken(Opcode::add, {4}, {1}));
  BOOST_TEST(!is_taken(Opcode::add, {4}, {1, 4}));
  BOOST_TEST(!is_taken(Opcode::add, {1}, {4}));
}

BOOST_AUTO_TEST_CASE(only_matrices_and_vectors_have_operands_broadcast) {
  BOOST_TEST(is_taken(Opcode::add, {2, 4, 8}, {2, 4, 8}));
  BOOST_TEST(!is_taken(Opcode::add, {2, 4, 8}, {4, 8}));
}

BOOST_AUTO_TEST_CASE(row_scaling_ops_keep_their_own_rule) {
  BOOST_TEST(is_taken(Opcode::mul_bcast, {4, 8}, {4}));
  BOOST_TEST(is_taken(Opcode::div_bcast, {4, 8}, {4, 1}));
  BOOST_TEST(!is_taken(Opcode::mul_bcast, {4, 8}, {8}));
  BOOST_TEST(!is_taken(Opcode::exp_diff, {4, 8}, {8}));
  BOOST_TEST(is_taken(Opcode::exp_diff, {4, 8}, {4, 8}));
}

BOOST_AUTO_TEST_CASE(the_mask_of_where_is_boolean_or_i8) {
  for (const Dims& shape : {Dims{4, 8}, {8}, {1, 8}, {4, 1}})
    BOOST_TEST(is_taken(Opcode::where, {4, 8}, shape, DType::boolean), shape.to_string());
  BOOST_TEST(is_taken(Opcode::where, {4, 8}, {4, 8}, DType::i8));
  BOOST_TEST(!is_taken(Opcode::where, {4, 8}, {4, 8}, DType::f32));
  BOOST_TEST(!is_taken(Opcode::where, {4, 8}, {4}, DType::boolean));
  BOOST_TEST(!is_taken(Opcode::add, {4, 8}, {4, 8}, DType::boolean));
}

BOOST_AUTO_TEST_CASE(band_mask_is_of_a_matrix) {
  BOOST_TEST(!find_operand_problem(Opcode::band_mask, {in_tcm({4, 8})}, {}).has_value());
  BOOST_TEST(find_operand_problem(Opcode::band_mask, {in_tcm({8})}, {}).has_value());
  BOOST_TEST(find_operand_problem(Opcode::band_mask, {in_tcm({2, 4, 8})}, {}).has_value());
}

BOOST_FIXTURE_TEST_CASE(an_epilogue_takes_a_bias_a_column_and_masks, DecodeFixture) {
  CompositeRequest request = plain_gemm();  // [4, 8]
  const DType boolean = DType::boolean;
  request.epilogue = {CompositeEntry("add", {{"other", tl.zeros({8}, DType::f16)}}),
                      CompositeEntry("add", {{"other", tl.zeros({1, 8})}}),
                      CompositeEntry("mul", {{"other", tl.zeros({4, 1})}}),
                      CompositeEntry("where", {{"mask", tl.empty({1, 8}, boolean)}})};
  request.epilogue.back().scalars = {{"fill", 0.0F}};
  CompositeEntry band("band_mask");
  band.scalars = {{"low", std::int32_t{-2}}, {"high", std::int32_t{0}}};
  request.epilogue.push_back(band);
  BOOST_CHECK_NO_THROW(tl.composite(request));

  request.epilogue = {CompositeEntry("add", {{"other", tl.zeros({4})}})};
  const EmitError refused = emit_error_of(*this, [&] { tl.composite(request); });
  BOOST_TEST(refused.operand() == "other");
  BOOST_TEST(mentions(refused, "[M, 1]"));
  request.epilogue = {CompositeEntry("where", {{"mask", tl.zeros({4, 8})}})};
  request.epilogue.back().scalars = {{"fill", 0.0F}};
  BOOST_TEST(emit_error_of(*this, [&] { tl.composite(request); }).operand() == "mask");
}

// softmax_merge's steps keep their operands from being broadcast into each other.
BOOST_FIXTURE_TEST_CASE(a_recipe_still_refuses_single_values_for_rows, DecodeFixture) {
  for (const char* const name : {"m", "l"}) {
    CompositeRequest request = second_composite();
    for (NamedOperand& operand : request.prologue[0].operands)
      if (operand.name == name) operand.handle = tl.zeros({1});
    BOOST_TEST(emit_error_of(*this, [&] { tl.composite(request); }).operand() == name);
  }
}

BOOST_AUTO_TEST_CASE(band_mask_is_not_streamed) {
  TlOptions options;
  options.math_head_streaming = true;
  Bench streaming(options);
  CompositeRequest request;
  request.op = "math";
  request.math_op = "band_mask";
  request.math_scalars = {{"low", std::int32_t{0}}, {"high", std::int32_t{0}}};
  request.a = streaming.tl.ref(0, {64, 64}, DType::f32);
  const EmitError refused = emit_error_of(streaming, [&] { streaming.tl.composite(request); });
  BOOST_TEST(refused.operand() == "a");
  BOOST_TEST(mentions(refused, "load()"));
}

// Chunks of a streamed head are cut along rows: one value a row or one in all goes with them, one a column
// not.
BOOST_AUTO_TEST_CASE(a_value_a_column_is_not_streamed_along) {
  TlOptions options;
  options.math_head_streaming = true;
  Bench streaming(options);
  CompositeRequest request;
  request.op = "math";
  request.math_op = "add";
  request.a = streaming.tl.ref(0, {64, 32}, DType::f32);
  for (const Dims& shape : {Dims{64, 1}, {1}, {1, 1}}) {
    request.b = streaming.tl.zeros(shape);
    BOOST_CHECK_NO_THROW(streaming.tl.composite(request));
  }
  for (const Dims& shape : {Dims{32}, {1, 32}}) {
    request.b = streaming.tl.zeros(shape);
    const EmitError refused = emit_error_of(streaming, [&] { streaming.tl.composite(request); });
    BOOST_TEST(refused.operand() == "b");
    BOOST_TEST(mentions(refused, "load()"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
