// SPDX-License-Identifier: Apache-2.0
#include "petal/host/composite_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "petal/command/error.hpp"
#include "petal/command/math_rules.hpp"
#include "petal/host/composite_checks.hpp"
#include "petal/host/gemm_rules.hpp"
#include "petal/host/math_lowering.hpp"
#include "petal/host/recipe_expansion.hpp"
#include "petal/host/tensor_checks.hpp"

namespace petal {
namespace {

constexpr std::string_view kOp = "composite";
constexpr std::string_view kLoadIt = "load() it first";

[[noreturn]] void refuse(std::string_view operand, const std::string& problem, const std::string& remedy) {
  throw EmitError(std::string(kOp), std::string(operand), problem, remedy);
}

bool is_input_scope(const std::optional<Scope>& scope) {
  return !scope || *scope == Scope::kernel;
}

}  // namespace

CompositeBuilder::CompositeBuilder(const CompositeRequest& request, const TlOptions& options,
                                   const RecipeTable& recipes, ScratchArena& arena,
                                   RecipeScratch& recipe_scratch)
    : request_(request),
      options_(options),
      recipes_(recipes),
      arena_(arena),
      recipe_scratch_(recipe_scratch) {}

BuiltComposite CompositeBuilder::build() {
  constexpr std::size_t kUsualOps = 12;  // softmax_merge, a GEMM, some tile ops
  check_request();
  command_.ops.reserve(kUsualOps);
  lower_prologue();
  if (has_gemm()) {
    lower_gemm();
  } else if (has_head()) {
    lower_math_head();
  } else {
    take_prologue_result();
  }
  lower_epilogue();
  collect_rw_handles();
  check_counts();
  forget_bookkeeping();
  return {std::move(command_), result_};
}

void CompositeBuilder::check_request() const {
  check_head_fields(request_);
  if (request_.out && request_.out_ptr) refuse("out_ptr", "is given beside out", "give one of the two");
  if (request_.out && request_.out_dtype)
    refuse("out_dtype", "is given beside out, which has a dtype of its own", "leave it off");
}

void CompositeBuilder::lower_prologue() {
  for (const CompositeEntry& entry : request_.prologue) {
    if (!is_input_scope(entry.scope))
      refuse("prologue",
             fmt::format("{} has scope {}, but an op before the head runs once", entry.op,
                         name_of(*entry.scope)),
             "give it KERNEL scope or move it to the epilogue");
    if (const RecipeDescriptor* recipe = recipes_.find(entry.op)) {
      lower_prologue_recipe(*recipe, entry);
    } else {
      lower_kernel_op(entry, std::nullopt, std::nullopt, "prologue");
    }
  }
}

void CompositeBuilder::lower_prologue_recipe(const RecipeDescriptor& recipe, const CompositeEntry& entry) {
  if (recipe.tile_alignment != TileAlignment::single_shot)
    refuse("prologue", fmt::format("recipe {} is tile_aligned: it works on output tiles", recipe.name),
           "move it to the epilogue");
  if (recipe.primary_out && primary_out_)
    refuse("prologue", fmt::format("recipes {} and {} both have a primary out", primary_recipe_, recipe.name),
           "use one of them in each composite");
  RecipeExpansion expansion(recipe, entry, arena_);
  std::optional<TensorHandle> placed;
  if (recipe.primary_out) placed = place_primary_out(expansion.primary_out_like());
  expansion.expand_once(recipe_scratch_, placed, command_.ops);
  for (const TensorHandle& handle : expansion.written_operands()) recipe_writes_.push_back(handle);
  if (!recipe.primary_out) return;
  primary_out_ = expansion.primary_out();
  primary_recipe_ = recipe.name;
}

std::optional<TensorHandle> CompositeBuilder::place_primary_out(const TensorHandle& like) {
  if (has_head()) return std::nullopt;
  // The result outlives the composite, so it may not lie in a slot that the recipe's next use takes again.
  if (!request_.out) return arena_.allocate(kOp, like.shape, like.dtype);
  require_in_tcm(kOp, "out", *request_.out, arena_, "leave out off and store() the result");
  require_writable(kOp, "out", *request_.out);
  return request_.out;
}

void CompositeBuilder::lower_kernel_op(const CompositeEntry& entry, const std::optional<TensorHandle>& first,
                                       const std::optional<TensorHandle>& default_out,
                                       const std::string& position) {
  const OpcodeSchema& schema = math_schema_named(entry.op, position);
  const OperandNames names = operand_names(schema);
  OpSpec op;
  op.kind = schema.opcode;
  op.operands = operands_in_order(schema, entry.operands, first);
  op.extras = scalars_in_order(schema, entry.scalars);
  for (std::size_t index = 0; index < op.operands.size(); ++index)
    require_in_tcm(kOp, names[index], op.operands[index], arena_, kLoadIt);
  check_math_operands(op, names);
  op.out = entry.out ? entry.out : default_out;
  if (!op.out && op.operands.empty())
    refuse("out", fmt::format("{} has no operand to take a shape from", schema.name), "give it an out");
  if (!op.out)
    op.out = arena_.allocate(kOp, math_result_shape(op.kind, op.operands), op.operands.front().dtype);
  require_in_tcm(kOp, "out", *op.out, arena_, "write to scratch and store() it");
  require_writable(kOp, "out", *op.out);
  check_math_out(op, names);
  command_.ops.push_back(std::move(op));
}

TensorHandle CompositeBuilder::bound_a() const {
  if (request_.a && primary_out_)
    refuse("a", fmt::format("is given, but the primary out of recipe {} takes its place", primary_recipe_),
           "leave a off, or leave the recipe out");
  if (!request_.a && !primary_out_)
    refuse("a", "is not given", "give a, or a prologue recipe with a primary out");
  return request_.a ? *request_.a : *primary_out_;
}

TensorHandle CompositeBuilder::resolve_out(const Dims& shape, DType default_dtype) {
  if (request_.out) {
    require_valid(kOp, "out", *request_.out, arena_);
    require_writable(kOp, "out", *request_.out);
    return *request_.out;
  }
  const DType dtype = request_.out_dtype.value_or(default_dtype);
  if (request_.out_ptr) return checked_ref(kOp, *request_.out_ptr, shape, dtype, {});
  return arena_.allocate(kOp, shape, dtype);
}

void CompositeBuilder::lower_gemm() {
  const TensorHandle a = bound_a();
  if (!request_.b) refuse("b", "is not given", "give the GEMM's second matrix");
  const TensorHandle& b = *request_.b;
  require_valid(kOp, "a", a, arena_);
  require_valid(kOp, "b", b, arena_);
  const GemmShape shape = checked_gemm_shape(kOp, a, b);
  require_streamable(kOp, "a", a);
  require_streamable(kOp, "b", b);
  result_ = resolve_out({shape.m, shape.n}, default_gemm_dtype(a));
  check_gemm_out(kOp, a, b, result_);

  OpSpec op;
  op.kind = Opcode::gemm;
  op.operands = {a, b};
  op.extras = gemm_extras(kOp, a, shape, request_.scale);
  op.out = result_;
  command_.ops.push_back(std::move(op));
}

OperandList CompositeBuilder::math_head_operands(const OpcodeSchema& schema) const {
  const std::optional<TensorHandle> given[] = {std::nullopt, request_.b, request_.c};
  OperandList operands;
  if (schema.operands.size() > 0) operands.push_back(bound_a());
  for (std::size_t index = 1; index < schema.operands.size(); ++index) {
    if (!given[index])
      refuse(kMathHeadNames[index], fmt::format("{} needs it and it is not given", schema.name),
             fmt::format("give {} operands", schema.operands.size()));
    operands.push_back(*given[index]);
  }
  const bool is_given[] = {request_.a.has_value(), request_.b.has_value(), request_.c.has_value()};
  for (std::size_t index = schema.operands.size(); index < std::size(is_given); ++index)
    if (is_given[index])
      refuse(kMathHeadNames[index], fmt::format("{} has {} operands", schema.name, schema.operands.size()),
             "leave it off");
  return operands;
}

void CompositeBuilder::lower_math_head() {
  const OpcodeSchema& schema = math_schema_named(request_.math_op, "math_op");
  OperandNames names(kMathHeadNames, kMathHeadNames + schema.operands.size());
  names.emplace_back("out");
  OpSpec op;
  op.kind = schema.opcode;
  op.operands = math_head_operands(schema);
  op.extras = scalars_in_order(schema, request_.math_scalars);
  for (std::size_t index = 0; index < op.operands.size(); ++index)
    require_valid(kOp, names[index], op.operands[index], arena_);
  if (op.operands.empty() && !request_.out)
    refuse("out", fmt::format("{} has no operand to take a shape from", schema.name), "give it an out");
  check_math_operands(op, names);
  result_ = op.operands.empty()
                ? resolve_out({}, DType::f32)
                : resolve_out(math_result_shape(op.kind, op.operands), op.operands.front().dtype);
  op.out = result_;
  check_math_out(op, names);
  check_math_head_streaming(op, names, options_);
  command_.ops.push_back(std::move(op));
}

void CompositeBuilder::take_prologue_result() {
  if (command_.ops.empty()) refuse("math_op", "there is no op at all", "give a math_op or a prologue");
  if (primary_out_) {
    result_ = *primary_out_;
    return;
  }
  if (request_.out)
    refuse("out", "no op of this composite has a result to put there",
           "give the prologue op an out, or a math_op");
  result_ = *command_.ops.back().out;
}

void CompositeBuilder::collect_rw_handles() {
  recipe_writes_.push_back(result_);
  for (const TensorHandle& handle : recipe_writes_) {
    const bool listed = std::any_of(command_.rw_handles.begin(), command_.rw_handles.end(),
                                    [&](const TensorHandle& other) { return other.same_tensor(handle); });
    if (!listed) command_.rw_handles.push_back(handle);
  }
}

void CompositeBuilder::check_counts() const {
  constexpr std::size_t kMaxCount = 255;
  if (command_.ops.size() > kMaxCount)
    refuse("",
           fmt::format("it has {} ops, but a composite's op count is one byte (at most {})",
                       command_.ops.size(), kMaxCount),
           "issue several composites");
  if (command_.rw_handles.size() > kMaxCount)
    refuse("",
           fmt::format("it has {} rw_handles, but their count is one byte (at most {})",
                       command_.rw_handles.size(), kMaxCount),
           "issue several composites");
}

void CompositeBuilder::forget_bookkeeping() {
  const auto forget = [](TensorHandle& handle) {
    handle.lease = 0;
    handle.pending = kNoCompletion;
  };
  for (OpSpec& op : command_.ops) {
    std::for_each(op.operands.begin(), op.operands.end(), forget);
    if (op.out) forget(*op.out);
  }
  std::for_each(command_.rw_handles.begin(), command_.rw_handles.end(), forget);
}

}  // namespace petal
