// SPDX-License-Identifier: Apache-2.0
//
// F39: every knob does what its documentation says, and nothing else.
//
// The work is ten one-op composites of 54 bytes: a [32, 64] f16 from TCM times b [64, 32] f16 from HBM. Of
// each, b's DMA moves 4096 bytes over 8 pseudo-channels of 32 GB/s: 16 ns and 100 ns of latency; two FETCHes
// of 4096 bytes at 512 GB/s: 8 ns; GEMM of 65536 MACs at 4096 a cycle: 16 ns; STORE of 4096 bytes: 8 ns.
#include <boost/test/unit_test.hpp>
#include <functional>

#include "petal/command/error.hpp"
#include "support/kernel_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Change = std::function<void(PlatformConfig&)>;

/// What one run of the work looks like, in picoseconds.
struct Measured {
  std::int64_t dispatch = 0;  ///< of all ten commands
  std::int64_t dma_busy = 0;
  std::int64_t dma_latency = 0;
  std::int64_t fetch = 0;
  std::int64_t gemm = 0;
  std::int64_t store = 0;
  std::int64_t plan = 0;  ///< from taking the first command to its first stage
};

std::ostream& operator<<(std::ostream& out, const Measured& m) {
  return out << "dispatch " << m.dispatch << ", dma " << m.dma_busy << " + " << m.dma_latency << ", fetch "
             << m.fetch << ", gemm " << m.gemm << ", store " << m.store << ", plan " << m.plan;
}

bool operator==(const Measured& a, const Measured& b) {
  return a.dispatch == b.dispatch && a.dma_busy == b.dma_busy && a.dma_latency == b.dma_latency &&
         a.fetch == b.fetch && a.gemm == b.gemm && a.store == b.store && a.plan == b.plan;
}

constexpr Measured kBase{433750, 16000, 100000, 8000, 16000, 8000, 0};

void ten_products(TlContext& tl) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    CompositeRequest request;
    request.a = tl.empty({32, 64}, DType::f16);
    request.b = tl.ref(0x10000 * i, {64, 32}, DType::f16);
    request.out = tl.empty({32, 32});
    tl.composite(request);
  }
}

Measured measure(const EventLog& log) {
  Measured measured;
  for (const LoggedDispatch& dispatch : log.dispatches)
    measured.dispatch += dispatch.end_ps - dispatch.start_ps;
  const LoggedStage read = log.stages_of(1, StageKind::dma_read).front();
  measured.dma_busy = read.busy_ps();
  measured.dma_latency = read.end_ps - read.busy_end_ps;
  measured.fetch = log.stages_of(1, StageKind::fetch).front().duration_ps();
  measured.gemm = log.stages_of(1, StageKind::gemm).front().duration_ps();
  measured.store = log.stages_of(1, StageKind::store).front().duration_ps();
  measured.plan = log.start_of(1) - log.completion_of(1).taken_ps;
  return measured;
}

struct KnobCase {
  const char* name;
  Change change;
  Measured expected;
};

PeConfig& pe(PlatformConfig& config) {
  return config.pes.front();
}

SystolicArray& systolic(PlatformConfig& config) {
  pe(config).gemm.model = GemmModel::systolic;
  return pe(config).gemm.array;
}

