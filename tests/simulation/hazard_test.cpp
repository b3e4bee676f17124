// SPDX-License-Identifier: Apache-2.0
//
// ADR-0065 D6.3: what waits for what. Commands are issued at time 0 at no cost and without auto-await, so
// that nothing but the hazard tracker keeps them apart.
//
// The copies move 8192 f32: FETCH 32768 / 512 GB/s = 64 ns, MATH 4 + 8192 / 64 = 132 ns, STORE 64 ns: 260 ns.
#include <boost/test/unit_test.hpp>

#include "petal/command/error.hpp"
#include "simulation/decode_tensors.hpp"
#include "support/kernel_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr std::int64_t kCopyPs = 260000;
const Dims kShape{8192};

PlatformConfig without_await() {
  PlatformConfig config = with_free_dispatch();
  config.pes.front().cpu.auto_await = AutoAwait::none;
  return config;
}

/// The second command waited for the first, because of a hazard, and then started at once.
void require_second_waits_for_first(const KernelBench& bench) {
  const EventLog& log = bench.log();
  BOOST_TEST(log.completion_of(1).at_ps == kCopyPs);
  BOOST_TEST(log.completion_of(2).taken_ps == kCopyPs);
  BOOST_TEST(log.start_of(2) == kCopyPs);
  BOOST_TEST_REQUIRE(log.head_waits.size() == 1U);
  BOOST_TEST(log.head_waits.front().command == 2U);
  BOOST_TEST((log.head_waits.front().reason == HeadWait::hazard));
  BOOST_TEST((log.head_waits.front().waits_on == std::vector<CompletionId>{1}));
  BOOST_TEST(log.head_waits.front().start_ps == 0);
  BOOST_TEST(log.head_waits.front().end_ps == kCopyPs);
  require_no_violations(bench.op_log());
}

CompositeRequest product(const TensorHandle& a, const TensorHandle& b, const TensorHandle& out) {
  CompositeRequest request;
  request.a = a;
  request.b = b;
  request.out = out;
  return request;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hazard)

// The control: without a conflict the second FETCH follows the first on the port.
BOOST_AUTO_TEST_CASE(commands_that_share_nothing_overlap) {
  KernelBench bench(without_await());
  bench.launch([](TlContext& tl) {
    const TensorHandle a = tl.empty(kShape), b = tl.empty(kShape), c = tl.empty(kShape), d = tl.empty(kShape);
    tl.copy(a, b);
    tl.copy(c, d);
  });
  simulate();
  BOOST_TEST(bench.log().completion_of(2).taken_ps == 0);
  BOOST_TEST(bench.log().start_of(2) == 64000);
  BOOST_TEST(bench.log().head_waits.empty());
}

BOOST_AUTO_TEST_CASE(read_after_write_waits) {
  KernelBench bench(without_await());
  bench.launch([](TlContext& tl) {
    const TensorHandle a = tl.empty(kShape), b = tl.empty(kShape), c = tl.empty(kShape);
    tl.copy(a, b);
    tl.copy(b, c);
  });
  simulate();
  require_second_waits_for_first(bench);
}

BOOST_AUTO_TEST_CASE(write_after_read_waits) {
  KernelBench bench(without_await());
  bench.launch([](TlContext& tl) {
    const TensorHandle a = tl.empty(kShape), b = tl.empty(kShape), c = tl.empty(kShape);
    tl.copy(a, b);
    tl.copy(c, a);
  });
  simulate();
  require_second_waits_for_first(bench);
}

BOOST_AUTO_TEST_CASE(write_after_write_waits) {
  KernelBench bench(without_await());
  bench.launch([](TlContext& tl) {
    const TensorHandle a = tl.empty(kShape), b = tl.empty(kShape), c = tl.empty(kShape);
    tl.copy(a, c);
    tl.copy(b, c);
  });
  simulate();
  require_second_waits_for_first(bench);
}

