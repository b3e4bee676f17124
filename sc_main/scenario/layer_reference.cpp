// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Core>
#include <cmath>

#include "petal/attention/attention_reference.hpp"
#include "petal/scenario/layer_layout.hpp"

namespace petal {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> list_of(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

/// The values of one layer's tensors as matrices.
class LayerMatrices {
 public:
  LayerMatrices(const DecoderLayerArguments& layer, const TensorValues& values)
      : layer_(layer), values_(values) {}

  Matrix rows_of(const char* tensor) const { return matrix(tensor, layer_.tokens); }
  /// A weight: as many rows as its factor has columns.
  Matrix product(const Matrix& left, const char* weights) const {
    return left * matrix(weights, static_cast<std::uint64_t>(left.cols()));
  }
  Matrix norm(const char* tensor, const char* weight) const {
    Matrix x = rows_of(tensor);
    const Matrix factors = matrix(weight, 1);
    for (Eigen::Index row = 0; row < x.rows(); ++row) {
      const double mean = x.row(row).squaredNorm() / static_cast<double>(x.cols());
      x.row(row) =
          x.row(row).cwiseProduct(factors.row(0)) / std::sqrt(mean + static_cast<double>(layer_.norm_eps));
    }
    return x;
  }
  /// The cached rows and the new ones behind them.
  std::vector<double> cache(const char* cached, const char* added) const {
    std::vector<double> all = values_(cached);
    const std::vector<double> behind = values_(added);
    all.insert(all.end(), behind.begin(), behind.end());
    return all;
  }

 private:
  Matrix matrix(const char* tensor, std::uint64_t rows) const {
    const std::vector<double> list = values_(tensor);
    const auto height = static_cast<Eigen::Index>(rows);
    return Eigen::Map<const Matrix>(list.data(), height, static_cast<Eigen::Index>(list.size()) / height);
  }

  const DecoderLayerArguments& layer_;
  const TensorValues& values_;
};

Matrix silu(const Matrix& x) {
  return x.unaryExpr([](double value) { return value / (1.0 + std::exp(-value)); });
}

}  // namespace

std::map<std::string, std::vector<double>> layer_reference(LayerKernel kernel,
                                                           const DecoderLayerArguments& arguments,
                                                           const TensorValues& values) {
  const LayerMatrices layer(arguments, values);
  if (kernel == &layer_qkv) {
    const Matrix x = layer.norm("X", "attention_norm");
    return {{"Q", list_of(layer.product(x, "W_q"))},
            {"K_new", list_of(layer.product(x, "W_k"))},
            {"V_new", list_of(layer.product(x, "W_v"))}};
  }
  if (kernel == &layer_attention) {
    AttentionValues inputs;
    inputs.q = values("Q");
    inputs.k = layer.cache("K_cache", "K_new");
    inputs.v = layer.cache("V_cache", "V_new");
    return {{"A", attention_reference(layer_attention_arguments(arguments).problem, inputs)}};
  }
  if (kernel == &layer_output)
    return {{"R", list_of(layer.rows_of("X") + layer.product(layer.rows_of("A"), "W_o"))}};
  if (kernel == &layer_gate_up) {
    const Matrix r = layer.norm("R", "mlp_norm");
    return {{"F", list_of(silu(layer.product(r, "W_gate")).cwiseProduct(layer.product(r, "W_up")))}};
  }
  return {{"Y", list_of(layer.rows_of("R") + layer.product(layer.rows_of("F"), "W_down"))}};
}

}  // namespace petal
