// SPDX-License-Identifier: Apache-2.0
#include "petal/host/recipe_table.hpp"

#include <boost/test/unit_test.hpp>

#include "host/recording_sink.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Halves its operand in place.
RecipeDescriptor halve() {
  RecipeDescriptor recipe;
  recipe.name = "halve";
  recipe.operands = {{"x", Access::read_write}};
  recipe.engine_seq = {{Opcode::scale, {"x"}, "x", {0.5F}}};
  return recipe;
}

std::string refusal_of(const RecipeDescriptor& recipe) {
  RecipeTable table = RecipeTable::standard();
  try {
    table.add(recipe);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(recipe_table)

BOOST_AUTO_TEST_CASE(softmax_merge_is_built_in) {
  const RecipeTable table = RecipeTable::standard();
  const RecipeDescriptor* recipe = table.find("softmax_merge");
  BOOST_REQUIRE(recipe != nullptr);
  BOOST_TEST((recipe->tile_alignment == TileAlignment::single_shot));
  BOOST_TEST(recipe->engine_seq.size() == 8U);
  BOOST_TEST(recipe->operands.size() == 4U);
  BOOST_TEST((recipe->operands[0].access == Access::read));
  BOOST_TEST(table.find("flash_pv_merge") == nullptr);
}

// bpe * (m_loc G + m_new G + corr G + P G*TILE + l_loc G) with bpe 4, G 4, TILE 64: 4 * (16 + 256) = 1088.
// With s in f16 only P is halved: 4 * 16 + 2 * 256 = 576.
BOOST_AUTO_TEST_CASE(internal_scratch_of_softmax_merge) {
  const RecipeTable table = RecipeTable::standard();
  const auto bytes = [&](DType scores) {
    const auto tensor = [](const Dims& shape, DType dtype) {
      return dense_tensor(Space::tcm, 0, shape, dtype);
    };
    return table.find("softmax_merge")
        ->internal_scratch_bytes({tensor({4, 64}, scores), tensor({4}, DType::f32), tensor({4}, DType::f32),
                                  tensor({4, 128}, DType::f32)})
        .count();
  };
  BOOST_TEST(bytes(DType::f32) == 1088U);
  BOOST_TEST(bytes(DType::f16) == 576U);
}

BOOST_AUTO_TEST_CASE(a_well_formed_recipe_is_accepted) {
  BOOST_TEST(refusal_of(halve()) == "accepted");
}

BOOST_AUTO_TEST_CASE(names_must_be_new) {
  RecipeDescriptor recipe = halve();
  recipe.name = "softmax_merge";
  BOOST_TEST(contains(refusal_of(recipe), "exists"));
  recipe.name = "add";
  BOOST_TEST(contains(refusal_of(recipe), "opcode"));
}

BOOST_AUTO_TEST_CASE(steps_must_make_sense) {
  RecipeDescriptor recipe = halve();
  recipe.engine_seq[0].sources = {"y"};
  BOOST_TEST(contains(refusal_of(recipe), "'y'"));
  recipe = halve();
  recipe.engine_seq[0].dst = "y";
  BOOST_TEST(contains(refusal_of(recipe), "'y'"));
  recipe = halve();
  recipe.engine_seq[0].extras.clear();
  BOOST_TEST(contains(refusal_of(recipe), "scale"));
  recipe = halve();
  recipe.operands[0].access = Access::read;
  BOOST_TEST(contains(refusal_of(recipe), "read-only"));
  recipe = halve();
  recipe.engine_seq.clear();
  BOOST_TEST(contains(refusal_of(recipe), "no steps"));
  recipe = halve();
  recipe.engine_seq[0] = {Opcode::gemm, {"x", "x"}, "x", {std::int32_t{1}, std::int32_t{1}, std::int32_t{1}}};
  BOOST_TEST(contains(refusal_of(recipe), "gemm"));
}

BOOST_AUTO_TEST_CASE(scalars_of_steps_must_be_known) {
  RecipeDescriptor recipe = halve();
  recipe.engine_seq[0].extras = {ParameterValue{"share"}};
  BOOST_TEST(contains(refusal_of(recipe), "'share'"));
  recipe.parameters = {{"share", 0.5F}};
  BOOST_TEST(refusal_of(recipe) == "accepted");
  recipe.parameters.push_back({"share", 0.25F});
  BOOST_TEST(contains(refusal_of(recipe), "'share' is used twice"));
  recipe = halve();
  recipe.engine_seq[0].extras = {ReciprocalOfColumns{"x"}};
  BOOST_TEST(refusal_of(recipe) == "accepted");
  recipe.engine_seq[0].extras = {ReciprocalOfColumns{"y"}};
  BOOST_TEST(contains(refusal_of(recipe), "'y'"));
  // A parameter is a float, a reduce_axis is not.
  recipe = halve();
  recipe.parameters = {{"axis", 0.0F}};
  recipe.temporaries = {{"sum", "x", "x", RecipeAxes::one_a_row}};
  recipe.engine_seq = {{Opcode::rsum, {"x"}, "sum", {ParameterValue{"axis"}}}};
  BOOST_TEST(contains(refusal_of(recipe), "rsum"));
}

BOOST_AUTO_TEST_CASE(tensors_must_be_like_operands) {
  RecipeDescriptor recipe = halve();
  recipe.temporaries = {{"t", "y", DType::f32}};
  BOOST_TEST(contains(refusal_of(recipe), "'y'"));
  recipe.temporaries = {{"t", "x", "y"}};
  BOOST_TEST(contains(refusal_of(recipe), "'y'"));
  recipe.temporaries = {{"t", "x", DType::f32}};
  BOOST_TEST(refusal_of(recipe) == "accepted");
}

BOOST_AUTO_TEST_CASE(only_the_identity_transform_exists) {
  RecipeDescriptor recipe = halve();
  recipe.primary_out = PrimaryOutSpec{{"P", "x", "x"}, "transpose"};
  BOOST_TEST(contains(refusal_of(recipe), "transpose"));
}

BOOST_AUTO_TEST_CASE(tile_aligned_recipes_work_in_place_on_the_accumulator) {
  RecipeDescriptor recipe = halve();
  recipe.tile_alignment = TileAlignment::tile_aligned;
  BOOST_TEST(contains(refusal_of(recipe), "only read"));
  recipe.operands.clear();
  BOOST_TEST(contains(refusal_of(recipe), "'x'"));
  recipe.engine_seq = {{Opcode::scale, {"acc"}, "acc", {0.5F}}};
  BOOST_TEST(refusal_of(recipe) == "accepted");
  recipe.engine_seq = {{Opcode::rsum, {"acc"}, "acc", {std::int32_t{-1}}}};
  BOOST_TEST(contains(refusal_of(recipe), "in place"));
}

BOOST_AUTO_TEST_SUITE_END()
