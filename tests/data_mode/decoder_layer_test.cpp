// SPDX-License-Identifier: Apache-2.0
//
// A decoder layer from end to end in data mode, against its formulas in double precision: loops of this file
// alone, from X to Y.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>

#include "petal/host/kernels/decoder_layer.hpp"
#include "support/data_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

struct Sizes {
  std::uint64_t rows = 3, hidden = 40, intermediate = 90, q_heads = 4, kv_heads = 2, head_dim = 12,
                kv_len = 21;

  std::uint64_t q_width() const { return q_heads * head_dim; }
  std::uint64_t kv_width() const { return kv_heads * head_dim; }
};

Values waves(std::uint64_t count, double frequency, double amplitude) {
  Values values(count);
  for (std::uint64_t index = 0; index < count; ++index)
    values[index] = amplitude * std::sin(frequency * static_cast<double>(index + 1));
  return values;
}

/// The layer's inputs; weights are small enough that no softmax is all but one key.
struct LayerValues {
  explicit LayerValues(const Sizes& s)
      : x(waves(s.rows * s.hidden, 0.71, 1.0)),
        attention_norm(waves(s.hidden, 0.37, 1.0)),
        w_q(waves(s.hidden * s.q_width(), 1.13, 0.2)),
        w_k(waves(s.hidden * s.kv_width(), 1.57, 0.2)),
        w_v(waves(s.hidden * s.kv_width(), 2.03, 0.2)),
        k_cache(waves(s.kv_len * s.kv_width(), 0.91, 1.0)),
        v_cache(waves(s.kv_len * s.kv_width(), 1.91, 1.0)),
        w_o(waves(s.q_width() * s.hidden, 0.83, 0.2)),
        mlp_norm(waves(s.hidden, 0.59, 1.0)),
        w_gate(waves(s.hidden * s.intermediate, 1.31, 0.3)),
        w_up(waves(s.hidden * s.intermediate, 1.71, 0.3)),
        w_down(waves(s.intermediate * s.hidden, 2.17, 0.2)) {}

  void round(DType dtype) {
    for (Values* values : {&x, &attention_norm, &w_q, &w_k, &w_v, &k_cache, &v_cache, &w_o, &mlp_norm,
                           &w_gate, &w_up, &w_down})
      *values = rounded(*values, dtype);
  }

  Values x, attention_norm, w_q, w_k, w_v, k_cache, v_cache, w_o, mlp_norm, w_gate, w_up, w_down;
};

Values product(const Values& a, const Values& b, std::uint64_t rows) {
  const std::uint64_t inner = a.size() / rows, columns = b.size() / inner;
  Values c(rows * columns, 0.0);
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t t = 0; t < inner; ++t)
      for (std::uint64_t j = 0; j < columns; ++j) c[i * columns + j] += a[i * inner + t] * b[t * columns + j];
  return c;
}

Values norm(Values x, const Values& weight, std::uint64_t rows) {
  const std::uint64_t columns = x.size() / rows;
  for (std::uint64_t i = 0; i < rows; ++i) {
    double square = 0.0;
    for (std::uint64_t j = 0; j < columns; ++j) square += x[i * columns + j] * x[i * columns + j];
    const double factor = 1.0 / std::sqrt(square / static_cast<double>(columns) + 1e-5);
    for (std::uint64_t j = 0; j < columns; ++j) x[i * columns + j] *= factor * weight[j];
  }
  return x;
}

Values sum(Values a, const Values& b) {
  for (std::size_t index = 0; index < a.size(); ++index) a[index] += b[index];
  return a;
}

Values behind(Values cache, const Values& added) {
  cache.insert(cache.end(), added.begin(), added.end());
  return cache;
}

/// Query row i, head h over keys 0 to kv_len + i.
void attend(const Sizes& s, const double* query, const Values& k, const Values& v, std::uint64_t keys,
            std::uint64_t kv_head, double* out) {
  Values weights(keys);
  for (std::uint64_t key = 0; key < keys; ++key) {
    const double* const row = k.data() + key * s.kv_width() + kv_head * s.head_dim;
    double score = 0.0;
    for (std::uint64_t i = 0; i < s.head_dim; ++i) score += query[i] * row[i];
    weights[key] = std::exp(score / std::sqrt(static_cast<double>(s.head_dim)));
  }
  double total = 0.0;
  for (const double weight : weights) total += weight;
  for (std::uint64_t key = 0; key < keys; ++key)
    for (std::uint64_t i = 0; i < s.head_dim; ++i)
      out[i] += weights[key] / total * v[key * s.kv_width() + kv_head * s.head_dim + i];
}

struct LayerResults {
  Values k, v, a, r, y;
};

