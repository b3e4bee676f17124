// SPDX-License-Identifier: Apache-2.0
//
// GqaDecodeState: the online softmax of the query heads of one KV head, and the last step that turns it into
// the output.
#pragma once

#include <cstdint>
#include <optional>

#include "petal/host/kernels/gqa_decode.hpp"

namespace petal {

class GqaDecodeState {
 public:
  /// Starts the softmax: m = -inf, l = 0, O = 0. They belong to the scratch scope that is open.
  GqaDecodeState(TlContext& tl, const GqaDecodeArguments& arguments, std::uint64_t kv_head);

  /// Stores O / l, and m and l if the arguments ask for them. A head without keys has l = 0 and gives 0.
  void store_result();

  const TensorHandle& m() const { return m_; }  ///< [G], f32: the largest score so far
  const TensorHandle& l() const { return l_; }  ///< [G], f32: the sum of the weights so far
  const TensorHandle& o() const { return o_; }  ///< [G, d], f32: the weighted sum of the values so far

 private:
  void store_state(const std::optional<std::uint64_t>& address, const TensorHandle& state);

  TlContext& tl_;
  const GqaDecodeArguments& arguments_;
  std::uint64_t first_query_;  ///< the first query head of the group
  TensorHandle m_, l_, o_;
};

}  // namespace petal