std::vector<KnobCase> knob_cases() {
  const auto with = [](auto&& edit) {
    Measured expected = kBase;
    edit(expected);
    return expected;
  };
  return {
      {"none", [](auto&) {}, kBase},
      {"hbm bandwidth x 2", [](auto& c) { c.hbm.channel_bandwidth = Bandwidth(64); },
       with([](Measured& m) { m.dma_busy = 8000; })},
      {"hbm efficiency 0.5", [](auto& c) { c.hbm.efficiency = 0.5; },
       with([](Measured& m) { m.dma_busy = 32000; })},
      {"hbm channels 4", [](auto& c) { c.hbm.channels = 4; }, with([](Measured& m) { m.dma_busy = 32000; })},
      {"hbm latency 50", [](auto& c) { c.hbm.latency_ns = 50; },
       with([](Measured& m) { m.dma_latency = 50000; })},
      // One block of 4096 bytes lies on one channel.
      {"hbm interleave 4096", [](auto& c) { c.hbm.interleave_bytes = 4096; },
       with([](Measured& m) { m.dma_busy = 128000; })},
      {"clock 0.5", [](auto& c) { pe(c).clock = ClockFrequency(0.5); }, with([](Measured& m) {
         m.dispatch = 867500;
         m.gemm = 32000;
       })},
      {"FIXED x 2: + 400 cycles", [](auto& c) { pe(c).cost.fixed_per_cmd_cycles = 80; },
       with([](Measured& m) { m.dispatch = 833750; })},
      {"R x 2: + 33.75 cycles", [](auto& c) { pe(c).cost.byte_cycles_recip = 0.125; },
       with([](Measured& m) { m.dispatch = 467500; })},
      {"dma setup 5", [](auto& c) { pe(c).dma.setup_cycles = 5; },
       with([](Measured& m) { m.dma_busy = 21000; })},
      {"fetch bandwidth / 2", [](auto& c) { pe(c).fetch_store.read = Bandwidth(256); },
       with([](Measured& m) { m.fetch = 16000; })},
      {"store bandwidth / 2", [](auto& c) { pe(c).fetch_store.write = Bandwidth(256); },
       with([](Measured& m) { m.store = 16000; })},
      {"fetch and store setup 3", [](auto& c) { pe(c).fetch_store.setup_cycles = 3; }, with([](Measured& m) {
         m.fetch = 11000;
         m.store = 11000;
       })},
      {"f16 MACs / 2", [](auto& c) { pe(c).gemm.macs_per_cycle_f16 = 2048; },
       with([](Measured& m) { m.gemm = 32000; })},
      {"rows in passes of 48", [](auto& c) { pe(c).gemm.m_quantum = 48; },
       with([](Measured& m) { m.gemm = 24000; })},
      {"output stationary 64 x 64: 64 + 64 + 64 - 2 cycles",
       [](auto& c) { pe(c).gemm.model = GemmModel::systolic; }, with([](Measured& m) { m.gemm = 190000; })},
      {"16 rows: 2 x (64 + 16 + 64 - 2) cycles", [](auto& c) { systolic(c).rows = 16; },
       with([](Measured& m) { m.gemm = 284000; })},
      {"8 columns: 4 x (64 + 64 + 8 - 2) cycles", [](auto& c) { systolic(c).cols = 8; },
       with([](Measured& m) { m.gemm = 536000; })},
      {"weight stationary, 16 rows, 8 columns: 4 x 4 x (32 + 32 + 8 - 2) cycles",
       [](auto& c) {
         systolic(c) = {16, 8, Dataflow::weight_stationary, Preload::exposed};
       },
       with([](Measured& m) { m.gemm = 1120000; })},
      {"its loads overlapped: 16 + 4 x 4 x (32 + 16 + 8 - 2) cycles",
       [](auto& c) {
         systolic(c) = {16, 8, Dataflow::weight_stationary, Preload::overlapped};
       },
       with([](Measured& m) { m.gemm = 880000; })},
      {"input stationary, 48 rows, 16 columns: 2 x 2 x (32 + 96 + 16 - 2) cycles",
       [](auto& c) {
         systolic(c) = {48, 16, Dataflow::input_stationary, Preload::exposed};
       },
       with([](Measured& m) { m.gemm = 568000; })},
      {"plan 10 cycles an op", [](auto& c) { pe(c).scheduler.plan_cycles_per_op = 10; },
       with([](Measured& m) { m.plan = 10000; })},
  };
}

/// Two runs of the same kernel that differ by one knob.
class Pair {
 public:
  Pair(const Kernel& kernel, const Change& both, const Change& knob) {
    PlatformConfig config;
    both(config);
    base_ = std::make_unique<KernelBench>(config);
    knob(config);
    changed_ = std::make_unique<KernelBench>(config);
    base_->launch(kernel);
    changed_->launch(kernel);
  }
  const KernelBench& base() const { return *base_; }
  const KernelBench& changed() const { return *changed_; }

