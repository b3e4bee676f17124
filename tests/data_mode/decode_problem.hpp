// SPDX-License-Identifier: Apache-2.0
//
// A decode attention problem with its numbers, and its solution in double precision straight from the
// definition: softmax(scale * q K^T) V, all keys at once.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "petal/host/kernels/gqa_decode.hpp"
#include "support/data_bench.hpp"

namespace petal::test {

struct DecodeKernel {
  const char* name;
  void (*body)(TlContext&, const GqaDecodeArguments&);
};
inline constexpr DecodeKernel kDecodeKernels[] = {{"opt1", &gqa_decode_opt1},
                                                  {"opt2", &gqa_decode_opt2},
                                                  {"opt3", &gqa_decode_opt3},
                                                  {"three_composites", &gqa_decode_three_composites}};

struct DecodeResult {
  Values o, m, l;
};

struct DecodeProblem {
  DecodeProblem(std::uint64_t q_heads, std::uint64_t kv_heads, std::uint64_t head_dim, std::uint64_t kv_len,
                DType dtype) {
    arguments.q_heads = q_heads;
    arguments.kv_heads = kv_heads;
    arguments.head_dim = head_dim;
    arguments.kv_len = kv_len;
    arguments.dtype = dtype;
    q.assign(q_heads * head_dim, 0.0);
    k.assign(kv_heads * kv_len * head_dim, 0.0);
    v.assign(kv_heads * kv_len * head_dim, 0.0);
  }

  /// Puts the inputs into HBM and gives the results their places.
  void place(HbmImage& image) {
    const Dims cache{arguments.kv_heads, arguments.kv_len, arguments.head_dim};
    const Dims heads{arguments.q_heads, arguments.head_dim};
    arguments.q = image.put(heads, arguments.dtype, q).address;
    arguments.k = image.put(cache, arguments.dtype, k).address;
    arguments.v = image.put(cache, arguments.dtype, v).address;
    place_results(image);
  }
  void place_results(HbmImage& image) {
    arguments.o = image.put({arguments.q_heads, arguments.head_dim}, arguments.out_dtype, {-77.0}).address;
    arguments.m = image.put({arguments.q_heads}, DType::f32, {-77.0}).address;
    arguments.l = image.put({arguments.q_heads}, DType::f32, {-77.0}).address;
  }

  void launch(DataBench& bench, const DecodeKernel& kernel) const {
    bench.launch([body = kernel.body, here = arguments](TlContext& tl) { body(tl, here); });
  }

  DecodeResult read(const DataBench& bench) const {
    const Dims heads{arguments.q_heads};
    return {bench.read(dense_tensor(Space::hbm, arguments.o, {arguments.q_heads, arguments.head_dim},
                                    arguments.out_dtype)),
            bench.read(dense_tensor(Space::hbm, *arguments.m, heads, DType::f32)),
            bench.read(dense_tensor(Space::hbm, *arguments.l, heads, DType::f32))};
  }

  /// From the inputs as they are: round them first.
  DecodeResult solve() const {
    const std::uint64_t d = arguments.head_dim;
    DecodeResult result{Values(arguments.q_heads * d, 0.0), {}, {}};
    for (std::uint64_t head = 0; head < arguments.q_heads; ++head) {
      const std::uint64_t kv_head = head / (arguments.q_heads / arguments.kv_heads);
      solve_head(q.data() + head * d, kv_head * arguments.kv_len * d, result.o.data() + head * d, result);
    }
    return result;
  }

  void round_inputs() {
    q = rounded(q, arguments.dtype);
    k = rounded(k, arguments.dtype);
    v = rounded(v, arguments.dtype);
  }

  GqaDecodeArguments arguments;
  Values q, k, v;

 private:
  void solve_head(const double* query, std::uint64_t cache, double* out, DecodeResult& result) const {
    const std::uint64_t d = arguments.head_dim;
    const double scale =
        arguments.scale ? static_cast<double>(*arguments.scale) : 1.0 / std::sqrt(static_cast<double>(d));
    Values weights;
    double maximum = -std::numeric_limits<double>::infinity();
    for (std::uint64_t key = 0; key < arguments.kv_len; ++key) {
      const double* row = k.data() + cache + key * d;
      double score = 0.0;
      for (std::uint64_t i = 0; i < d; ++i) score += query[i] * row[i];
      weights.push_back(score * scale);
      maximum = std::max(maximum, weights.back());
    }
    double sum = 0.0;
    for (double& weight : weights) sum += weight = std::exp(weight - maximum);
    for (std::uint64_t key = 0; key < arguments.kv_len; ++key) {
      const double* row = v.data() + cache + key * d;
      const double share = weights[key] / sum;
      for (std::uint64_t i = 0; i < d; ++i) out[i] += share * row[i];
    }
    result.m.push_back(maximum);
    result.l.push_back(sum);
  }
};

inline void require_close(const DecodeResult& actual, const DecodeResult& expected, double tolerance,
                          const std::string& what) {
  require_close(actual.o, expected.o, tolerance, what + ", O");
  require_close(actual.m, expected.m, tolerance, what + ", m");
  require_close(actual.l, expected.l, tolerance, what + ", l");
}

}  // namespace petal::test
