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

struct DecodeValues {
  const std::vector<double>& q;
  const std::vector<double>& k;
  const std::vector<double>& v;
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

/// Query head `head` against keys [first, end) of its KV head.
Attention attend_to(const GqaDecodeArguments& arguments, const DecodeValues& values, std::uint64_t head,
                    std::uint64_t first, std::uint64_t end) {
  const std::uint64_t d = arguments.head_dim;
  const double scale =
      arguments.scale ? static_cast<double>(*arguments.scale) : 1.0 / std::sqrt(static_cast<double>(d));
  const std::uint64_t kv_head = head / (arguments.q_heads / arguments.kv_heads);
  const std::uint64_t offset = (kv_head * arguments.kv_len + first) * d;
  const ConstMatrix query(values.q.data() + head * d, 1, index_of(d));
  const ConstMatrix keys(values.k.data() + offset, index_of(end - first), index_of(d));
  const ConstMatrix rows(values.v.data() + offset, index_of(end - first), index_of(d));
  return attend(query, keys, rows, scale);
}

/// First key of part `part`: parts are whole tiles, the first ones with one more if they are not even.
std::uint64_t first_key_of(const GqaSplitArguments& arguments, std::uint64_t part) {
  const std::uint64_t tile = arguments.decode.tile;
  const std::uint64_t tiles = (arguments.decode.kv_len + tile - 1) / tile;
  const std::uint64_t tiles_before =
      part * (tiles / arguments.splits) + std::min(part, tiles % arguments.splits);
  return std::min(tiles_before * tile, arguments.decode.kv_len);
}

}  // namespace

std::vector<std::vector<double>> decode_reference(const GqaDecodeArguments& arguments,
                                                  const std::vector<double>& q, const std::vector<double>& k,
                                                  const std::vector<double>& v) {
  std::vector<double> o;
  std::vector<double> m;
  std::vector<double> l;
  for (std::uint64_t head = 0; head < arguments.q_heads; ++head) {
    const Attention result = attend_to(arguments, {q, k, v}, head, 0, arguments.kv_len);
    o.insert(o.end(), result.out.begin(), result.out.end());
    m.push_back(result.maximum);
    l.push_back(result.sum);
  }
  return {o, m, l};
}

SplitStates split_reference(const GqaSplitArguments& arguments, const std::vector<double>& q,
                            const std::vector<double>& k, const std::vector<double>& v) {
  SplitStates states;
  for (std::uint64_t part = 0; part < arguments.splits; ++part)
    for (std::uint64_t head = 0; head < arguments.decode.q_heads; ++head) {
      const Attention result = attend_to(arguments.decode, {q, k, v}, head, first_key_of(arguments, part),
                                         first_key_of(arguments, part + 1));
      states.m.push_back(result.maximum);
      states.l.push_back(result.sum);
      for (const double value : result.out) states.o.push_back(value * result.sum);
    }
  return states;
}

std::vector<std::vector<double>> combine_reference(const GqaSplitArguments& arguments,
                                                   const SplitStates& states) {
  const std::uint64_t heads = arguments.decode.q_heads;
  const std::uint64_t d = arguments.decode.head_dim;
  std::vector<double> o(heads * d);
  std::vector<double> m(heads, -std::numeric_limits<double>::infinity());
  std::vector<double> l(heads);
  for (std::uint64_t row = 0; row < states.m.size(); ++row)
    m[row % heads] = std::max(m[row % heads], states.m[row]);
  for (std::uint64_t row = 0; row < states.m.size(); ++row) {
    const std::uint64_t head = row % heads;
    // A part without keys has no weight, whatever the maximum is.
    const double weight = std::isinf(states.m[row]) ? 0.0 : std::exp(states.m[row] - m[head]);
    l[head] += weight * states.l[row];
    for (std::uint64_t column = 0; column < d; ++column)
      o[head * d + column] += weight * states.o[row * d + column];
  }
  for (std::uint64_t index = 0; index < o.size(); ++index)
    o[index] = l[index / d] == 0.0 ? 0.0 : o[index] / l[index / d];
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
