// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/gemm_numerics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

// What is to be compiled for several instruction sets has to be inlined into the functions that are.
#define PETAL_INLINE __attribute__((always_inline)) inline

namespace petal {
namespace {

constexpr std::size_t kBlockRows = 4;

/// Neighbouring columns, added and multiplied element by element.
template <typename T, std::size_t kBytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(kBytes)));  // NOLINT(modernize-use-using): `using` drops the size
};

/// Row-major operands of one multiplication. T is float, or uint32_t for i32: unsigned numbers wrap by
/// definition.
template <typename T>
struct Operands {
  const T* a;
  const T* b;
  T* accumulator;
  std::size_t k;
  std::size_t n;
};

/// Elements of T in a V, which may be a T.
template <typename V, typename T>
constexpr std::size_t lanes_of() {
  if constexpr (std::is_same_v<V, T>)
    return 1;
  else
    return sizeof(V) / sizeof(T);
}

/// A block of rows by columns of the accumulator, held in registers while k runs. V is a vector, or T itself
/// for a single column.
template <typename T, typename V, std::size_t kRows, std::size_t kVectors>
PETAL_INLINE void multiply_block(const Operands<T>& operands, std::size_t row, std::size_t column) {
  constexpr std::size_t kLanes = lanes_of<V, T>();
  T* const corner = operands.accumulator + row * operands.n + column;
  const T* const a = operands.a + row * operands.k;
  V sums[kRows][kVectors];
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t j = 0; j < kVectors; ++j)
      std::memcpy(&sums[i][j], corner + i * operands.n + j * kLanes, sizeof(V));
  for (std::size_t k = 0; k < operands.k; ++k) {
    V b[kVectors];
    for (std::size_t j = 0; j < kVectors; ++j)
      std::memcpy(&b[j], operands.b + k * operands.n + column + j * kLanes, sizeof(V));
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::size_t j = 0; j < kVectors; ++j) sums[i][j] += a[i * operands.k + k] * b[j];
  }
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t j = 0; j < kVectors; ++j)
      std::memcpy(corner + i * operands.n + j * kLanes, &sums[i][j], sizeof(V));
}

template <typename T, std::size_t kBytes, std::size_t kRows>
PETAL_INLINE void multiply_rows(const Operands<T>& operands, std::size_t row) {
  using Vector = typename VectorOf<T, kBytes>::type;
  constexpr std::size_t kLanes = kBytes / sizeof(T);
  std::size_t column = 0;
  for (; column + 2 * kLanes <= operands.n; column += 2 * kLanes)
    multiply_block<T, Vector, kRows, 2>(operands, row, column);
  for (; column + kLanes <= operands.n; column += kLanes)
    multiply_block<T, Vector, kRows, 1>(operands, row, column);
  for (; column < operands.n; ++column) multiply_block<T, T, kRows, 1>(operands, row, column);
}

template <std::size_t kBytes, typename T>
PETAL_INLINE void multiply(const Operands<T>& operands, std::size_t m) {
  std::size_t row = 0;
  for (; row + kBlockRows <= m; row += kBlockRows) multiply_rows<T, kBytes, kBlockRows>(operands, row);
  for (; row < m; ++row) multiply_rows<T, kBytes, 1>(operands, row);
}

// A wider instruction set takes more columns at a time and changes no result: no fused operation is used.
#if defined(__x86_64__)
__attribute__((target("avx2"))) void multiply_by_avx2(const Operands<float>& operands, std::size_t m) {
  multiply<32>(operands, m);
}
__attribute__((target("avx2"))) void multiply_by_avx2(const Operands<std::uint32_t>& operands,
                                                      std::size_t m) {
  multiply<32>(operands, m);
}
#endif

template <typename T>
void multiply_on_host(const Operands<T>& operands, std::size_t m) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return multiply_by_avx2(operands, m);
#endif
  multiply<16>(operands, m);
}

void require_fit(const Tile& a, const Tile& b, const Tile& accumulator) {
  if (a.columns() != b.rows() || accumulator.rows() != a.rows() || accumulator.columns() != b.columns())
    throw std::invalid_argument(
        fmt::format("gemm: [{}, {}] * [{}, {}] does not fit an accumulator of [{}, {}]", a.rows(),
                    a.columns(), b.rows(), b.columns(), accumulator.rows(), accumulator.columns()));
  if (a.element() != b.element() || a.element() != accumulator.element())
    throw std::invalid_argument("gemm: operands and accumulator are to be all f32 or all i32 tiles");
}

}  // namespace

void multiply_accumulate(const Tile& a, const Tile& b, Tile& accumulator) {
  require_fit(a, b, accumulator);
  if (a.element() == TileElement::f32) {
    multiply_on_host(Operands<float>{a.f32(), b.f32(), accumulator.f32(), a.columns(), b.columns()},
                     a.rows());
  } else {
    const auto as_unsigned = [](const std::int32_t* values) {
      return reinterpret_cast<const std::uint32_t*>(values);
    };
    multiply_on_host(Operands<std::uint32_t>{as_unsigned(a.i32()), as_unsigned(b.i32()),
                                             reinterpret_cast<std::uint32_t*>(accumulator.i32()), a.columns(),
                                             b.columns()},
                     a.rows());
  }
}

void scale_accumulator(Tile& accumulator, float factor) {
  if (factor == 1.0F) return;
  accumulator.convert_to_f32();
  float* const values = accumulator.f32();
  std::transform(values, values + accumulator.size(), values,
                 [factor](float value) { return value * factor; });
}

}  // namespace petal
