// SPDX-License-Identifier: Apache-2.0
//
// Executes commands in the order they were issued, one whole command after the other, on f32 values. It knows
// nothing of engines or time: what a kernel must compute if every hazard is honoured.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "petal/command/command_sink.hpp"

namespace petal::test {

class ReferenceMachine final : public CommandSink {
 public:
  void issue(const IssueRequest& request) override {
    if (request.slice.segment == 0) std::visit(*this, *request.slice.command);
  }
  void wait(const std::vector<CompletionId>&) override {}
  void overhead(const OverheadCmd&) override {}

  std::vector<float> read(const TensorHandle& tensor) const {
    std::vector<float> values;
    for_each_address(tensor, [&](std::uint64_t address) {
      values.push_back(cells_.at({tensor.space, address}));
    });
    return values;
  }
  void write(const TensorHandle& tensor, const std::vector<float>& values) {
    std::size_t index = 0;
    for_each_address(tensor, [&](std::uint64_t address) {
      cells_[{tensor.space, address}] = values.at(index++);
    });
  }

  void operator()(const DmaReadCmd& command) { write(command.dst, read(command.src)); }
  void operator()(const DmaWriteCmd& command) { write(command.dst, read(command.src)); }
  void operator()(const GemmCmd& command) {
    write(command.out, multiply(command.a, command.b, command.scale.value_or(1.0F)));
  }
  void operator()(const MathCmd& command) {
    std::vector<Values> inputs;
    for (const TensorHandle& operand : command.operands) inputs.push_back(values_of(operand));
    write(command.out, compute(command.kind, inputs, command.extras, command.out.shape));
  }
  void operator()(const OverheadCmd&) {}
  void operator()(const CompositeCmd& command) {
    std::vector<float> accumulator;
    for (std::size_t index = 0; index < command.ops.size(); ++index) {
      const OpSpec& op = command.ops[index];
      if (op.kind == Opcode::gemm) {
        accumulator = multiply(op.operand("a"), op.operand("b"), gemm_scale_of(op));
      } else {
        std::vector<Values> inputs;
        for (const TensorHandle& operand : op.operands)
          inputs.push_back(op.scope != Scope::kernel && inputs.empty() ? Values{accumulator, operand.shape}
                                                                       : values_of(operand));
        const auto result = compute(op.kind, inputs, op.extras, op.out->shape);
        if (op.scope == Scope::kernel) {
          write(*op.out, result);
          continue;
        }
        accumulator = result;
      }
      const bool is_last_on_tiles =
          index + 1 == command.ops.size() || command.ops[index + 1].scope == Scope::kernel;
      if (is_last_on_tiles) write(*op.out, accumulator);
    }
  }

 private:
  struct Values {
    std::vector<float> list;
    Dims shape;
  };

  Values values_of(const TensorHandle& tensor) const { return {read(tensor), tensor.shape}; }

  template <typename Visit>
  static void for_each_address(const TensorHandle& tensor, const Visit& visit) {
    const std::size_t rank = tensor.shape.rank();
    for (std::uint64_t flat = 0; flat < tensor.elements(); ++flat) {
      std::uint64_t rest = flat, offset = 0;
      for (std::size_t axis = rank; axis-- > 0;) {
        offset += rest % tensor.shape[axis] * tensor.strides[axis];
        rest /= tensor.shape[axis];
      }
      visit(tensor.address + offset * size_of(tensor.dtype));
    }
  }

  std::vector<float> multiply(const TensorHandle& a, const TensorHandle& b, float scale) const {
    const std::vector<float> left = read(a), right = read(b);
    const std::uint64_t m = a.shape[0], k = a.shape[1], n = b.shape[1];
    std::vector<float> out(m * n, 0.0F);
    for (std::uint64_t i = 0; i < m; ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        for (std::uint64_t t = 0; t < k; ++t) out[i * n + j] += left[i * k + t] * right[t * n + j];
        out[i * n + j] *= scale;
      }
    return out;
  }

