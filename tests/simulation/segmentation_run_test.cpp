// SPDX-License-Identifier: Apache-2.0
//
// ADR-0064 D7 in a run: what a composite costs that was cut, and in what order its segments execute.
#include <boost/test/unit_test.hpp>

#include "petal/command/error.hpp"
#include "petal/host/segmentation.hpp"
#include "simulation/decode_tensors.hpp"
#include "support/kernel_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

PlatformConfig with_cap(std::uint64_t cap) {
  PlatformConfig config;
  config.pes.front().cost.max_composite_logical_bytes = cap;
  return config;
}

void second_composite(TlContext& tl) {
  DecodeTensors(tl).issue_second_composite(tl);
}

/// Two copies between four tensors of TCM that have nothing in common, 4 + 1 + (1 + 2 x 20) = 46 bytes.
CompositeCmd two_independent_copies() {
  CompositeCmd composite;
  for (std::uint64_t i = 0; i < 2; ++i) {
    OpSpec op;
    op.kind = Opcode::copy;
    op.operands = {dense_tensor(Space::tcm, 0x10000 * i, {1024}, DType::f32)};
    op.out = dense_tensor(Space::tcm, 0x10000 * i + 0x8000, {1024}, DType::f32);
    composite.ops.push_back(op);
  }
  composite.completion = 1;
  return composite;
}

void issue_in_segments(CommandSink& sink, const CompositeCmd& composite, std::uint64_t cap) {
  const auto command = std::make_shared<const PeCommand>(composite);
  const std::vector<CompositeSegment> segments = segment_composite(composite, Bytes(cap));
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    IssueRequest request;
    request.is_primitive = false;
    request.slice = {command,
                     composite.completion + i,
                     segments[i].logical_bytes,
                     segments[i].first_op,
                     segments[i].last_op,
                     i,
                     static_cast<std::uint32_t>(segments.size())};
    sink.issue(request);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(segmentation_run)

// ADR-0064 test 8, ADR-0065 test 9. At the default cap of 1024 there is one command: 322 < 1024.
BOOST_AUTO_TEST_CASE(each_segment_pays_fixed_and_the_bytes_are_conserved) {
  struct CapCase {
    std::uint64_t cap;
    std::vector<std::uint64_t> sizes;
  };
  const std::vector<CapCase> cases = {
      {1024, {322}}, {322, {322}}, {256, {254, 68}}, {68, {54, 56, 56, 68, 20, 68}}};
  std::vector<std::unique_ptr<KernelBench>> benches;
  for (const CapCase& expected : cases) {
    benches.push_back(std::make_unique<KernelBench>(with_cap(expected.cap)));
    benches.back()->launch(second_composite);
  }
  simulate();
  const std::vector<std::string> whole = names_in_plan_order(benches.front()->log().stages_of(1));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const EventLog& log = benches[i]->log();
    const std::vector<std::uint64_t>& sizes = cases[i].sizes;
    BOOST_TEST_REQUIRE(log.dispatches.size() == sizes.size());
    std::vector<std::string> stages;
    for (std::size_t segment = 0; segment < sizes.size(); ++segment) {
      const CompletionId id = 1 + segment;
      BOOST_TEST(log.dispatch_of(id).logical_bytes == sizes[segment]);
      BOOST_TEST(log.dispatch_of(id).segment == segment);
      BOOST_TEST(log.dispatch_of(id).segments == sizes.size());
      BOOST_TEST(log.dispatch_of(id).cycles == 40 + static_cast<double>(sizes[segment]) / 16);
      if (segment > 0) BOOST_TEST(log.start_of(id) >= log.completion_of(id - 1).at_ps);
      for (const std::string& name : names_in_plan_order(log.stages_of(id))) stages.push_back(name);
    }
    BOOST_TEST(log.dispatch_bytes() == 322U);
    BOOST_TEST(log.dispatch_cycles() == static_cast<double>(sizes.size()) * 40 + 322.0 / 16);
    BOOST_TEST(stages == whole, boost::test_tools::per_element());
    require_no_violations(benches[i]->op_log());
  }
}

// The chain holds without rw_handles and without any hazard: by the strict FIFO alone. 46 bytes at a cap of
// 26 are two segments of 26 and 20.
BOOST_AUTO_TEST_CASE(segments_without_rw_handles_execute_one_after_another) {
  PlatformConfig config = with_free_dispatch();
  KernelBench whole(config);
  whole.launch_program([](CommandSink& sink) { issue_in_segments(sink, two_independent_copies(), 1024); });
  config.pes.front().cost.max_composite_logical_bytes = 26;
  KernelBench cut(config);
  cut.launch_program([](CommandSink& sink) { issue_in_segments(sink, two_independent_copies(), 26); });
  simulate();
  BOOST_TEST(whole.log().dispatches.size() == 1U);
  BOOST_TEST_REQUIRE(cut.log().dispatches.size() == 2U);
  BOOST_TEST(cut.log().dispatch_of(1).logical_bytes == 26U);
  BOOST_TEST(cut.log().dispatch_of(2).logical_bytes == 20U);
  BOOST_TEST(cut.log().start_of(2) == cut.log().completion_of(1).at_ps);
  BOOST_TEST_REQUIRE(cut.log().head_waits.size() == 1U);
  BOOST_TEST((cut.log().head_waits.front().reason == HeadWait::segment));
  BOOST_TEST((cut.log().head_waits.front().waits_on == std::vector<CompletionId>{1}));
  BOOST_TEST(cut.end_ps() == whole.end_ps());
}

// Its GEMM and its add are 68 bytes and stay together.
BOOST_AUTO_TEST_CASE(a_composite_that_cannot_be_cut_is_an_emit_error) {
  KernelBench bench(with_cap(64));
  bench.launch(second_composite);
  simulate();
  BOOST_CHECK_EXCEPTION(bench.platform().finish(), EmitError, [](const EmitError& error) {
    const std::string text = error.what();
    return text.find("68") != std::string::npos && text.find("64") != std::string::npos &&
           text.find("max_composite_logical_bytes") != std::string::npos;
  });
  BOOST_TEST(bench.log().dispatches.empty());
}

BOOST_AUTO_TEST_SUITE_END()
