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
    std::vector<std::vector<float>> inputs;
    for (const TensorHandle& operand : command.operands) inputs.push_back(read(operand));
    write(command.out, compute(command.kind, inputs, command.extras, command.out.elements()));
  }
  void operator()(const OverheadCmd&) {}
  void operator()(const CompositeCmd& command) {
    std::vector<float> accumulator;
    for (std::size_t index = 0; index < command.ops.size(); ++index) {
      const OpSpec& op = command.ops[index];
      std::vector<std::vector<float>> inputs;
      if (op.kind == Opcode::gemm) {
        accumulator = multiply(op.operand("a"), op.operand("b"), gemm_scale_of(op));
      } else {
        for (std::size_t at = 0; at < op.operands.size(); ++at)
          inputs.push_back(op.scope != Scope::kernel && at == 0 ? accumulator : read(op.operands[at]));
        const auto result = compute(op.kind, inputs, op.extras, op.out->elements());
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

  static std::vector<float> compute(Opcode kind, const std::vector<std::vector<float>>& in,
                                    const ScalarList& extras, std::uint64_t elements) {
    std::vector<float> out(elements);
    const auto scalar = [&] { return std::get<float>(extras.at(0)); };
    // One value of `list` for each of `elements`: itself, or the row's.
    const auto spread = [&](const std::vector<float>& list, std::uint64_t index) {
      return list[index * list.size() / elements];
    };
    for (std::uint64_t i = 0; i < elements; ++i) switch (kind) {
        case Opcode::fill:
          out[i] = scalar();
          break;
        case Opcode::copy:
          out[i] = in[0][i];
          break;
        case Opcode::scale:
          out[i] = in[0][i] * scalar();
          break;
        case Opcode::clamp_min:
          out[i] = std::max(in[0][i], scalar());
          break;
        case Opcode::max_elem:
          out[i] = std::max(in[0][i], in[1][i]);
          break;
        case Opcode::add:
          out[i] = in[0][i] + in[1][i];
          break;
        case Opcode::fma:
          out[i] = in[0][i] * in[1][i] + in[2][i];
          break;
        case Opcode::mul_bcast:
          out[i] = in[0][i] * spread(in[1], i);
          break;
        case Opcode::div_bcast:
          out[i] = in[0][i] / spread(in[1], i);
          break;
        case Opcode::exp_diff: {
          const float subtrahend = spread(in[1], i);
          const bool both_masked = std::isinf(in[0][i]) && in[0][i] == subtrahend;
          out[i] = both_masked ? 0.0F : std::exp(in[0][i] - subtrahend);
          break;
        }
        case Opcode::rmax:
        case Opcode::rsum: {
          const std::uint64_t length = in[0].size() / elements;
          const float* row = in[0].data() + i * length;
          out[i] = kind == Opcode::rmax ? -std::numeric_limits<float>::infinity() : 0.0F;
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