LayerResults solve(const Sizes& s, const LayerValues& in) {
  LayerResults out;
  const Values x = norm(in.x, in.attention_norm, s.rows);
  const Values q = product(x, in.w_q, s.rows);
  out.k = behind(in.k_cache, product(x, in.w_k, s.rows));
  out.v = behind(in.v_cache, product(x, in.w_v, s.rows));
  out.a.assign(s.rows * s.q_width(), 0.0);
  for (std::uint64_t row = 0; row < s.rows; ++row)
    for (std::uint64_t head = 0; head < s.q_heads; ++head) {
      const std::uint64_t at = row * s.q_width() + head * s.head_dim;
      attend(s, q.data() + at, out.k, out.v, s.kv_len + row + 1, head / (s.q_heads / s.kv_heads),
             out.a.data() + at);
    }
  out.r = sum(in.x, product(out.a, in.w_o, s.rows));
  const Values n = norm(out.r, in.mlp_norm, s.rows);
  Values f = product(n, in.w_gate, s.rows);
  const Values up = product(n, in.w_up, s.rows);
  for (std::size_t index = 0; index < f.size(); ++index) f[index] *= up[index] / (1.0 + std::exp(-f[index]));
  out.y = sum(out.r, product(f, in.w_down, s.rows));
  return out;
}

struct LayerRun {
  LayerRun(const Sizes& given, DType dtype, std::size_t pes) : s(given), values(given), bench(sharing(pes)) {
    values.round(dtype);
    place(dtype);
    for (const LayerKernel kernel :
         {&layer_qkv, &layer_attention, &layer_output, &layer_gate_up, &layer_down})
      bench.launch([kernel, here = layer](TlContext& tl) { kernel(tl, here); });
  }

  void place(DType dtype) {
    const auto put = [&](std::uint64_t rows, std::uint64_t columns, const Values& list) {
      return bench.put({rows, columns}, dtype, list);
    };
    const auto cache = [&](const Values& cached) {
      return put(s.kv_len + s.rows, s.kv_width(), behind(cached, Values(s.rows * s.kv_width(), -7.0)));
    };
    layer.tokens = s.rows;
    layer.hidden = s.hidden;
    layer.intermediate = s.intermediate;
    layer.q_heads = s.q_heads;
    layer.kv_heads = s.kv_heads;
    layer.head_dim = s.head_dim;
    layer.kv_len = s.kv_len;
    layer.tile = 8;
    layer.dtype = dtype;
    layer.x = put(s.rows, s.hidden, values.x).address;
    layer.attention_norm = put(1, s.hidden, values.attention_norm).address;
    layer.w_q = put(s.hidden, s.q_width(), values.w_q).address;
    layer.w_k = put(s.hidden, s.kv_width(), values.w_k).address;
    layer.w_v = put(s.hidden, s.kv_width(), values.w_v).address;
    k = cache(values.k_cache);
    v = cache(values.v_cache);
    layer.k_cache = k.address;
    layer.v_cache = v.address;
    layer.q = put(s.rows, s.q_width(), {-7.0}).address;
    a = put(s.rows, s.q_width(), {-7.0});
    layer.a = a.address;
    layer.w_o = put(s.q_width(), s.hidden, values.w_o).address;
    r = put(s.rows, s.hidden, {-7.0});
    layer.r = r.address;
    layer.mlp_norm = put(1, s.hidden, values.mlp_norm).address;
    layer.w_gate = put(s.hidden, s.intermediate, values.w_gate).address;
    layer.w_up = put(s.hidden, s.intermediate, values.w_up).address;
    layer.f = put(s.rows, s.intermediate, {-7.0}).address;
    layer.w_down = put(s.intermediate, s.hidden, values.w_down).address;
    y = put(s.rows, s.hidden, {-7.0});
    layer.y = y.address;
  }

  void check(double tolerance, const std::string& what) const {
    const LayerResults expected = solve(s, values);
    require_close(bench.read(k), expected.k, tolerance, what + ", K cache");
    require_close(bench.read(v), expected.v, tolerance, what + ", V cache");
    require_close(bench.read(a), expected.a, tolerance, what + ", A");
    require_close(bench.read(r), expected.r, tolerance, what + ", R");
    require_close(bench.read(y), expected.y, tolerance, what + ", Y");
  }

  Sizes s;
  LayerValues values;
  DataBench bench;
  DecoderLayerArguments layer;
  TensorHandle k, v, a, r, y;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(decoder_layer)

// From X to Y in f32: what the launches hand each other is rounded once each.
BOOST_AUTO_TEST_CASE(a_layer_computes_what_its_formulas_say) {
  Sizes one_token;
  one_token.rows = 1;
  Sizes no_cache;
  no_cache.kv_len = 0;
  LayerRun several({}, DType::f32, 3), one(one_token, DType::f32, 2), none(no_cache, DType::f32, 2);
  simulate();
  several.check(1e-5, "three tokens");
  one.check(1e-5, "one token");
  none.check(1e-5, "an empty cache");
}

// Five tensors lie between X and Y, each rounded to f16: five times the tolerance of one.
BOOST_AUTO_TEST_CASE(a_layer_in_halves_is_near_its_formulas) {
  LayerRun run({}, DType::f16, 3);
  simulate();
  run.check(5 * 2e-3, "f16");
}

// Columns and row blocks are not split within a sum, so the number of PEs changes no bit.
BOOST_AUTO_TEST_CASE(results_do_not_depend_on_the_number_of_pes) {
  LayerRun alone({}, DType::f16, 1), many({}, DType::f16, 7);
  simulate();
  BOOST_TEST((alone.bench.read(alone.y) == many.bench.read(many.y)));
  BOOST_TEST((alone.bench.read(alone.k) == many.bench.read(many.k)));
}

BOOST_AUTO_TEST_SUITE_END()
