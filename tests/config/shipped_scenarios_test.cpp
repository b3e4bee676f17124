// SPDX-License-Identifier: Apache-2.0
//
// The scenarios in configs/ say what their names promise.
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "petal/config/effective_config.hpp"
#include "petal/config/scenario_loader.hpp"

namespace petal {
namespace {

const std::filesystem::path kConfigs = PETAL_SHIPPED_SCENARIOS;

ScenarioConfig shipped(const char* name) {
  return load_scenario((kConfigs / name).string());
}

BOOST_AUTO_TEST_SUITE(shipped_scenarios)

BOOST_AUTO_TEST_CASE(every_one_loads_and_names_a_kernel) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(kConfigs)) {
    if (file.path().extension() != ".yaml") continue;
    ++count;
    BOOST_TEST(load_scenario(file.path().string()).launches.at(0).kernel.has_value(), file.path());
  }
  BOOST_TEST(count >= 5U);
}

BOOST_AUTO_TEST_CASE(the_main_job_is_one_kv_head_a_pe) {
  const ScenarioConfig config = shipped("llama3_8b_decode.yaml");
  BOOST_TEST(config.workload.q_heads == 32U);
  BOOST_TEST(config.workload.kv_heads == 8U);
  BOOST_TEST(config.workload.head_dim == 128U);
  BOOST_TEST(config.workload.kv_len == 8192U);
  BOOST_TEST(config.workload.tile == 64U);
  BOOST_TEST((config.workload.dtype == DType::f16));
  BOOST_TEST(config.platform.pes.size() == 8U);
}

BOOST_AUTO_TEST_CASE(the_variants_differ_from_the_main_job_in_one_thing) {
  ScenarioConfig shared = shipped("llama3_8b_decode_shared_hbm.yaml");
  BOOST_TEST((shared.platform.hbm.scope == HbmScope::shared));
  shared.platform.hbm.scope = HbmScope::per_pe;
  BOOST_TEST(effective_yaml(shared) == effective_yaml(shipped("llama3_8b_decode.yaml")));

  const ScenarioConfig no_await = shipped("llama3_8b_decode_no_await.yaml");
  BOOST_TEST(no_await.kernel.value() == "gqa_decode_opt1");
  BOOST_TEST((no_await.platform.pes.at(7).cpu.auto_await == AutoAwait::none));
}

BOOST_AUTO_TEST_CASE(the_products_have_their_shapes) {
  const GemmWorkload large = shipped("gemm.yaml").workload.gemm;
  BOOST_TEST((large.m == 2048 && large.k == 2048 && large.n == 2048));
  const GemmWorkload small = shipped("gemm_worked_example.yaml").workload.gemm;
  BOOST_TEST((small.m == 40 && small.k == 72 && small.n == 96));
  BOOST_TEST((small.out_dtype == DType::f16));
}

BOOST_AUTO_TEST_CASE(the_systolic_product_is_one_tile) {
  const ScenarioConfig config = shipped("systolic_gemm.yaml");
  BOOST_TEST(config.kernel.value() == "gemm_load_load");
  const PeConfig pe = config.platform.pes.at(0);
  BOOST_TEST((pe.gemm.model == GemmModel::systolic));
  BOOST_TEST(pe.clock.gigahertz() == 1.0);
  const GemmTile tile = pe.scheduler.gemm_tile;
  BOOST_TEST((tile.m == 1048576U && tile.k == 1048576U && tile.n == 1048576U));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
