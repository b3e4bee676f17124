// SPDX-License-Identifier: Apache-2.0
#include "command_templates.hpp"

#include <utility>
#include <variant>

#include "petal/command/command_stream.hpp"
#include "petal/command/tensor_entry.hpp"
#include "petal/command/wire_codec.hpp"
#include "petal/host/tl_context.hpp"

namespace petal::fuzz {
namespace {

void issue_transfers(TlContext& tl) {
  const auto scope = tl.scratch_scope();
  tl.load(tl.ref(0x40, {300}, DType::i8));
  tl.load(tl.ref(0x1001, {7, 33}, DType::f16, {64, 1}));
  tl.load(tl.ref(0x2000, {0, 8}, DType::f32));
  tl.load(tl.trans(tl.ref(0x2000, {16, 8}, DType::f32)));
  tl.store(tl.ref(0xFE0, {2, 3, 4, 5}, DType::bf16, {100, 25, 5, 1}), tl.empty({2, 3, 4, 5}, DType::bf16));
  tl.load(tl.ref(0xFFFFFFFFFFFFFF00, {16}, DType::f32));
  tl.load(tl.ref(0x80000000, {8}, DType::f32));  // the device's own registers
}

void issue_math(TlContext& tl) {
  const auto scope = tl.scratch_scope();
  const TensorHandle x = tl.full({12, 20}, 0.5F);
  const TensorHandle row = tl.zeros({20});
  const TensorHandle column = tl.max(x);
  tl.sum(x);
  tl.add(x, row, x);
  tl.fma(x, row, x);
  tl.exp_diff(x, column);
  tl.div_bcast(x, column);
  tl.band_mask(x, -2, 3);
  tl.where(x, tl.load(tl.ref(0x3000, {12, 20}, DType::boolean)), -1.0F);
  tl.softcap(x, 3.0F);
  tl.gelu(x);
  tl.cycles(5);
}

void issue_products(TlContext& tl) {
  const auto scope = tl.scratch_scope();
  const TensorHandle a = tl.load(tl.ref(0x4000, {20, 24}, DType::f16));
  const TensorHandle b = tl.load(tl.ref(0x5000, {24, 12}, DType::f16));
  DotOptions scaled;
  scaled.scale = 0.25F;
  tl.dot(a, b, scaled);
  CompositeRequest streamed;
  streamed.a = tl.ref(0x6000, {20, 40}, DType::f32);
  streamed.b = tl.ref(0x8000, {40, 24}, DType::f32);
  streamed.out = tl.ref(0xA000, {20, 24}, DType::f32, {32, 1});
  streamed.scale = 2.0F;
  tl.composite(streamed);
  CompositeRequest joined;
  joined.a = a;
  joined.b = b;
  joined.out = tl.zeros({20, 12});
  joined.epilogue = {CompositeEntry("add", {NamedOperand("other", *joined.out)}), CompositeEntry("relu")};
  tl.composite(joined);
}

/// A tile of decode, the values' composite of which has a prologue.
void issue_attention(TlContext& tl) {
  const auto scope = tl.scratch_scope();
  const TensorHandle scores = tl.zeros({4, 16});
  const TensorHandle m = tl.full({4}, -1.0F);
  const TensorHandle l = tl.zeros({4});
  const TensorHandle o = tl.zeros({4, 8});
  CompositeRequest values;
  values.prologue = {CompositeEntry("softmax_merge", {NamedOperand("s", scores), NamedOperand("m", m),
                                                      NamedOperand("l", l), NamedOperand("O", o)})};
  values.b = tl.ref(0xC000, {16, 8}, DType::f16);
  values.out = o;
  values.epilogue = {CompositeEntry("add", {NamedOperand("other", o)})};
  tl.composite(values);
}

void issue_streamed_math(TlContext& tl) {
  CompositeRequest request;
  request.op = "math";
  request.math_op = "add";
  request.a = tl.ref(0xE000, {40, 10}, DType::f32);
  request.b = tl.ref(0xF000, {40, 10}, DType::f32);
  request.out = tl.ref(0x10000, {40, 10}, DType::f32);
  tl.composite(request);
}

void issue_copy(TlContext& tl) {
  const auto scope = tl.scratch_scope();
  const TensorHandle loaded = tl.load(tl.ref(kCopySource, {kCopyBytes / 4}, DType::f32));
  tl.store(tl.ref(kCopyTarget, {kCopyBytes / 4}, DType::f32), tl.copy(loaded));
}

PeRecording record(const PeConfig& pe) {
  TlOptions options;
  options.composite_cap = Bytes(pe.cost.max_composite_logical_bytes);
  options.arena = pe.tcm.arena;
  options.math_head_streaming = pe.scheduler.math_head_streaming;
  options.gemm_tile = pe.scheduler.gemm_tile;
  PeRecording recording;
  RecordingSink sink(recording);
  TlContext tl(sink, options);
  issue_transfers(tl);
  issue_math(tl);
  issue_products(tl);
  issue_attention(tl);
  if (options.math_head_streaming) issue_streamed_math(tl);
  issue_copy(tl);
  return recording;
}

/// Cuts a composite's bytes into the slots of its slices.
class SlotCutter {
 public:
  explicit SlotCutter(TensorTable& table) : table_(table) {}

  SlotTemplate cut(const CommandSlice& slice) {
    if (slice.segment == 0) {
      bytes_ = encode(*slice.command, table_);
      used_ = 0;
    }
    const auto begin = bytes_.begin() + used_;
    used_ += static_cast<std::ptrdiff_t>(slice.logical_bytes.count());
    return {{begin, bytes_.begin() + used_},
            slice.segment == 0,
            slice.segment + 1 == slice.segments,
            static_cast<std::uint32_t>(slice.completion % kWireCompletionModulus)};
  }

 private:
  TensorTable& table_;
  std::vector<std::byte> bytes_;
  std::ptrdiff_t used_ = 0;
};

}  // namespace

CommandTemplates::CommandTemplates(const PeConfig& pe) {
  TensorTable table;
  SlotCutter cutter(table);
  for (const RecordedStep& step : record(pe).steps) {
    if (const auto* const overhead = std::get_if<OverheadCmd>(&step))
      commands_.push_back({{encode(*overhead, table), true, true, 0}});
    const auto* const request = std::get_if<IssueRequest>(&step);
    if (request == nullptr) continue;
    if (request->slice.segment == 0) commands_.emplace_back();
    commands_.back().push_back(cutter.cut(request->slice));
  }
  for (const TensorHandle& tensor : table.entries()) table_.push_back(encode_tensor_entry(tensor));
}

}  // namespace petal::fuzz