 private:
  std::unique_ptr<KernelBench> base_;
  std::unique_ptr<KernelBench> changed_;
};

void change_nothing(PlatformConfig&) {}

/// 32 x 1024 x 32, both operands streamed: sixteen steps.
void streamed_product(TlContext& tl) {
  CompositeRequest request;
  request.a = tl.ref(0x0, {32, 1024}, DType::f16);
  request.b = tl.ref(0x100000, {1024, 32}, DType::f16);
  request.out = tl.ref(0x200000, {32, 32}, DType::f32);
  tl.composite(request);
}

bool overlap(const LoggedStage& a, const LoggedStage& b) {
  return std::max(a.start_ps, b.start_ps) < std::min(a.end_ps, b.end_ps);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(knob)

BOOST_AUTO_TEST_CASE(a_knob_changes_what_it_names_and_nothing_else) {
  const std::vector<KnobCase> cases = knob_cases();
  std::vector<std::unique_ptr<KernelBench>> benches;
  for (const KnobCase& knob : cases) {
    PlatformConfig config;
    knob.change(config);
    benches.push_back(std::make_unique<KernelBench>(config));
    benches.back()->launch(ten_products);
  }
  simulate();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    BOOST_TEST_CONTEXT(cases[i].name) {
      BOOST_TEST(measure(benches[i]->log()) == cases[i].expected);
      require_no_violations(benches[i]->op_log());
    }
  }
}

// 4096 elements in 64 vectors: neg 4 + 64 = 68 cycles, exp 4 + 4 x 64 = 260.
BOOST_AUTO_TEST_CASE(math_takes_startup_and_vectors) {
  struct MathCase {
    Change change;
    std::int64_t neg_ps;
    std::int64_t exp_ps;
  };
  const std::vector<MathCase> cases = {
      {change_nothing, 68000, 260000},
      {[](auto& c) { pe(c).math.lanes = 32; }, 132000, 516000},
      {[](auto& c) { pe(c).math.lanes = 100; }, 45000, 168000},  // 41 vectors
      {[](auto& c) { pe(c).math.startup_cycles = 8; }, 72000, 264000},
      {[](auto& c) { pe(c).math.fast_cycles = 2; }, 132000, 260000},
      {[](auto& c) { pe(c).math.slow_cycles = 8; }, 68000, 516000},
  };
  std::vector<std::unique_ptr<KernelBench>> benches;
  for (const MathCase& math : cases) {
    PlatformConfig config;
    math.change(config);
    benches.push_back(std::make_unique<KernelBench>(config));
    benches.back()->launch([](TlContext& tl) {
      tl.neg(tl.empty({64, 64}));
      tl.exp(tl.empty({64, 64}));
    });
  }
  simulate();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const EventLog& log = benches[i]->log();
    BOOST_TEST(log.stages_of(1, StageKind::math).front().duration_ps() == cases[i].neg_ps);
    BOOST_TEST(log.stages_of(2, StageKind::math).front().duration_ps() == cases[i].exp_ps);
  }
}

// With 4 staging slots reads run ahead of compute; with one, each waits until the step before it was fetched.
BOOST_AUTO_TEST_CASE(tile_buffers_bound_how_far_reads_run_ahead) {
  const Pair pair(streamed_product, change_nothing, [](auto& c) { pe(c).scheduler.tile_buffers = 1; });
  simulate();
  const std::vector<LoggedStage> ahead = pair.base().log().stages_of(1, StageKind::dma_read);
  const std::vector<LoggedStage> bound = pair.changed().log().stages_of(1, StageKind::dma_read);
  const std::vector<LoggedStage> bound_fetches = pair.changed().log().stages_of(1, StageKind::fetch);
  BOOST_TEST_REQUIRE(bound.size() == 32U);
  BOOST_TEST(ahead[2].start_ps < ahead[0].end_ps);
  for (std::size_t step = 1; step < 16; ++step)
    BOOST_TEST(bound[2 * step].start_ps == bound_fetches[2 * step - 1].end_ps);
  BOOST_TEST(pair.changed().end_ps() > pair.base().end_ps());
  require_no_violations(pair.changed().op_log());
}

