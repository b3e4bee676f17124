// SPDX-License-Identifier: Apache-2.0
//
// Commands that the host compiler would not issue, as a recording or a device's ring may hold them.
#include <boost/test/unit_test.hpp>

#include "petal/command/error.hpp"
#include "support/data_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Passes commands on, each changed first.
class ChangingSink : public CommandSink {
 public:
  ChangingSink(CommandSink& next, std::function<void(PeCommand&)> change)
      : next_(next), change_(std::move(change)) {}

  void issue(const IssueRequest& request) override {
    IssueRequest changed = request;
    PeCommand command = *request.slice.command;
    change_(command);
    changed.slice.command = std::make_shared<const PeCommand>(std::move(command));
    next_.issue(changed);
  }
  void wait(const std::vector<CompletionId>& completions) override { next_.wait(completions); }
  void overhead(const OverheadCmd& command) override { next_.overhead(command); }

 private:
  CommandSink& next_;
  std::function<void(PeCommand&)> change_;
};

PeProgram changed(const Kernel& kernel, const std::function<void(PeCommand&)>& change) {
  return [kernel, change](CommandSink& sink) {
    ChangingSink changing(sink, change);
    TlContext tl(changing);
    kernel(tl);
  };
}

/// Runs a streamed MATH head of src_a [50, 70] in chunks of 1024, changed first; expects a SimulationError
/// that names the command.
void require_refused(const std::string& op, const std::function<void(OpSpec&)>& change) {
  PlatformConfig config;
  config.pes.front().scheduler.math_head_streaming = true;
  DataBench bench(config);
  const TensorHandle a = bench.put({50, 70}, DType::f32, {1.0});
  const TensorHandle b = bench.put({50}, DType::f32, {2.0});
  bench.launch_program([=](CommandSink& sink) {
    ChangingSink changing(sink, [&](PeCommand& command) { change(std::get<CompositeCmd>(command).ops[0]); });
    TlOptions options;
    options.math_head_streaming = true;
    options.gemm_tile = {64, 64, 64};
    TlContext tl(changing, options);
    CompositeRequest request;
    request.op = "math";
    request.math_op = op;
    request.a = a;
    if (op == "mul_bcast") request.b = b;
    tl.composite(request);
  });
  try {
    simulate();
    bench.platform().finish();
    BOOST_FAIL("the command was computed");
  } catch (const SimulationError& error) {
    BOOST_TEST(std::string(error.what()).find("command 1 (CompositeCmd)") != std::string::npos, error.what());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(foreign_commands)

// SPEC 11.1: a command whose data_op bit is off takes its time and computes nothing.
BOOST_AUTO_TEST_CASE(a_command_without_data_op_is_timed_and_not_computed) {
  DataBench computed;
  DataBench timed;
  std::vector<TensorHandle> outs;
  for (DataBench* const bench : {&computed, &timed}) {
    outs.push_back(bench->put({64}, DType::f32, {7.0}));
    const bool data_op = bench == &computed;
    bench->launch_program(changed(
        [out = outs.back()](TlContext& tl) {
          const TensorHandle value = tl.full({64}, 1.0F);
          tl.scale(value, 3.0F, value);
          tl.store(out, value);
        },
        [data_op](PeCommand& command) {
          if (op_name(command) == "scale") framing_of(command).data_op = data_op;
        }));
  }
  simulate();
  BOOST_TEST((computed.read(outs[0]) == Values(64, 3.0)));
  BOOST_TEST((timed.read(outs[1]) == Values(64, 1.0)));
  BOOST_TEST(computed.platform().end_time().count() == timed.platform().end_time().count());
}

// What does not come from the host compiler may say anything. An access beyond TCM names the command; without
// data mode TCM's contents do not matter.
BOOST_AUTO_TEST_CASE(an_access_beyond_tcm_stops_the_run_and_names_the_command) {
  DataBench bench;
  const TensorHandle out = bench.put({64}, DType::f32, {7.0});
  bench.launch_program(changed([out](TlContext& tl) { tl.store(out, tl.neg(tl.full({64}, 1.0F))); },
                               [](PeCommand& command) {
                                 if (op_name(command) == "neg")
                                   std::get<MathCmd>(command).operands[0].address = 0x7FFFFFFFFFF0;
                               }));
  try {
    simulate();
    bench.platform().finish();
    BOOST_FAIL("the access was allowed");
  } catch (const SimulationError& error) {
    const std::string text = error.what();
    for (const char* const part : {"command 2", "FETCH", "TCM", "0x7ffffffffff0"})
      BOOST_TEST(text.find(part) != std::string::npos, part << " in: " << text);
  }
}

BOOST_AUTO_TEST_CASE(a_streamed_head_with_more_row_values_than_elements_is_refused) {
  require_refused("mul_bcast", [](OpSpec& op) {
    op.operands[1] = dense_tensor(Space::hbm, op.operands[1].address, {4000}, DType::f32);
  });
}

// 3500 elements are no whole number of rows for 33 values: 106 elements each leave a 34th row.
BOOST_AUTO_TEST_CASE(a_streamed_head_with_too_few_row_values_is_refused) {
  require_refused("mul_bcast", [](OpSpec& op) {
    op.operands[1] = dense_tensor(Space::hbm, op.operands[1].address, {33}, DType::f32);
  });
}

// 1800 values for 3500 elements: the last chunks begin behind them.
BOOST_AUTO_TEST_CASE(a_streamed_head_whose_row_values_end_before_its_chunks_is_refused) {
  require_refused("mul_bcast", [](OpSpec& op) {
    op.operands[1] = dense_tensor(Space::hbm, op.operands[1].address, {1800}, DType::f32);
  });
}

// Compiled for chunks of 4096, run in chunks of 1024, which are no whole number of rows of 70.
BOOST_AUTO_TEST_CASE(a_streamed_reduction_whose_rows_cross_chunks_is_refused) {
  require_refused("rsum", [](OpSpec&) {});
}

BOOST_AUTO_TEST_SUITE_END()
