// SPDX-License-Identifier: Apache-2.0
#include "petal/command/opcode.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "petal/command/dtype.hpp"
#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

BOOST_AUTO_TEST_SUITE(opcode)

BOOST_AUTO_TEST_CASE(every_schema_is_found_by_its_byte_and_by_its_name) {
  std::set<std::string_view> names;
  for (const OpcodeSchema* schema = begin_of_schemas(); schema != end_of_schemas(); ++schema) {
    BOOST_TEST(find_schema(static_cast<std::uint8_t>(schema->opcode)) == schema);
    BOOST_TEST(find_schema(schema->name) == schema);
    BOOST_TEST(&schema_of(schema->opcode) == schema);
    BOOST_TEST(names.insert(schema->name).second, "doubled name " << schema->name);
    BOOST_TEST(schema->required_extras <= schema->extras.size());
  }
  BOOST_TEST(name_of(Opcode::silu) == "silu");
  BOOST_TEST(&schema_of(Opcode::where) + 1 == end_of_schemas());
}

BOOST_AUTO_TEST_CASE(bytes_and_names_outside_the_table_are_not_found) {
  const auto count = static_cast<unsigned>(end_of_schemas() - begin_of_schemas());
  BOOST_TEST(!find_schema(std::uint8_t{0}));
  BOOST_TEST(!find_schema(static_cast<std::uint8_t>(count + 1)));
  BOOST_TEST(!find_schema(std::uint8_t{255}));
  BOOST_TEST(!find_schema("softmax_merge"));
}

BOOST_AUTO_TEST_CASE(optional_scalars_are_told_apart_by_number_alone) {
  for (const OpcodeSchema* schema = begin_of_schemas(); schema != end_of_schemas(); ++schema)
    for (std::size_t index = schema->required_extras; index < schema->extras.size(); ++index) {
      // A MathCmd's length tells how many there are only if each takes the same bytes.
      const ScalarType type = schema->extras[index].type;
      BOOST_TEST((type == ScalarType::i32 || type == ScalarType::f32), schema->name);
    }
}

BOOST_AUTO_TEST_CASE(operands_and_scalars_are_found_by_their_names) {
  const TensorHandle a = in_tcm(0, {2, 3});
  const TensorHandle b = in_tcm(64, {3, 5});
  const OpSpec gemm = op(Opcode::gemm, {a, b}, in_tcm(128, {2, 5}), {2, 3, 5});
  BOOST_TEST(gemm.operand("b").same_tensor(b));
  BOOST_TEST(std::get<std::int32_t>(*gemm.extra("k")) == 3);
  BOOST_TEST(!gemm.extra("scale"));
  BOOST_CHECK_THROW(gemm.operand("other"), std::out_of_range);
  BOOST_TEST(gemm_shape_of(gemm).n == 5U);
  BOOST_TEST(gemm_scale_of(gemm) == 1.0F);
  BOOST_TEST(gemm_scale_of(op(Opcode::gemm, {a, b}, a, {2, 3, 5, 0.5F})) == 0.5F);
}

BOOST_AUTO_TEST_CASE(only_e_to_the_x_division_and_root_like_opcodes_are_slow) {
  const std::set<Opcode> slow = {Opcode::exp,  Opcode::exp_diff, Opcode::div_bcast, Opcode::div,
                                 Opcode::gelu, Opcode::tanh,     Opcode::rsqrt,     Opcode::sigmoid,
                                 Opcode::silu, Opcode::softcap};
  for (const OpcodeSchema* schema = begin_of_schemas(); schema != end_of_schemas(); ++schema)
    BOOST_TEST((schema->cost == MathCost::slow) == (slow.count(schema->opcode) == 1), schema->name);
}

BOOST_AUTO_TEST_CASE(dtypes_have_their_sizes_and_names) {
  BOOST_TEST(size_of(DType::f32) == 4U);
  BOOST_TEST(size_of(DType::i32) == 4U);
  BOOST_TEST(size_of(DType::f16) == 2U);
  BOOST_TEST(size_of(DType::bf16) == 2U);
  BOOST_TEST(size_of(DType::i8) == 1U);
  BOOST_TEST(size_of(DType::boolean) == 1U);
  for (const DType dtype : kAllDTypes) BOOST_TEST((dtype_named(name_of(dtype)) == dtype));
  BOOST_TEST(!dtype_named("f64"));
  BOOST_TEST((is_floating(DType::f8e4m3) && !is_floating(DType::i8) && !is_floating(DType::boolean)));
}

BOOST_AUTO_TEST_SUITE_END()
