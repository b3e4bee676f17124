// SPDX-License-Identifier: Apache-2.0
#include "support/scenario_bench.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "petal/config/scenario_loader.hpp"

namespace petal::test {
namespace {

ScenarioOptions options_for(const std::string& kernel, const PlatformOptions& platform) {
  ScenarioOptions options;
  options.kernel = kernel;
  options.op_log = true;
  options.platform = platform;
  return options;
}

}  // namespace

ScenarioBench::ScenarioBench(const ScenarioConfig& config, const std::string& kernel,
                             const PlatformOptions& options)
    : ScenarioBench(config, options_for(kernel, options)) {}

ScenarioBench::ScenarioBench(const ScenarioConfig& config, const ScenarioOptions& options)
    : run_(sc_core::sc_gen_unique_name("scenario"), config, options) {
  run_.platform().attach(log_);
}

ScenarioBench::ScenarioBench(const ScenarioConfig& config, CommandStream stream, const std::string& kernel)
    : run_(sc_core::sc_gen_unique_name("replay"), config, std::move(stream), kernel,
           options_for(kernel, {})) {
  run_.platform().attach(log_);
}

std::string ScenarioBench::op_log() const {
  std::ostringstream text;
  run_.write_op_log(text);
  return text.str();
}

ScenarioConfig shipped_scenario(const std::string& name, const std::vector<std::string>& sets) {
  return load_scenario(std::string(PETAL_SHIPPED_SCENARIOS) + "/" + name, sets);
}

ScenarioConfig small_decode(std::uint64_t kv_len, const std::vector<std::string>& sets) {
  std::vector<std::string> all = {"platform.pes=1", "q_heads=4", "kv_heads=1",
                                  "kv_len=" + std::to_string(kv_len)};
  all.insert(all.end(), sets.begin(), sets.end());
  return shipped_scenario("llama3_8b_decode.yaml", all);
}

std::vector<std::string> decode_kernels() {
  return {"gqa_decode_opt1", "gqa_decode_opt2", "gqa_decode_opt3", "gqa_decode_three_composites"};
}

void require_same_text(const std::string& actual, const std::string& expected, const std::string& what) {
  BOOST_REQUIRE_MESSAGE(!expected.empty(), what << ": there is nothing to compare with");
  if (actual == expected) return;
  std::istringstream a(actual);
  std::istringstream b(expected);
  std::string line_a;
  std::string line_b;
  std::size_t number = 0;
  do {
    ++number;
    line_a = line_b = "(end)";
    std::getline(a, line_a);
    std::getline(b, line_b);
  } while (line_a == line_b && (a || b));
  BOOST_FAIL(what << ": line " << number << " differs:\n  " << line_a << "\n  " << line_b);
}

}  // namespace petal::test
