// SPDX-License-Identifier: Apache-2.0
#include "support/kernel_bench.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "petal/check/check_report.hpp"
#include "petal/config/effective_config.hpp"

namespace petal::test {
namespace {

std::vector<std::string> names_of(const PlatformConfig& platform) {
  std::vector<std::string> names;
  for (const PeConfig& pe : platform.pes) names.push_back(pe.name);
  return names;
}

std::string config_json_of(const PlatformConfig& platform) {
  ScenarioConfig config;
  config.platform = platform;
  return effective_json(config);
}

}  // namespace

std::vector<PeProgram> programs_of(const Kernel& kernel, const PlatformConfig& config,
                                   const NextCompletions& next) {
  std::vector<PeProgram> programs;
  for (std::size_t pe = 0; pe < config.pes.size(); ++pe) {
    const TlOptions options = tl_options_for(config.pes[pe], pe, config.pes.size());
    programs.push_back([kernel, options, pe, next](CommandSink& sink) {
      TlOptions here = options;
      here.first_completion = (*next)[pe];
      TlContext tl(sink, here);
      kernel(tl);
      (*next)[pe] = tl.next_completion();
    });
  }
  return programs;
}

KernelBench::KernelBench(const PlatformConfig& config, const PlatformOptions& options)
    : config_(config),
      platform_(sc_core::sc_gen_unique_name("platform"), config, options),
      collector_(names_of(config)),
      next_(first_completions(config.pes.size())) {
  platform_.attach(log_);
  platform_.attach(op_log_);
  platform_.attach(collector_);
}

void KernelBench::launch(const Kernel& kernel) {
  platform_.add_launch(programs_of(kernel, config_, next_));
}

Summary KernelBench::summary() const {
  platform_.finish();
  RunFacts facts;
  facts.kernel = "test";
  facts.end = platform_.end_time();
  facts.config_json = config_json_of(config_);
  facts.version = program_version();
  return collector_.summary(facts);
}

std::string KernelBench::op_log() const {
  std::ostringstream text;
  op_log_.write(text, {program_version(), config_json_of(config_)});
  return text.str();
}

PlatformConfig with_free_dispatch() {
  PlatformConfig config;
  config.pes.front().cost.fixed_per_cmd_cycles = 0.0;
  config.pes.front().cost.byte_cycles_recip = 0.0;
  return config;
}

TensorHandle gemm_in_tcm(TlContext& tl, std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  CompositeRequest request;
  request.a = tl.empty({m, k}, DType::f16);
  request.b = tl.empty({k, n}, DType::f16);
  return tl.composite(request);
}

void require_no_violations(const std::string& op_log) {
  std::istringstream text(op_log);
  const CheckReport report = check_op_log(text);
  BOOST_TEST(report.ok(), report_text(report));
  BOOST_TEST(report.rows > 0U);
}

}  // namespace petal::test
