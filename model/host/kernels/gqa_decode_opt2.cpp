// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gqa_decode.hpp"
#include "petal/host/kernels/gqa_decode_head.hpp"

namespace petal {

void gqa_decode_opt2(TlContext& tl, const GqaDecodeArguments& arguments) {
  for_each_kv_head(tl, arguments, [&](GqaDecodeHead& head) {
    for (std::uint64_t tile = 0; tile < head.tiles(); ++tile) {
      const TensorHandle s = head.issue_scores(tile);
      const ScratchScope tile_scope = tl.scratch_scope();
      CompositeRequest merge_and_accumulate;
      merge_and_accumulate.prologue.push_back(
          CompositeEntry("softmax_merge", {{"s", s}, {"m", head.m()}, {"l", head.l()}, {"O", head.o()}}));
      merge_and_accumulate.b = head.values(tile);
      merge_and_accumulate.out = head.o();
      merge_and_accumulate.epilogue.push_back(CompositeEntry("add", {{"other", head.o()}}));
      tl.composite(merge_and_accumulate);
    }
  });
}

}  // namespace petal
