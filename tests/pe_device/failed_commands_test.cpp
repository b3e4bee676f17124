// SPDX-License-Identifier: Apache-2.0
//
// Commands that fail: they end alone, with a status, and take with them only what depends on them.
#include <boost/test/unit_test.hpp>

#include <sstream>

#include "pe_device/device_bench.hpp"
#include "petal/check/check_report.hpp"
#include "petal/config/effective_config.hpp"
#include "petal/observe/op_log.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// A load of 1024 bytes (4 bursts), a product that reads it, then a load and a copy that have nothing to do
/// with either. Entries 1 to 4.
void dependent_and_independent(TlContext& tl) {
  const TensorHandle a = tl.load(tl.ref(0x1000, {16, 16}, DType::f32));
  const TensorHandle b = tl.empty({16, 16});
  CompositeRequest product;
  product.a = a;
  product.b = b;
  product.out = tl.empty({16, 16});
  tl.composite(product);
  const TensorHandle other = tl.load(tl.ref(0x8000, {16}, DType::f32));
  tl.copy(other, tl.empty({16}));
}

std::vector<CompletionStatus> statuses_by_command(const EventLog& log) {
  std::vector<CompletionStatus> statuses(log.completions.size());
  for (const LoggedCompletion& completion : log.completions)
    statuses.at(completion.command - 1) = completion.status;
  return statuses;
}

struct FailureRun {
  FailureRun(
      const char* name, const DeviceBenchConfig& config, std::function<void(BusMemory&)> sabotage,
      std::function<void(TlContext&)> kernel = dependent_and_independent,
      std::function<void(TensorTable&)> forge = [](TensorTable&) {})
      : bench(name, config, [this, kernel, sabotage, forge](DeviceBench& device) {
          TensorTable table;
          const std::vector<SlotImage> slots = slots_of(steps_of(kernel), table);
          forge(table);
          device.write_table(table);
          device.enable_ring();
          sabotage(device.memory());
          device.run(slots);
          irq_at_end = device.irq.read();
          status = device.read(RegisterId::status);
          cause = device.read(RegisterId::error_cause);
          tag = device.read(RegisterId::error_tag);
          address = device.read_pair(RegisterId::error_address_lo);
          failed = device.read_pair(RegisterId::count_failed_lo);
        }) {}

  bool irq_at_end = false;
  std::uint32_t status = 0;
  std::uint32_t cause = 0;
  std::uint32_t tag = 0;
  std::uint64_t address = 0;
  std::uint64_t failed = 0;
  DeviceBench bench;
};

