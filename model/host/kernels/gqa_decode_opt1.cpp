// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gqa_decode.hpp"
#include "petal/host/kernels/gqa_decode_head.hpp"

namespace petal {

void gqa_decode_opt1(TlContext& tl, const GqaDecodeArguments& arguments) {
  for_each_kv_head(tl, arguments, [&](GqaDecodeHead& head) {
    for (std::uint64_t tile = 0; tile < head.tiles(); ++tile) {
      const ScratchScope tile_scope = tl.scratch_scope();
      const TensorHandle k = tl.load(head.keys(tile));
      const TensorHandle scores = tl.dot(head.q(), tl.trans(k));
      const TensorHandle s = tl.scale(scores, head.scale(), scores);
      const TensorHandle p = head.merge(s);
      const TensorHandle v = tl.load(head.values(tile));
      const TensorHandle pv = tl.dot(p, v);
      tl.add(head.o(), pv, head.o());
    }
  });
}

}  // namespace petal
