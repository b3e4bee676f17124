// SPDX-License-Identifier: Apache-2.0
#include "scenario_simulation.hpp"

#include <memory>

#include "petal/config/scenario_loader.hpp"
#include "petal/platform/platform.hpp"
#include "petal/scenario/kernel_launch.hpp"
#include "petal/scenario/scenario_run.hpp"

namespace petal::bench {
namespace {

class StageCounter : public Observer {
 public:
  void on_stage(const StageEvent&) override { ++stages_; }
  std::uint64_t stages() const { return stages_; }

 private:
  std::uint64_t stages_ = 0;
};

/// Every PE runs the whole scenario of its own, so that the work a PE has does not depend on how many there
/// are.
std::shared_ptr<Platform> build(const std::string& yaml, const std::vector<std::string>& sets) {
  const ScenarioConfig config = scenario_from_text(yaml, sets, "bench");
  PlatformConfig one = config.platform;
  one.pes.resize(1);
  auto platform = std::make_shared<Platform>("platform", config.platform);
  std::vector<PeProgram> programs;
  for (std::size_t pe = 0; pe < config.platform.pes.size(); ++pe)
    programs.push_back(KernelLaunch(find_kernel(*config.kernel), config.workload, one)
                           .programs(first_completions(1))
                           .front());
  platform->add_launch(std::move(programs));
  return platform;
}

}  // namespace

Simulation scenario(const std::string& yaml, const std::vector<std::string>& sets, std::uint64_t stages) {
  const std::shared_ptr<Platform> platform = build(yaml, sets);
  return {[platform] {
            simulate();
            platform->finish();
          },
          [stages] { return stages; }};
}

std::uint64_t count_stages(const std::string& yaml, const std::vector<std::string>& sets) {
  const Measurement counted = measure([&]() -> Simulation {
    const std::shared_ptr<Platform> platform = build(yaml, sets);
    auto counter = std::make_shared<StageCounter>();
    platform->attach(*counter);
    return {[platform] { simulate(); }, [counter] { return counter->stages(); }};
  });
  return counted.events;
}

}  // namespace petal::bench