BOOST_AUTO_TEST_CASE(dma_outstanding_bounds_transfers_whose_data_has_not_arrived) {
  const Pair pair(streamed_product, change_nothing, [](auto& c) { pe(c).dma.outstanding = 1; });
  simulate();
  const std::vector<LoggedStage> reads = pair.changed().log().stages_of(1, StageKind::dma_read);
  for (std::size_t i = 1; i < reads.size(); ++i) BOOST_TEST(reads[i].start_ps >= reads[i - 1].end_ps);
  BOOST_TEST(pair.changed().end_ps() > pair.base().end_ps());
}

BOOST_AUTO_TEST_CASE(a_shared_compute_slot_lets_gemm_and_math_exclude_each_other) {
  const Kernel kernel = [](TlContext& tl) {
    const TensorHandle a = tl.empty({256, 64}, DType::f16);
    tl.dot(a, tl.trans(a));
    tl.exp(tl.empty({64, 64}));
  };
  const Pair pair(
      kernel, [](auto& c) { pe(c).cost.fixed_per_cmd_cycles = 0; },
      [](auto& c) { pe(c).compute_slot = ComputeSlot::shared; });
  simulate();
  const auto overlaps = [](const KernelBench& bench) {
    const LoggedStage math = bench.log().stages_of_kind(StageKind::math).front();
    std::size_t count = 0;
    for (const LoggedStage& gemm : bench.log().stages_of_kind(StageKind::gemm))
      count += overlap(gemm, math) ? 1U : 0U;
    return count;
  };
  BOOST_TEST(overlaps(pair.base()) > 0U);
  BOOST_TEST(overlaps(pair.changed()) == 0U);
  require_no_violations(pair.changed().op_log());
}

// 40 x 72 x 40 in tiles of 32 x 64 x 32: each GEMM is a sequence of folds of its own. On 32 x 32, ws, a full
// tile is 2 folds deep, 32 + 2 x (32 + 32 + 32 - 2) = 220 cycles with its loads overlapped; a depth of 8 is
// one fold, 32 + 94 = 126; 8 rows are 32 + 2 x 70 = 172 and 32 + 70 = 102. A width of 8 is one fold across,
// as 32 is.
BOOST_AUTO_TEST_CASE(each_gemm_of_a_tile_loop_is_a_fold_sequence_of_its_own) {
  PlatformConfig config;
  systolic(config) = {32, 32, Dataflow::weight_stationary, Preload::overlapped};
  KernelBench bench(config);
  bench.launch([](TlContext& tl) { gemm_in_tcm(tl, 40, 72, 40); });
  simulate();
  std::vector<std::int64_t> durations;
  for (const LoggedStage& gemm : bench.log().stages_of(1, StageKind::gemm))
    durations.push_back(gemm.duration_ps());
  const std::vector<std::int64_t> expected{220000, 126000, 220000, 126000, 172000, 102000, 172000, 102000};
  BOOST_TEST(durations == expected, boost::test_tools::per_element());
  require_no_violations(bench.op_log());
}

// A FETCH of 32 x 64 is 4096 bytes, of 16 x 64 half of it.
BOOST_AUTO_TEST_CASE(gemm_tile_sets_the_steps) {
  const Pair pair([](TlContext& tl) { gemm_in_tcm(tl, 32, 64, 32); }, change_nothing,
                  [](auto& c) {
                    pe(c).scheduler.gemm_tile = {16, 32, 8};
                  });
  simulate();
  BOOST_TEST(pair.base().log().stages_of(1, StageKind::gemm).size() == 1U);
  BOOST_TEST(pair.changed().log().stages_of(1, StageKind::gemm).size() == 2U * 2 * 4);
  BOOST_TEST(pair.changed().log().stages_of(1, StageKind::store).size() == 2U * 4);
  BOOST_TEST(pair.base().summary().total.macs == pair.changed().summary().total.macs);
}

