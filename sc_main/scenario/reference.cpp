// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/reference.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace petal {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMatrix = Eigen::Map<const Matrix>;

Eigen::Index index_of(std::uint64_t size) {
  return static_cast<Eigen::Index>(size);
}

struct Attention {
  Eigen::RowVectorXd out;
  double maximum;
  double sum;
};

/// softmax(scale * q K^T) V for one query.
Attention attend(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v, double scale) {
  if (k.rows() == 0)
    return {Eigen::RowVectorXd::Zero(v.cols()), -std::numeric_limits<double>::infinity(), 0.0};
  const Eigen::VectorXd scores = scale * (k * q.transpose());
  const double maximum = scores.maxCoeff();
  const Eigen::VectorXd weights = (scores.array() - maximum).exp().matrix();
  return {(weights.transpose() * v) / weights.sum(), maximum, weights.sum()};
}

}  // namespace

std::vector<std::vector<double>> decode_reference(const GqaDecodeArguments& arguments,
                                                  const std::vector<double>& q, const std::vector<double>& k,
                                                  const std::vector<double>& v) {
  const std::uint64_t d = arguments.head_dim;
  const double scale =
      arguments.scale ? static_cast<double>(*arguments.scale) : 1.0 / std::sqrt(static_cast<double>(d));
  std::vector<double> o(arguments.q_heads * d);
  std::vector<double> m(arguments.q_heads);
  std::vector<double> l(arguments.q_heads);
  for (std::uint64_t head = 0; head < arguments.q_heads; ++head) {
    const std::uint64_t kv_head = head / (arguments.q_heads / arguments.kv_heads);
    const std::uint64_t first_key = kv_head * arguments.kv_len * d;
    const ConstMatrix keys(k.data() + first_key, index_of(arguments.kv_len), index_of(d));
    const ConstMatrix values(v.data() + first_key, index_of(arguments.kv_len), index_of(d));
    const Attention result = attend(ConstMatrix(q.data() + head * d, 1, index_of(d)), keys, values, scale);
    std::copy(result.out.begin(), result.out.end(), o.begin() + static_cast<std::ptrdiff_t>(head * d));
    m[head] = result.maximum;
    l[head] = result.sum;
  }
  return {o, m, l};
}

std::vector<double> gemm_reference(const GemmArguments& arguments, const std::vector<double>& a,
                                   const std::vector<double>& b) {
  std::vector<double> c(arguments.m * arguments.n);
  const ConstMatrix left(a.data(), index_of(arguments.m), index_of(arguments.k));
  const ConstMatrix right(b.data(), index_of(arguments.k), index_of(arguments.n));
  Eigen::Map<Matrix>(c.data(), index_of(arguments.m), index_of(arguments.n)).noalias() = left * right;
  return c;
}

}  // namespace petal
