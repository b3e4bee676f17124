// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gqa_decode_split.hpp"

#include "petal/command/integer_math.hpp"
#include "petal/host/kernels/argument_checks.hpp"
#include "petal/host/kernels/gqa_decode_head.hpp"

namespace petal {
namespace {

/// The state of one part of a KV head, [G], [G] and [G, d], in HBM.
struct PartState {
  TensorHandle m;
  TensorHandle l;
  TensorHandle o;
};

PartState part_state(const TlContext& tl, const GqaSplitArguments& arguments, std::uint64_t kv_head,
                     std::uint64_t part) {
  const GqaDecodeArguments& decode = arguments.decode;
  const std::uint64_t group = decode.q_heads / decode.kv_heads;
  const std::uint64_t row = part * decode.q_heads + kv_head * group;
  const auto state = [&](std::uint64_t address, std::uint64_t columns, const Dims& shape) {
    return tl.ref(address + row * columns * size_of(DType::f32), shape, DType::f32);
  };
  return {state(arguments.m_parts, 1, {group}), state(arguments.l_parts, 1, {group}),
          state(arguments.o_parts, decode.head_dim, {group, decode.head_dim})};
}

void check_arguments(const TlContext& tl, const GqaSplitArguments& arguments) {
  check_gqa_decode_arguments(tl, arguments.decode);
  require_positive("gqa_decode_split", "splits", arguments.splits);
  // Naming the whole tensors shows that the address of no part of them can overflow.
  const Dims states{arguments.splits, arguments.decode.q_heads};
  tl.ref(arguments.m_parts, states, DType::f32);
  tl.ref(arguments.l_parts, states, DType::f32);
  tl.ref(arguments.o_parts, {arguments.splits, arguments.decode.q_heads, arguments.decode.head_dim},
         DType::f32);
}

IndexRange keys_of_part(const GqaSplitArguments& arguments, std::uint64_t part) {
  return share_of(arguments.decode.kv_len, arguments.decode.tile, part, arguments.splits);
}

void combine(TlContext& tl, const PartState& part, const GqaDecodeState& whole) {
  const ScratchScope part_scope = tl.scratch_scope();
  CompositeRequest request;
  request.op = "math";
  request.prologue.push_back(CompositeEntry("softmax_combine", {{"m_part", tl.load(part.m)},
                                                                {"l_part", tl.load(part.l)},
                                                                {"O_part", tl.load(part.o)},
                                                                {"m", whole.m()},
                                                                {"l", whole.l()},
                                                                {"O", whole.o()}}));
  tl.composite(request);
}

}  // namespace

std::uint64_t gqa_split_tiles(const GqaSplitArguments& arguments) {
  // A part is whole tiles but for the last one of all.
  return gqa_decode_tiles(arguments.decode);
}

void gqa_decode_split(TlContext& tl, const GqaSplitArguments& arguments) {
  check_arguments(tl, arguments);
  const std::uint64_t parts = arguments.decode.kv_heads * arguments.splits;
  for (std::uint64_t index = tl.program_id(); index < parts; index += tl.num_programs()) {
    const std::uint64_t kv_head = index / arguments.splits;
    const std::uint64_t part = index % arguments.splits;
    GqaDecodeHead head(tl, arguments.decode, kv_head, keys_of_part(arguments, part));
    for (std::uint64_t tile = 0; tile < head.tiles(); ++tile) head.attend(tile);
    const PartState state = part_state(tl, arguments, kv_head, part);
    tl.store(state.m, head.m());
    tl.store(state.l, head.l());
    tl.store(state.o, head.o());
  }
}

void gqa_decode_combine(TlContext& tl, const GqaSplitArguments& arguments) {
  check_arguments(tl, arguments);
  for (std::uint64_t kv_head = tl.program_id(); kv_head < arguments.decode.kv_heads;
       kv_head += tl.num_programs()) {
    const ScratchScope head_scope = tl.scratch_scope();
    GqaDecodeState whole(tl, arguments.decode, kv_head);
    for (std::uint64_t part = 0; part < arguments.splits; ++part)
      combine(tl, part_state(tl, arguments, kv_head, part), whole);
    whole.store_result();
  }
}

}  // namespace petal