// 8 rows of 256 bytes, 2048 apart: plain modulo puts all on one channel, 64 ns; the fold spreads them over 8,
// 8 ns.
BOOST_AUTO_TEST_CASE(interleave_decides_what_a_power_of_two_stride_costs) {
  const Pair pair(
      [](TlContext& tl) {
        tl.load(tl.ref(0, {8, 128}, DType::f16, {1024, 1}));
      },
      change_nothing, [](auto& c) { c.hbm.interleave = HbmInterleave::modulo; });
  simulate();
  BOOST_TEST(pair.base().log().stages_of(1).front().busy_ps() == 8000);
  BOOST_TEST(pair.changed().log().stages_of(1).front().busy_ps() == 64000);
}

// Two PEs load 4096 bytes from one page at one instant: from memories of their own they take 16 ns each; from
// a shared one the second waits for the first.
BOOST_AUTO_TEST_CASE(a_shared_memory_makes_pes_contend) {
  const Pair pair([](TlContext& tl) { tl.load(tl.ref(0, {2048}, DType::f16)); },
                  [](auto& c) {
                    c.pes.push_back(c.pes.front());
                    c.pes.back().name = "pe1";
                  },
                  [](auto& c) { c.hbm.scope = HbmScope::shared; });
  simulate();
  const auto busy_ps = [](const KernelBench& bench) {
    std::vector<std::int64_t> busy;
    for (PeIndex index = 0; index < 2; ++index)
      for (const LoggedStage& stage : bench.log().stages)
        if (stage.pe == index) busy.push_back(stage.busy_ps());
    return busy;
  };
  BOOST_TEST((busy_ps(pair.base()) == std::vector<std::int64_t>{16000, 16000}));
  BOOST_TEST((busy_ps(pair.changed()) == std::vector<std::int64_t>{16000, 32000}));
}

// `all` makes the CPU wait for a composite's inputs too, `none` for no inputs.
BOOST_AUTO_TEST_CASE(auto_await_says_which_commands_the_cpu_waits_with) {
  const Kernel kernel = [](TlContext& tl) {
    const TensorHandle loaded = tl.load(tl.ref(0, {32, 32}, DType::f16));
    CompositeRequest request;
    request.a = loaded;
    request.b = tl.empty({32, 32}, DType::f16);
    tl.composite(request);
    tl.dot(loaded, loaded);
  };
  const auto bench_with = [&](AutoAwait await) {
    PlatformConfig config;
    pe(config).cpu.auto_await = await;
    auto bench = std::make_unique<KernelBench>(config);
    bench->launch(kernel);
    return bench;
  };
  const auto primitive = bench_with(AutoAwait::primitive);
  const auto all = bench_with(AutoAwait::all);
  const auto none = bench_with(AutoAwait::none);
  simulate();
  const std::int64_t issued = 41500;  // the load's dispatch
  const std::int64_t loaded = primitive->log().end_of(1);
  BOOST_TEST(loaded > 41500 + 43375);
  BOOST_TEST(none->log().dispatch_of(2).start_ps == issued);
  BOOST_TEST(none->log().dispatch_of(3).start_ps == issued + 43375);
  BOOST_TEST(primitive->log().dispatch_of(2).start_ps == issued);
  BOOST_TEST(primitive->log().dispatch_of(3).start_ps == loaded);
  BOOST_TEST(all->log().dispatch_of(2).start_ps == loaded);
  BOOST_TEST(all->log().dispatch_of(3).start_ps == loaded + 43375);
}

// The arena is what a kernel may allocate: 4096 bytes hold [32, 32] f32, and not a byte more.
BOOST_AUTO_TEST_CASE(tcm_arena_bounds_what_a_kernel_allocates) {
  PlatformConfig config;
  pe(config).tcm.arena = Bytes(4096);
  KernelBench fits(config);
  fits.launch([](TlContext& tl) { tl.zeros({32, 32}); });
  KernelBench overflows(config);
  overflows.launch([](TlContext& tl) {
    tl.cycles(100000);  // after the other platform has finished
    tl.wait(tl.zeros({32, 32}));
    tl.zeros({1});
  });
  simulate();
  BOOST_CHECK_THROW(overflows.platform().finish(), EmitError);
}

BOOST_AUTO_TEST_SUITE_END()
