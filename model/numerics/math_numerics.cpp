// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/math_numerics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace petal {
namespace {

constexpr std::size_t kMaxOperands = 3;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// An operand as a matrix of the work's shape; a step of 0 repeats it.
struct OperandView {
  const float* values = nullptr;
  std::uint64_t row_step = 0;
  std::uint64_t column_step = 0;

  const float* row(std::uint64_t index) const { return values + index * row_step; }
};

struct MathWork {
  const OpSpec& op;
  std::array<OperandView, kMaxOperands> operands;
  MathShape shape;
  Tile& result;
};

OperandView view_of(const Tile& tile, MathShape shape) {
  const bool one_row = tile.rows() == 1 && shape.rows != 1;
  const bool one_column = tile.columns() == 1 && shape.columns != 1;
  return {tile.f32(), one_row ? 0 : tile.columns(), one_column ? std::uint64_t{0} : 1};
}

float scalar(const OpSpec& op, std::string_view name) {
  const ScalarValue* const value = op.extra(name);
  const float* const number = value == nullptr ? nullptr : std::get_if<float>(value);
  if (number == nullptr)
    throw std::invalid_argument(
        fmt::format("{} has no f32 scalar '{}'; give it one", name_of(op.kind), name));
  return *number;
}

std::int64_t integer(const OpSpec& op, std::string_view name) {
  const ScalarValue* const value = op.extra(name);
  const std::int32_t* const number = value == nullptr ? nullptr : std::get_if<std::int32_t>(value);
  if (number == nullptr)
    throw std::invalid_argument(
        fmt::format("{} has no i32 scalar '{}'; give it one", name_of(op.kind), name));
  return *number;
}

float maximum(float a, float b) {
  return a >= b || std::isnan(a) ? a : b;
}

/// Evaluates in double what f32 would round on the way.
template <typename Function>
auto in_double(Function function) {
  return [function](float value) { return static_cast<float>(function(static_cast<double>(value))); };
}

double gelu(double x) {
  constexpr double kSqrtHalf = 0.70710678118654752440;
  return std::isinf(x) && x < 0 ? 0.0 : 0.5 * x * std::erfc(-x * kSqrtHalf);
}

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

double silu(double x) {
  return std::isinf(x) && x < 0 ? 0.0 : x / (1.0 + std::exp(-x));
}

float exp_of(float value) {
  return static_cast<float>(std::exp(static_cast<double>(value)));
}

float exp_diff(float a, float b) {
  return a == -kInfinity && b == -kInfinity ? 0.0F : exp_of(a - b);
}

template <typename Function>
void for_each_row(const MathWork& work, Function function) {
  work.result.resize(work.shape.rows, work.shape.columns);
  for (std::uint64_t row = 0; row < work.shape.rows; ++row)
    function(row, work.result.f32() + row * work.shape.columns);
}

template <typename Function>
void map_one(const MathWork& work, Function function) {
  const OperandView& a = work.operands[0];
  for_each_row(work, [&](std::uint64_t row, float* out) {
    const float* const from = a.row(row);
    for (std::uint64_t column = 0; column < work.shape.columns; ++column)
      out[column] = function(from[column * a.column_step]);
  });
}

template <typename Function>
void map_two(const MathWork& work, Function function) {
  const OperandView& a = work.operands[0];
  const OperandView& b = work.operands[1];
  for_each_row(work, [&](std::uint64_t row, float* out) {
    const float* const from_a = a.row(row);
    const float* const from_b = b.row(row);
    for (std::uint64_t column = 0; column < work.shape.columns; ++column)
      out[column] = function(from_a[column * a.column_step], from_b[column * b.column_step]);
  });
}

void multiply_add(const MathWork& work) {
  const OperandView& a = work.operands[0];
  const OperandView& b = work.operands[1];
  const OperandView& c = work.operands[2];
  for_each_row(work, [&](std::uint64_t row, float* out) {
    for (std::uint64_t column = 0; column < work.shape.columns; ++column)
      out[column] = a.row(row)[column * a.column_step] * b.row(row)[column * b.column_step] +
                    c.row(row)[column * c.column_step];
  });
}

template <typename Function>
void reduce(const MathWork& work, float start, Function function) {
  const OperandView& a = work.operands[0];
  work.result.resize(work.shape.rows, 1);
  for (std::uint64_t row = 0; row < work.shape.rows; ++row) {
    float reduced = start;
    for (std::uint64_t column = 0; column < work.shape.columns; ++column)
      reduced = function(reduced, a.row(row)[column * a.column_step]);
    work.result.f32()[row] = reduced;
  }
}

void soften(const MathWork& work) {
  const auto cap = static_cast<double>(scalar(work.op, "cap"));
  map_one(work, in_double([cap](double value) { return cap * std::tanh(value / cap); }));
}

void mask_outside_band(const MathWork& work) {
  const std::int64_t low = integer(work.op, "low");
  const std::int64_t high = integer(work.op, "high");
  const OperandView& a = work.operands[0];
  for_each_row(work, [&](std::uint64_t row, float* out) {
    const auto distance_of_first = static_cast<std::int64_t>(work.shape.first_column) -
                                   static_cast<std::int64_t>(work.shape.first_row + row);
    for (std::uint64_t column = 0; column < work.shape.columns; ++column) {
      const std::int64_t distance = distance_of_first + static_cast<std::int64_t>(column);
      const bool is_inside = low <= distance && distance <= high;
      out[column] = is_inside ? a.row(row)[column * a.column_step] : -kInfinity;
    }
  });
}

void apply_without_operand(const MathWork& work) {
  const float value = scalar(work.op, "value");
  for_each_row(work, [&](std::uint64_t, float* out) { std::fill_n(out, work.shape.columns, value); });
}

void apply_activation(const MathWork& work) {
  switch (work.op.kind) {
    case Opcode::exp:
      return map_one(work, exp_of);
    case Opcode::gelu:
      return map_one(work, in_double(gelu));
    case Opcode::tanh:
      return map_one(work, in_double([](double value) { return std::tanh(value); }));
    case Opcode::rsqrt:
      return map_one(work, in_double([](double value) { return 1.0 / std::sqrt(value); }));
    case Opcode::sigmoid:
      return map_one(work, in_double(sigmoid));
    case Opcode::softcap:
      return soften(work);
    default:
      return map_one(work, in_double(silu));
  }
}

void apply_to_one(const MathWork& work) {
  switch (work.op.kind) {
    case Opcode::copy:
      return map_one(work, [](float value) { return value; });
    case Opcode::rmax:
      return reduce(work, -kInfinity, maximum);
    case Opcode::rsum:
      return reduce(work, 0.0F, [](float sum, float value) { return sum + value; });
    case Opcode::scale:
      return map_one(work, [factor = scalar(work.op, "factor")](float value) { return value * factor; });
    case Opcode::clamp_min:
      return map_one(work, [floor = scalar(work.op, "floor")](float value) { return maximum(value, floor); });
    case Opcode::neg:
      return map_one(work, [](float value) { return -value; });
    case Opcode::relu:
      return map_one(work, [](float value) { return maximum(value, 0.0F); });
    case Opcode::band_mask:
      return mask_outside_band(work);
    default:
      return apply_activation(work);
  }
}

void apply_to_two(const MathWork& work) {
  switch (work.op.kind) {
    case Opcode::max_elem:
      return map_two(work, maximum);
    case Opcode::exp_diff:
      return map_two(work, exp_diff);
    case Opcode::add:
      return map_two(work, [](float a, float b) { return a + b; });
    case Opcode::sub:
      return map_two(work, [](float a, float b) { return a - b; });
    case Opcode::mul:
    case Opcode::mul_bcast:
      return map_two(work, [](float a, float b) { return a * b; });
    case Opcode::where:
      return map_two(work, [fill = scalar(work.op, "fill")](float value, float mask) {
        return mask != 0.0F ? value : fill;
      });
    default:
      return map_two(work, [](float a, float b) { return a / b; });
  }
}

void apply_by_operand_count(const MathWork& work, std::size_t count) {
  switch (count) {
    case 0:
      return apply_without_operand(work);
    case 1:
      return apply_to_one(work);
    case 2:
      return apply_to_two(work);
    default:
      return multiply_add(work);
  }
}

void require_fit(const OpSpec& op, const std::vector<const Tile*>& operands, MathShape shape) {
  const OpcodeSchema& schema = schema_of(op.kind);
  if (schema.engine != EngineClass::math)
    throw std::invalid_argument(fmt::format("{} is no MATH op", schema.name));
  if (operands.size() != schema.operands.size())
    throw std::invalid_argument(
        fmt::format("{} takes {} operands, not {}", schema.name, schema.operands.size(), operands.size()));
  const auto fits = [](std::uint64_t size, std::uint64_t wanted) { return size == wanted || size == 1; };
  for (std::size_t index = 0; index < operands.size(); ++index)
    if (!fits(operands[index]->rows(), shape.rows) || !fits(operands[index]->columns(), shape.columns))
      throw std::invalid_argument(fmt::format("{}: '{}' of [{}, {}] does not fit [{}, {}]", schema.name,
                                              schema.operands[index], operands[index]->rows(),
                                              operands[index]->columns(), shape.rows, shape.columns));
}

bool copies_integers(const OpSpec& op, const std::vector<const Tile*>& operands, MathShape shape) {
  return op.kind == Opcode::copy && operands[0]->element() == TileElement::i32 &&
         operands[0]->rows() == shape.rows && operands[0]->columns() == shape.columns;
}

/// True if writing `result` row by row would spoil an operand before it is read: one that has another shape.
bool spoils_an_operand(const std::vector<const Tile*>& operands, MathShape shape, const Tile& result) {
  return std::any_of(operands.begin(), operands.end(), [&](const Tile* operand) {
    return operand == &result && (operand->rows() != shape.rows || operand->columns() != shape.columns);
  });
}

}  // namespace

void apply_math(const OpSpec& op, const std::vector<const Tile*>& operands, MathShape shape, Tile& result) {
  require_fit(op, operands, shape);
  if (copies_integers(op, operands, shape)) {
    if (operands[0] != &result) result = *operands[0];
    return;
  }
  if (spoils_an_operand(operands, shape, result)) {
    Tile apart;
    apply_math(op, operands, shape, apart);
    result = std::move(apart);
    return;
  }
  MathWork work{op, {}, shape, result};
  std::array<std::optional<Tile>, kMaxOperands> converted;
  for (std::size_t index = 0; index < operands.size(); ++index) {
    const Tile* operand = operands[index];
    if (operand->element() == TileElement::i32) {
      converted[index] = *operand;
      converted[index]->convert_to_f32();
      operand = &*converted[index];
    }
    work.operands[index] = view_of(*operand, shape);
  }
  apply_by_operand_count(work, operands.size());
}

}  // namespace petal