// SPEC 11.8: a primitive waits for those it conflicts with, a composite that conflicts at all for everything
// earlier. Command 1 is long, 65536 elements of exp; command 2, a product, is short; command 3 reads what 2
// writes.
BOOST_AUTO_TEST_CASE(a_primitive_waits_for_its_conflicts_and_a_composite_for_all) {
  const auto kernel = [](bool composite) {
    return [composite](TlContext& tl) {
      const TensorHandle a = tl.empty({65536}, DType::f16), b = tl.empty({65536}, DType::f16);
      const TensorHandle c = tl.empty({64, 64}, DType::f16), d = tl.empty({64, 64}, DType::f16);
      const TensorHandle e = tl.empty({64, 64});
      tl.exp(a, b);
      const TensorHandle product_of_c = tl.dot(c, c, {d, std::nullopt});
      if (composite)
        tl.composite(product(product_of_c, c, e));
      else
        tl.dot(product_of_c, c, {e, std::nullopt});
    };
  };
  KernelBench primitive(without_await());
  KernelBench composite(without_await());
  primitive.launch(kernel(false));
  composite.launch(kernel(true));
  simulate();
  const auto waits = [](const KernelBench& bench) {
    BOOST_TEST_REQUIRE(bench.log().head_waits.size() == 1U);
    return bench.log().head_waits.front().waits_on;
  };
  BOOST_TEST((waits(primitive) == std::vector<CompletionId>{2}));
  BOOST_TEST((waits(composite) == std::vector<CompletionId>{1, 2}));
  const std::int64_t first = primitive.log().completion_of(1).at_ps;
  const std::int64_t second = primitive.log().completion_of(2).at_ps;
  BOOST_TEST(second < first);
  BOOST_TEST(primitive.log().completion_of(3).taken_ps == second);
  BOOST_TEST(composite.log().completion_of(3).taken_ps == composite.log().completion_of(1).at_ps);
  require_no_violations(primitive.op_log());
  require_no_violations(composite.op_log());
}

// ADR-0065 test 4, first half, and F47: both composites update O.
BOOST_AUTO_TEST_CASE(composites_that_share_an_rw_handle_do_not_interleave) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    const TensorHandle o = tl.empty({32, 32});
    for (std::uint64_t i = 0; i < 2; ++i) {
      CompositeRequest request =
          product(tl.empty({32, 128}, DType::f16), tl.ref(0x10000 * i, {128, 32}, DType::f16), o);
      request.epilogue = {CompositeEntry("add", {{"other", o}})};
      tl.composite(request);
    }
  });
  simulate();
  BOOST_TEST(bench.log().start_of(2) >= bench.log().end_of(1));
  BOOST_TEST(bench.log().completion_of(1).at_ps < bench.log().completion_of(2).at_ps);
  require_no_violations(bench.op_log());
}

// ADR-0065 test 4, second half: stages of the second start before the first has completed.
BOOST_AUTO_TEST_CASE(composites_that_share_nothing_overlap) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    for (std::uint64_t i = 0; i < 2; ++i)
      tl.composite(product(tl.empty({32, 1024}, DType::f16), tl.ref(0x100000 * i, {1024, 32}, DType::f16),
                           tl.empty({32, 32})));
  });
  simulate();
  BOOST_TEST(bench.log().start_of(2) < bench.log().end_of(1));
  BOOST_TEST(bench.log().completion_of(2).taken_ps < bench.log().completion_of(1).at_ps);
  require_no_violations(bench.op_log());
}

// F05: two composites with their own m, l and O, whose scratch scopes hand out the same addresses. The GEMM
// is slowed to one MAC a cycle, so that the second's prologue could easily start first.
BOOST_AUTO_TEST_CASE(reused_scratch_is_not_written_while_an_earlier_command_reads_it) {
  PlatformConfig config = without_await();
  config.pes.front().gemm.macs_per_cycle_f32 = 1.0;
  KernelBench bench(config);
  bench.launch([](TlContext& tl) {
    const DecodeTensors a(tl, 0x1000);
    const DecodeTensors b(tl, 0x2000);
    for (const DecodeTensors* const tensors : {&a, &b}) {
      const ScratchScope scope = tl.scratch_scope();
      tensors->issue_second_composite(tl);
    }
  });
  simulate();
  const auto p_written = [&](CompletionId command) {
    for (const LoggedStage& stage : bench.log().stages_of(command, StageKind::store))
      if (stage.op_index == 3) return stage;  // exp_diff(s, m_new)
    throw std::out_of_range("P is never written");
  };
  const auto p_read = [&](CompletionId command) {
    for (const LoggedStage& stage : bench.log().stages_of(command, StageKind::fetch))
      if (stage.op == "gemm") return stage;  // operand a
    throw std::out_of_range("P is never read");
  };
  BOOST_TEST((p_written(1).writes.front() == p_written(2).writes.front()));
  BOOST_TEST((p_read(1).reads.front() == p_written(1).writes.front()));
  BOOST_TEST(p_written(2).start_ps >= p_read(1).end_ps);
  BOOST_TEST(bench.log().start_of(2) >= bench.log().completion_of(1).at_ps);
  require_no_violations(bench.op_log());
}