/// The number of the burst that will read `address`, counted from 1, is not known ahead: the memory fails
/// those in a range instead.
void fail_third_burst_of_load(BusMemory& memory) {
  memory.fail_at(0x1200, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}
void ignore_third_burst_of_load(BusMemory& memory) {
  memory.ignore_at(0x1200);
}

DeviceBenchConfig on(MemoryKind kind) {
  DeviceBenchConfig config;
  config.memory = kind;
  return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(failed_commands)

// F11: an error response, and a response that was never set, on the third burst of a load.
BOOST_AUTO_TEST_CASE(a_burst_that_fails_ends_its_command_and_those_that_depend_on_it) {
  FailureRun lt("lt", on(MemoryKind::lt_annotates), fail_third_burst_of_load);
  FailureRun at("at", on(MemoryKind::at), fail_third_burst_of_load);
  FailureRun untouched("untouched", on(MemoryKind::lt_waits), ignore_third_burst_of_load);
  simulate_devices();
  for (FailureRun* const run : {&lt, &at, &untouched}) {
    BOOST_TEST_CONTEXT(run->bench.name()) {
      BOOST_TEST(run->bench.script_ended);
      BOOST_TEST((statuses_by_command(run->bench.log) ==
                  std::vector<CompletionStatus>{CompletionStatus::transfer_error,
                                                CompletionStatus::dependency_failed, CompletionStatus::ok,
                                                CompletionStatus::ok}));
      for (const LoggedStage& stage : run->bench.log.stages) BOOST_TEST(stage.command != 2U);
      BOOST_TEST(run->irq_at_end);
      BOOST_TEST(run->status == (status_bit::kEnabled | status_bit::kDone));
      BOOST_TEST(run->cause == static_cast<std::uint32_t>(CompletionStatus::transfer_error));
      BOOST_TEST(run->tag == 1U);
      BOOST_TEST(run->address == 0x1200U);
      BOOST_TEST(run->failed == 2U);
    }
  }
}

// Data that failed to come is good again once somebody else writes it, and what fails to be written depends
// on none.
BOOST_AUTO_TEST_CASE(what_is_written_again_is_good) {
  FailureRun run(
      "npu", DeviceBenchConfig(),
      [](BusMemory& memory) { memory.fail_at(0x1000, tlm::TLM_GENERIC_ERROR_RESPONSE); },
      [](TlContext& tl) {
        const TensorHandle a = tl.load(tl.ref(0x1000, {64}, DType::f32));
        const TensorHandle copy = tl.copy(a, tl.empty({64}));  // reads what failed
        tl.copy(tl.full({64}, 1.0F), a);                       // writes it again
        tl.copy(a, copy);
        tl.store(tl.ref(0x3000, {64}, DType::f32), copy);
      });
  simulate_devices();
  BOOST_TEST((statuses_by_command(run.bench.log) ==
              std::vector<CompletionStatus>{
                  CompletionStatus::transfer_error, CompletionStatus::dependency_failed, CompletionStatus::ok,
                  CompletionStatus::ok, CompletionStatus::ok, CompletionStatus::ok}));
  BOOST_TEST(run.bench.values(dense_tensor(Space::hbm, 0x3000, {64}, DType::f32)) == Values(64, 1.0),
             boost::test_tools::per_element());
}

// F32: an address nobody has, with bits above the 32nd; the whole of it arrives at the bus and in the
// register.
BOOST_AUTO_TEST_CASE(a_high_address_is_not_folded) {
  FailureRun run(
      "npu", DeviceBenchConfig(), [](BusMemory&) {},
      [](TlContext& tl) { tl.load(tl.ref(0x8000000000001000U, {16}, DType::f32)); });
  simulate_devices();
  BOOST_TEST(run.cause == static_cast<std::uint32_t>(CompletionStatus::transfer_error));
  BOOST_TEST(run.address == 0x8000000000001000U);
}

// F28: no bytes are no bursts, at the usual price, and one completion.
BOOST_AUTO_TEST_CASE(a_transfer_of_nothing_completes_once) {
  FailureRun run(
      "npu", DeviceBenchConfig(), [](BusMemory&) {},
      [](TlContext& tl) {
        tl.load(tl.ref(0x1000, {0, 64}, DType::f32));
      });
  simulate_devices();
  BOOST_TEST(run.bench.log.completions.size() == 1U);
  BOOST_TEST(run.failed == 0U);
  BOOST_TEST(run.bench.log.dispatches.at(0).cycles == 40 + 24 / 16.0);
  for (const SeenBurst& burst : run.bench.memory().seen()) BOOST_TEST(burst.address >= kRingBase);
}

// The device refuses in its turn what it cannot execute: TCM beyond the arena.
BOOST_AUTO_TEST_CASE(a_command_beyond_the_tcm_is_refused) {
  FailureRun run(
      "npu", DeviceBenchConfig(), [](BusMemory&) {},
      [](TlContext& tl) {
        tl.load(tl.ref(0x1000, {64}, DType::f32));
        tl.exp(tl.load(tl.ref(0x1000, {64}, DType::f32)));
      },
      [](TensorTable& table) {
        // The result of exp, the last tensor named, ends one byte beyond the arena.
        TensorTable moved;
        for (TensorHandle tensor : table.entries()) {
          if (moved.size() + 1 == table.size()) tensor.address = (std::uint64_t{1} << 20U) - 255;
          moved.append(tensor);
        }
        table = moved;
      });
  simulate_devices();
  BOOST_TEST((statuses_by_command(run.bench.log) ==
              std::vector<CompletionStatus>{CompletionStatus::ok, CompletionStatus::ok,
                                            CompletionStatus::command_refused}));
}

/// A load that fails after a while, then a composite of several slices that has nothing to do with it.
void failing_load_and_segments(TlContext& tl) {
  const TensorHandle v = tl.load(tl.ref(0xA000, {64, 64}, DType::f32));
  const TensorHandle scores = tl.zeros({64, 64});
  const TensorHandle out = tl.zeros({64, 64});
  const TensorHandle m = tl.zeros({64});
  const TensorHandle l = tl.zeros({64});
  tl.load(tl.ref(0x1000, {16}, DType::f32));
  CompositeRequest request;
  request.prologue = {CompositeEntry("softmax_merge", {{"s", scores}, {"m", m}, {"l", l}, {"O", out}})};
  request.b = v;
  request.out = tl.empty({64, 64});
  tl.composite(request);
}

// Dispatch takes so long that each slice is taken long after the one before has ended. The load fails at
// thirty times in between.
BOOST_AUTO_TEST_CASE(a_failure_between_two_segments_is_not_theirs) {
  DeviceBenchConfig config;
  config.device.pe.cost = {2000.0, 0.0625, 128};
  config.device.pe.cpu.queue_bytes = Bytes(512);
  config.ring_stride = 144;
  TlOptions options;
  options.composite_cap = Bytes(128);
  std::vector<std::unique_ptr<DeviceBench>> benches;
  for (int run = 0; run < 30; ++run)
    benches.push_back(std::make_unique<DeviceBench>(
        ("npu" + std::to_string(run)).c_str(), config, [&, run](DeviceBench& device) {
          TensorTable table;
          const auto slots = slots_of(steps_of(failing_load_and_segments, options), table);
          device.write_table(table);
          device.enable_ring();
          device.memory().fail_at(0x1000, tlm::TLM_ADDRESS_ERROR_RESPONSE);
          device.memory().set_latency_at(0x1000, ns(20 + 1000 * run));
          device.run(slots);
        }));
  simulate_devices();
  for (const auto& bench : benches) {
    std::size_t failed = 0;
    std::size_t slices = 0;
    for (const LoggedCompletion& completion : bench->log.completions)
      failed += completion.status == CompletionStatus::ok ? 0 : 1;
    for (const LoggedDispatch& dispatch : bench->log.dispatches) slices += dispatch.segments > 1 ? 1 : 0;
    BOOST_TEST(slices >= 3U, bench->name());
    BOOST_TEST(failed == 1U, bench->name());
  }
}

// A log with failed commands keeps the rules: it says which failed, and their stages may be missing.
BOOST_AUTO_TEST_CASE(a_log_with_failed_commands_passes_the_check) {
  FailureRun run("npu", DeviceBenchConfig(), fail_third_burst_of_load);
  OpLog log;
  run.bench.device.events().attach(log);
  simulate_devices();
  ScenarioConfig scenario;
  scenario.platform.pes = {run.bench.device.config().pe};
  std::ostringstream text;
  log.write(text, {"test", effective_json(scenario)});
  BOOST_TEST(text.str().find("complete,1,transfer_error") != std::string::npos);
  std::istringstream lines(text.str());
  const CheckReport report = check_op_log(lines);
  BOOST_TEST(report.ok(), report_text(report));
}

BOOST_AUTO_TEST_SUITE_END()
