// SPDX-License-Identifier: Apache-2.0
#include "data_mode.hpp"

#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "petal/config/scenario_loader.hpp"
#include "petal/platform/platform.hpp"
#include "petal/scenario/kernel_launch.hpp"
#include "petal/scenario/scenario_run.hpp"
#include "petal/scenario/tensor_data.hpp"

namespace petal::bench {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::uint64_t one() {
  return 1;
}

template <typename Stored>
Simulation eigen_product(Eigen::Index n) {
  const auto a = std::make_shared<const Matrix<Stored>>(Matrix<float>::Random(n, n).cast<Stored>());
  const auto b = std::make_shared<const Matrix<Stored>>(Matrix<float>::Random(n, n).cast<Stored>());
  return {[a, b, n] {
            Matrix<float> c(n, n);
            c.noalias() = a->template cast<float>().eval() * b->template cast<float>().eval();
            benchmark::DoNotOptimize(c.data());
          },
          one};
}

}  // namespace

Simulation whole_scenario(const std::string& yaml, bool data) {
  const ScenarioConfig config = scenario_from_text(yaml, {}, "bench");
  const KernelLaunch launch(find_kernel(*config.kernel), config.launches.front().workload, config.platform);
  PlatformOptions options;
  if (data)
    options.hbm_image = TensorData(launch.tensors(), config.platform.hbm.capacity, config.seed, {}).image();
  const auto platform = std::make_shared<Platform>("platform", config.platform, options);
  platform->add_launch(launch.programs(first_completions(config.platform.pes.size())));
  return {[platform] {
            simulate();
            platform->finish();
          },
          one};
}

Simulation eigen_gemm(std::uint64_t n, DType dtype) {
  const auto size = static_cast<Eigen::Index>(n);
  return dtype == DType::f16 ? eigen_product<Eigen::half>(size) : eigen_product<float>(size);
}

}  // namespace petal::bench
