// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gqa_decode.hpp"
#include "petal/host/kernels/gqa_decode_head.hpp"

namespace petal {

void gqa_decode_opt3(TlContext& tl, const GqaDecodeArguments& arguments) {
  for_each_kv_head(tl, arguments, [&](GqaDecodeHead& head) {
    TensorHandle next_scores;
    if (head.tiles() > 0) next_scores = head.issue_scores(0);
    for (std::uint64_t tile = 0; tile < head.tiles(); ++tile) {
      const TensorHandle s = next_scores;
      if (tile + 1 < head.tiles()) next_scores = head.issue_scores(tile + 1);
      const ScratchScope tile_scope = tl.scratch_scope();
      CompositeRequest accumulate;
      accumulate.a = head.merge(s);
      accumulate.b = head.values(tile);
      accumulate.out = head.o();
      accumulate.epilogue.push_back(CompositeEntry("add", {{"other", head.o()}}));
      tl.composite(accumulate);
    }
  });
}

}  // namespace petal