  static std::uint64_t columns_of(const Dims& shape) { return shape.rank() == 0 ? 1 : shape.back(); }

  /// Where in a broadcast operand the value for [row, column] of the work lies.
  static std::uint64_t index_in(const Dims& shape, std::uint64_t row, std::uint64_t column) {
    const std::uint64_t columns = columns_of(shape);
    const std::uint64_t rows = columns == 0 ? 0 : shape.product() / columns;
    return (rows == 1 ? 0 : row * columns) + (columns == 1 ? 0 : column);
  }

  static bool is_inside(std::uint64_t row, std::uint64_t column, std::int32_t low, std::int32_t high) {
    const auto distance = static_cast<std::int64_t>(column) - static_cast<std::int64_t>(row);
    return low <= distance && distance <= high;
  }

  static std::vector<float> compute(Opcode kind, const std::vector<Values>& in, const ScalarList& extras,
                                    const Dims& shape) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::uint64_t elements = shape.product(), columns = columns_of(shape);
    std::vector<float> out(elements);
    const auto scalar = [&] { return std::get<float>(extras.at(0)); };
    const auto integer = [&](std::size_t index) { return std::get<std::int32_t>(extras.at(index)); };
    // An operand's value for element i: its own, or the one that is broadcast there.
    const auto value = [&](std::size_t operand, std::uint64_t i) {
      return in[operand].list.at(index_in(in[operand].shape, i / columns, i % columns));
    };
    // One value a row: of [G] beside [G, N].
    const auto row_value = [&](std::uint64_t i) {
      return in[1].list.at(in[1].shape == shape ? i : i / columns);
    };
    for (std::uint64_t i = 0; i < elements; ++i) switch (kind) {
        case Opcode::fill:
          out[i] = scalar();
          break;
        case Opcode::copy:
          out[i] = value(0, i);
          break;
        case Opcode::scale:
          out[i] = value(0, i) * scalar();
          break;
        case Opcode::clamp_min:
          out[i] = std::max(value(0, i), scalar());
          break;
        case Opcode::max_elem:
          out[i] = std::max(value(0, i), value(1, i));
          break;
        case Opcode::add:
          out[i] = value(0, i) + value(1, i);
          break;
        case Opcode::fma:
          out[i] = value(0, i) * value(1, i) + value(2, i);
          break;
        case Opcode::mul_bcast:
          out[i] = value(0, i) * row_value(i);
          break;
        case Opcode::div_bcast:
          out[i] = value(0, i) / row_value(i);
          break;
        case Opcode::exp_diff: {
          const float subtrahend = row_value(i);
          const bool both_masked = value(0, i) == -kInfinity && subtrahend == -kInfinity;
          out[i] = both_masked ? 0.0F : std::exp(value(0, i) - subtrahend);
          break;
        }
        case Opcode::softcap:
          out[i] = scalar() * std::tanh(value(0, i) / scalar());
          break;
        case Opcode::band_mask:
          out[i] = is_inside(i / columns, i % columns, integer(0), integer(1)) ? value(0, i) : -kInfinity;
          break;
        case Opcode::where:
          out[i] = value(1, i) != 0.0F ? value(0, i) : scalar();
          break;
        case Opcode::rmax:
        case Opcode::rsum: {
          const std::uint64_t length = in[0].list.size() / elements;
          const float* row = in[0].list.data() + i * length;
          out[i] = kind == Opcode::rmax ? -kInfinity : 0.0F;
          for (std::uint64_t j = 0; j < length; ++j)
            out[i] = kind == Opcode::rmax ? std::max(out[i], row[j]) : out[i] + row[j];
          break;
        }
        default:
          throw std::logic_error("the reference machine does not know this opcode");
      }
    return out;
  }

  std::map<std::pair<Space, std::uint64_t>, float> cells_;
};

}  // namespace petal::test
