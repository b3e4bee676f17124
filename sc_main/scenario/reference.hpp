// SPDX-License-Identifier: Apache-2.0
//
// The kernels' results worked out in double precision straight from their definition: no tiles, no online
// softmax, none of the engines' code.
#pragma once

#include <vector>

#include "petal/host/kernels/gemm.hpp"
#include "petal/host/kernels/gqa_decode.hpp"
#include "petal/host/kernels/gqa_decode_split.hpp"

namespace petal {

/// O [q_heads, d] of decode attention, and m and l [q_heads], from Q [q_heads, d] and K and V [kv_heads,
/// kv_len, d]. Without keys O is 0, m -infinity and l 0.
std::vector<std::vector<double>> decode_reference(const GqaDecodeArguments& arguments,
                                                  const std::vector<double>& q, const std::vector<double>& k,
                                                  const std::vector<double>& v);

/// The states of the parts: m and l [splits, q_heads] and O [splits, q_heads, d], not normalised.
struct SplitStates {
  std::vector<double> m;
  std::vector<double> l;
  std::vector<double> o;
};
SplitStates split_reference(const GqaSplitArguments& arguments, const std::vector<double>& q,
                            const std::vector<double>& k, const std::vector<double>& v);

/// O [q_heads, d], m and l [q_heads] of the states merged: m = max m_i, l = sum of l_i e^(m_i - m), O the
/// same sum of O_i over l; 0 where l is.
std::vector<std::vector<double>> combine_reference(const GqaSplitArguments& arguments,
                                                   const SplitStates& states);

/// C [m, n] = A [m, k] B [k, n].
std::vector<double> gemm_reference(const GemmArguments& arguments, const std::vector<double>& a,
                                   const std::vector<double>& b);

}  // namespace petal
