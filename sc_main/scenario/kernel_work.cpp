// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/kernel_work.hpp"

#include <utility>

#include "petal/scenario/attention_layout.hpp"
#include "petal/scenario/layer_layout.hpp"
#include "petal/scenario/reference.hpp"
#include "petal/scenario/tensor_layout.hpp"

namespace petal {
namespace {

/// A kernel's function for arguments of type Arguments.
template <typename Arguments>
using Body = void (*)(TlContext&, const Arguments&);

std::uint64_t decode_macs(const GqaDecodeArguments& arguments) {
  return 2 * arguments.q_heads * arguments.kv_len * arguments.head_dim;
}

KernelWork::Results named_results(std::vector<std::vector<double>> o_m_l) {
  return {{"O", std::move(o_m_l[0])}, {"m", std::move(o_m_l[1])}, {"l", std::move(o_m_l[2])}};
}

class DecodeWork final : public KernelWork {
 public:
  DecodeWork(Body<GqaDecodeArguments> body, const GqaDecodeArguments& arguments)
      : body_(body), arguments_(arguments) {}

  void run(TlContext& tl) const override { body_(tl, arguments_); }
  std::vector<ScenarioTensor> tensors() const override { return tensors_of(arguments_); }
  Results reference(const TensorData& data, const TensorValues&) const override {
    return named_results(decode_reference(arguments_, data.input("Q"), data.input("K"), data.input("V")));
  }
  std::uint64_t terms() const override { return arguments_.kv_len; }
  std::uint64_t macs() const override { return decode_macs(arguments_); }
  std::uint64_t tiles() const override { return gqa_decode_tiles(arguments_); }
  std::unique_ptr<KernelWork> shortened_to(std::uint64_t tiles) const override {
    GqaDecodeArguments shorter = arguments_;
    shorter.q_heads = arguments_.q_heads / arguments_.kv_heads;
    shorter.kv_heads = 1;
    shorter.kv_len = tiles * arguments_.tile;
    return std::make_unique<DecodeWork>(body_, shorter);
  }

 private:
  Body<GqaDecodeArguments> body_;
  GqaDecodeArguments arguments_;
};

class GemmWork final : public KernelWork {
 public:
  GemmWork(Body<GemmArguments> body, const GemmArguments& arguments) : body_(body), arguments_(arguments) {}

  void run(TlContext& tl) const override { body_(tl, arguments_); }
  std::vector<ScenarioTensor> tensors() const override { return tensors_of(arguments_); }
  Results reference(const TensorData& data, const TensorValues&) const override {
    return {{"C", gemm_reference(arguments_, data.input("A"), data.input("B"))}};
  }
  std::uint64_t terms() const override { return arguments_.k; }
  std::uint64_t macs() const override { return arguments_.m * arguments_.k * arguments_.n; }
  bool needs_math() const override { return false; }

 private:
  Body<GemmArguments> body_;
  GemmArguments arguments_;
};

class AttentionWork final : public KernelWork {
 public:
  AttentionWork(Body<AttentionArguments> body, AttentionLayout layout)
      : body_(body), layout_(std::move(layout)) {}

  void run(TlContext& tl) const override { body_(tl, layout_.arguments); }
  std::vector<ScenarioTensor> tensors() const override { return layout_.tensors; }
  Results reference(const TensorData& data, const TensorValues&) const override {
    return {{"Y", attention_reference(problem(), attention_values(problem(), data))}};
  }
  TensorFiles tensor_files(TensorFiles files) const override {
    files.erase(kNonpadKvSeqlen);
    return files;
  }
  std::uint64_t terms() const override { return problem().keys(); }
  std::uint64_t macs() const override { return attention_macs(layout_.arguments); }
  std::uint64_t tiles() const override { return attention_tiles(layout_.arguments); }

 private:
  const AttentionProblem& problem() const { return layout_.arguments.problem; }

  Body<AttentionArguments> body_;
  AttentionLayout layout_;
};

class SplitDecodeWork final : public KernelWork {
 public:
  SplitDecodeWork(Body<GqaSplitArguments> body, const GqaSplitArguments& arguments)
      : body_(body), arguments_(arguments) {}

  void run(TlContext& tl) const override { body_(tl, arguments_); }
  std::vector<ScenarioTensor> tensors() const override { return tensors_of(arguments_); }
  Results reference(const TensorData& data, const TensorValues& now) const override {
    if (!computes_parts())
      return named_results(combine_reference(arguments_, {now("m_parts"), now("l_parts"), now("O_parts")}));
    SplitStates parts = split_reference(arguments_, data.input("Q"), data.input("K"), data.input("V"));
    return {
        {"m_parts", std::move(parts.m)}, {"l_parts", std::move(parts.l)}, {"O_parts", std::move(parts.o)}};
  }
  std::uint64_t terms() const override { return arguments_.decode.kv_len; }
  std::uint64_t macs() const override { return computes_parts() ? decode_macs(arguments_.decode) : 0; }
  std::uint64_t tiles() const override { return computes_parts() ? gqa_split_tiles(arguments_) : 0; }
  bool shares_results() const override { return true; }

 private:
  /// This is the first of the two launches.
  bool computes_parts() const { return body_ == &gqa_decode_split; }

  Body<GqaSplitArguments> body_;
  GqaSplitArguments arguments_;
};

class DecoderLayerWork final : public KernelWork {
 public:
  DecoderLayerWork(Body<DecoderLayerArguments> body, const DecoderLayerArguments& arguments)
      : body_(body), arguments_(arguments), size_(layer_work(body, arguments)) {}

  void run(TlContext& tl) const override { body_(tl, arguments_); }
  std::vector<ScenarioTensor> tensors() const override { return tensors_of(arguments_); }
  Results reference(const TensorData&, const TensorValues& now) const override {
    return layer_reference(body_, arguments_, now);
  }
  std::uint64_t terms() const override { return size_.terms; }
  std::uint64_t macs() const override { return size_.macs; }
  std::uint64_t tiles() const override { return size_.tiles; }
  bool shares_results() const override { return true; }

 private:
  Body<DecoderLayerArguments> body_;
  DecoderLayerArguments arguments_;
  LayerWork size_;
};

/// Makes the work that goes with the kernel's alternative.
struct MakeWork {
  const WorkloadConfig& workload;
  Bytes capacity;
  const TensorFiles& inputs;
  using Work = std::unique_ptr<const KernelWork>;

  Work operator()(Body<GqaDecodeArguments> body) const {
    return std::make_unique<DecodeWork>(body, decode_arguments(workload, capacity));
  }
  Work operator()(Body<GemmArguments> body) const {
    return std::make_unique<GemmWork>(body, gemm_arguments(workload, capacity));
  }
  Work operator()(Body<AttentionArguments> body) const {
    return std::make_unique<AttentionWork>(
        body, attention_layout(workload, attention_inputs(workload, inputs), capacity));
  }
  Work operator()(Body<GqaSplitArguments> body) const {
    return std::make_unique<SplitDecodeWork>(body, split_arguments(workload, capacity));
  }
  Work operator()(Body<DecoderLayerArguments> body) const {
    return std::make_unique<DecoderLayerWork>(body, layer_arguments(workload, capacity));
  }
};

}  // namespace

std::unique_ptr<const KernelWork> kernel_work(const KernelEntry& kernel, const WorkloadConfig& workload,
                                              Bytes capacity, const TensorFiles& inputs) {
  return std::visit(MakeWork{workload, capacity, inputs}, kernel.body);
}

}  // namespace petal