// F47: a result used without a wait. Auto-await keeps the CPU; without it the tracker keeps the command.
BOOST_AUTO_TEST_CASE(a_consumer_starts_after_its_producer_has_ended) {
  const Kernel kernel = [](TlContext& tl) {
    const TensorHandle loaded = tl.load(tl.ref(0, {32, 32}, DType::f16));
    tl.dot(loaded, loaded);
  };
  KernelBench awaited;
  KernelBench tracked(without_await());
  awaited.launch(kernel);
  tracked.launch(kernel);
  simulate();
  for (const KernelBench* const bench : {&awaited, &tracked}) {
    BOOST_TEST(bench->log().start_of(2) >= bench->log().end_of(1));
    require_no_violations(bench->op_log());
  }
  // With it the CPU waits before it pays; without it the command waits at the queue's head.
  BOOST_TEST(awaited.log().dispatch_of(2).start_ps == awaited.log().end_of(1));
  BOOST_TEST(awaited.log().head_waits.empty());
  BOOST_TEST(tracked.log().dispatch_of(2).start_ps == 0);
  BOOST_TEST(tracked.log().head_waits.size() == 1U);
}

// SPEC 11.9: a composite that is fed by a pending load does not keep the CPU.
BOOST_AUTO_TEST_CASE(a_composite_on_a_pending_load_waits_in_the_queue_not_on_the_cpu) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    const TensorHandle loaded = tl.load(tl.ref(0, {32, 32}, DType::f16));
    tl.composite(product(loaded, tl.empty({32, 32}, DType::f16), tl.empty({32, 32})));
    tl.zeros({4});
  });
  simulate();
  const EventLog& log = bench.log();
  BOOST_TEST(log.dispatch_of(2).start_ps == log.dispatch_of(1).end_ps);
  BOOST_TEST(log.dispatch_of(3).start_ps == log.dispatch_of(2).end_ps);
  BOOST_TEST(log.start_of(2) >= log.end_of(1));
  BOOST_TEST_REQUIRE(!log.head_waits.empty());
  BOOST_TEST(log.head_waits.front().command == 2U);
  require_no_violations(bench.op_log());
}

// SPEC 5: starts are in order, so a command without conflicts does not overtake one that waits.
BOOST_AUTO_TEST_CASE(nothing_overtakes_a_command_that_waits) {
  KernelBench bench(without_await());
  bench.launch([](TlContext& tl) {
    const TensorHandle a = tl.empty(kShape), b = tl.empty(kShape), c = tl.empty(kShape);
    const TensorHandle d = tl.empty(kShape), e = tl.empty(kShape);
    tl.copy(a, b);
    tl.copy(b, c);
    tl.copy(d, e);
  });
  simulate();
  BOOST_TEST(bench.log().completion_of(3).taken_ps == kCopyPs);
  BOOST_TEST(bench.log().start_of(3) > bench.log().start_of(2));
}

// `max_in_flight: 1` is the strict reading of D6.3, and F07 (a): all three complete.
BOOST_AUTO_TEST_CASE(a_window_of_one_runs_one_command_at_a_time) {
  PlatformConfig config = without_await();
  config.pes.front().scheduler.max_in_flight = 1;
  KernelBench bench(config);
  bench.launch([](TlContext& tl) {
    for (int i = 0; i < 3; ++i) tl.copy(tl.empty(kShape), tl.empty(kShape));
  });
  simulate();
  BOOST_CHECK_NO_THROW(bench.platform().finish());
  BOOST_TEST_REQUIRE(bench.log().completions.size() == 3U);
  for (CompletionId command = 1; command <= 3; ++command) {
    const auto before = static_cast<std::int64_t>(command - 1);
    BOOST_TEST(bench.log().completion_of(command).taken_ps == before * kCopyPs);
    BOOST_TEST(bench.log().completion_of(command).at_ps == (before + 1) * kCopyPs);
  }
  for (const LoggedWait& wait : bench.log().head_waits) BOOST_TEST((wait.reason == HeadWait::window));
  require_no_violations(bench.op_log());
}

BOOST_AUTO_TEST_SUITE_END()
