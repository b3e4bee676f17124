// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gqa_decode.hpp"
#include "petal/host/kernels/gqa_decode_head.hpp"

namespace petal {

void gqa_decode_three_composites(TlContext& tl, const GqaDecodeArguments& arguments) {
  for_each_kv_head(tl, arguments, [&](GqaDecodeHead& head) {
    for (std::uint64_t tile = 0; tile < head.tiles(); ++tile) {
      const TensorHandle s = head.issue_scores(tile);
      const ScratchScope tile_scope = tl.scratch_scope();
      CompositeRequest merge;
      merge.op = "math";
      merge.prologue.push_back(
          CompositeEntry("softmax_merge", {{"s", s}, {"m", head.m()}, {"l", head.l()}, {"O", head.o()}}));
      CompositeRequest accumulate;
      accumulate.a = tl.composite(merge);
      accumulate.b = head.values(tile);
      accumulate.out = head.o();
      accumulate.epilogue.push_back(CompositeEntry("add", {{"other", head.o()}}));
      tl.composite(accumulate);
    }
  });
}

}  // namespace petal
