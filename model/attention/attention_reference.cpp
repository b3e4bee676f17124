// SPDX-License-Identifier: Apache-2.0
#include "petal/attention/attention_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace petal {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

/// The elements of the vector at [b, head, row] of a tensor of four axes.
class Row {
 public:
  Row(const TensorHandle& tensor, const std::vector<double>& values, std::uint64_t b, std::uint64_t head,
      std::uint64_t row)
      : values_(values),
        first_(b * tensor.strides[0] + head * tensor.strides[1] + row * tensor.strides[2]),
        stride_(tensor.strides[3]) {}

  double operator[](std::uint64_t index) const { return values_.at(first_ + index * stride_); }

 private:
  const std::vector<double>& values_;
  std::uint64_t first_;
  std::uint64_t stride_;
};

class Reference {
 public:
  Reference(const AttentionProblem& problem, const AttentionValues& values) : p_(problem), values_(values) {}

  std::vector<double> run() const {
    std::vector<double> out(p_.y.elements(), 0.0);
    const TensorHandle y = p_.y_at(0);
    for (std::uint64_t b = 0; b < p_.batch; ++b)
      for (std::uint64_t head = 0; head < p_.q_heads; ++head)
        for (std::uint64_t query = 0; query < p_.q_len; ++query) {
          const std::vector<double> row = attend(b, head, query);
          const std::uint64_t first = b * y.strides[0] + head * y.strides[1] + query * y.strides[2];
          std::copy(row.begin(), row.end(), out.begin() + static_cast<std::ptrdiff_t>(first));
        }
    return out;
  }

 private:
  Row key(std::uint64_t b, std::uint64_t kv_head, std::uint64_t j) const {
    return j < p_.past_len ? Row(*p_.past_key, values_.past_key, b, kv_head, j)
                           : Row(p_.k, values_.k, b, kv_head, j - p_.past_len);
  }

  Row value(std::uint64_t b, std::uint64_t kv_head, std::uint64_t j) const {
    return j < p_.past_len ? Row(*p_.past_value, values_.past_value, b, kv_head, j)
                           : Row(p_.v, values_.v, b, kv_head, j - p_.past_len);
  }

  double masked(double score, std::uint64_t b, std::uint64_t head, std::uint64_t query,
                std::uint64_t j) const {
    if (!p_.mask) return score;
    const double mask = Row(*p_.mask, values_.mask, b, head, query)[j];
    if (p_.mask->dtype != DType::boolean) return score + mask;
    if (mask == 0.0) return kMasked;
    return score;
  }

  double score(std::uint64_t b, std::uint64_t head, std::uint64_t query, std::uint64_t j) const {
    const Row q(p_.q, values_.q, b, head, query);
    const Row k = key(b, head / p_.group(), j);
    double sum = 0.0;
    for (std::uint64_t i = 0; i < p_.head_size; ++i) sum += q[i] * k[i];
    sum *= p_.scale;
    if (p_.softcap > 0.0) sum = p_.softcap * std::tanh(sum / p_.softcap);
    return masked(sum, b, head, query, j);
  }

  std::vector<double> attend(std::uint64_t b, std::uint64_t head, std::uint64_t query) const {
    std::vector<double> out(p_.v_head_size, 0.0);
    const KeyInterval keys = p_.keys_of(b, query);
    std::vector<double> scores;
    for (std::uint64_t j = keys.first; j < keys.end; ++j) scores.push_back(score(b, head, query, j));
    double largest = kMasked;
    for (const double entry : scores) largest = std::max(largest, entry);
    if (largest == kMasked) return out;
    double sum = 0.0;
    for (std::uint64_t j = keys.first; j < keys.end; ++j) {
      const double weight = std::exp(scores[j - keys.first] - largest);
      sum += weight;
      if (weight == 0.0) continue;
      const Row v = value(b, head / p_.group(), j);
      for (std::uint64_t i = 0; i < p_.v_head_size; ++i) out[i] += weight * v[i];
    }
    for (double& entry : out) entry /= sum;
    return out;
  }

  const AttentionProblem& p_;
  const AttentionValues& values_;
};

}  // namespace

std::vector<double> attention_reference(const AttentionProblem& problem, const AttentionValues& values) {
  return Reference(problem, values).run();
}

}  // namespace petal
