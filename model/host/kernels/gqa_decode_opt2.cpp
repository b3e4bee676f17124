// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gqa_decode.hpp"
#include "petal/host/kernels/gqa_decode_head.hpp"

namespace petal {

void gqa_decode_opt2(TlContext& tl, const GqaDecodeArguments& arguments) {
  for_each_kv_head(tl, arguments, [](GqaDecodeHead& head) {
    for (std::uint64_t tile = 0; tile < head.tiles(); ++tile) head.attend(tile);
  });
}

}  // namespace petal
