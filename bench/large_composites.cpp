// SPDX-License-Identifier: Apache-2.0
#include "large_composites.hpp"

#include <memory>

#include "petal/host/tl_context.hpp"
#include "petal/platform/platform.hpp"
#include "petal/scenario/scenario_run.hpp"

namespace petal::bench {
namespace {

constexpr std::uint64_t kOps = 30;
constexpr std::uint64_t kStagesAnOp = 3;
constexpr std::uint64_t kTensors = 3;

void issue(CommandSink& sink, std::uint64_t composites) {
  TlContext tl(sink);
  std::vector<TensorHandle> tensors;
  for (std::uint64_t index = 0; index < kTensors; ++index) tensors.push_back(tl.zeros({4, 64}));
  const TensorHandle factors = tl.zeros({4});
  for (std::uint64_t index = 0; index < composites; ++index) {
    const TensorHandle& tensor = tensors[index % kTensors];
    CompositeRequest request;
    request.op = "math";
    for (std::uint64_t op = 0; op < kOps; ++op) {
      CompositeEntry entry("mul_bcast", {{"src_a", tensor}, {"src_b", factors}});
      entry.out = tensor;
      request.prologue.push_back(std::move(entry));
    }
    tl.composite(request);
  }
}

}  // namespace

Simulation large_composites(double plan_cycles_per_op, std::uint64_t composites) {
  PlatformConfig config;
  config.pes.front().scheduler.plan_cycles_per_op = plan_cycles_per_op;
  auto platform = std::make_shared<Platform>("platform", config);
  platform->add_launch({[composites](CommandSink& sink) { issue(sink, composites); }});
  return {[platform] {
            simulate();
            platform->finish();
          },
          [composites] { return composites * kOps * kStagesAnOp; }};
}

}  // namespace petal::bench
