// SPDX-License-Identifier: Apache-2.0
//
// The decode kernel fed through the ring: right numbers on any memory, the same commands as a live run.
#include <boost/test/unit_test.hpp>

#include "data_mode/decode_problem.hpp"
#include "pe_device/device_bench.hpp"
#include "petal/host/kernels/gqa_decode.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Two tiles, the second one ragged.
DecodeProblem small_problem(HbmImage& image) {
  DecodeProblem problem(4, 1, 64, 100, DType::f16);
  problem.arguments.tile = 64;
  for (std::size_t index = 0; index < problem.q.size(); ++index)
    problem.q[index] = static_cast<double>(index * 37 % 11) / 8.0 - 0.5;
  for (std::size_t index = 0; index < problem.k.size(); ++index) {
    problem.k[index] = static_cast<double>(index * 53 % 17) / 16.0 - 0.5;
    problem.v[index] = static_cast<double>(index * 29 % 23) / 8.0 - 1.0;
  }
  problem.place(image);
  return problem;
}

std::function<void(TlContext&)> opt2(const GqaDecodeArguments& arguments) {
  return [arguments](TlContext& tl) { gqa_decode_opt2(tl, arguments); };
}

/// A device, and the decode step put before it.
struct DecodeOnDevice {
  explicit DecodeOnDevice(const std::string& name, const DeviceBenchConfig& config = DeviceBenchConfig())
      : problem(small_problem(image)),
        bench(name.c_str(), config, [this](DeviceBench& device) { feed(device); }) {
    bench.load(image, kRingBase);
  }

  void feed(DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = slots_of(steps_of(opt2(problem.arguments)), table);
    device.write_table(table);
    device.enable_ring();
    device.run(slots);
    ended_at = sc_core::sc_time_stamp();
    commands = slots.size();
  }

  DecodeResult result() {
    const GqaDecodeArguments& a = problem.arguments;
    const Dims heads{a.q_heads};
    return {bench.values(dense_tensor(Space::hbm, a.o, {a.q_heads, a.head_dim}, a.out_dtype)),
            bench.values(dense_tensor(Space::hbm, *a.m, heads, DType::f32)),
            bench.values(dense_tensor(Space::hbm, *a.l, heads, DType::f32))};
  }
  void require_right() {
    BOOST_TEST(bench.script_ended);
    BOOST_TEST(bench.memory().violations().empty());
    require_close(result(), problem.solve(), 2e-3, bench.name());
  }

  HbmImage image{Bytes(kMemoryBytes)};
  DecodeProblem problem;
  sc_core::sc_time ended_at;
  std::size_t commands = 0;
  DeviceBench bench;
};

DeviceBenchConfig on(MemoryKind memory) {
  DeviceBenchConfig config;
  config.memory = memory;
  return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(device_decode)

// The same memory model behind b_transport that annotates, b_transport that waits, four phases, and a
// pointer: the same numbers. Times of LT and AT agree to the picosecond.
BOOST_AUTO_TEST_CASE(any_memory_gives_the_same_numbers_and_lt_and_at_the_same_times) {
  DecodeOnDevice annotates("annotates", on(MemoryKind::lt_annotates));
  DecodeOnDevice waits("waits", on(MemoryKind::lt_waits));
  DecodeOnDevice at("at", on(MemoryKind::at));
  DecodeOnDevice dmi("dmi", on(MemoryKind::lt_dmi));
  simulate_devices();
  for (DecodeOnDevice* const device : {&annotates, &waits, &at, &dmi}) {
    device->require_right();
    BOOST_TEST(device->bench.bytes() == annotates.bench.bytes(), device->bench.name());
  }
  BOOST_TEST(waits.ended_at == annotates.ended_at);
  BOOST_TEST(at.ended_at == annotates.ended_at);
  const auto& stages = annotates.bench.log.stages;
  BOOST_TEST_REQUIRE(at.bench.log.stages.size() == stages.size());
  for (std::size_t index = 0; index < stages.size(); ++index) {
    BOOST_TEST(at.bench.log.stages[index].start_ps == stages[index].start_ps);
    BOOST_TEST(at.bench.log.stages[index].end_ps == stages[index].end_ps);
  }
}

// 11.11: command, kind, bytes, cycles and order are those of the live kernel.
BOOST_AUTO_TEST_CASE(a_ring_issues_what_the_live_kernel_issues) {
  DecodeOnDevice device("npu");
  DataBench live;
  EventLog live_log;
  live.platform().attach(live_log);
  live.launch(opt2(device.problem.arguments));
  simulate_devices();
  device.require_right();
  const auto& ringed = device.bench.log.dispatches;
  const auto& expected = live_log.dispatches;
  BOOST_TEST_REQUIRE(ringed.size() == expected.size());
  BOOST_TEST(ringed.size() == device.commands);
  for (std::size_t index = 0; index < ringed.size(); ++index) {
    BOOST_TEST(ringed[index].command == expected[index].command);
    BOOST_TEST(ringed[index].kind == expected[index].kind);
    BOOST_TEST(ringed[index].op == expected[index].op);
    BOOST_TEST(ringed[index].logical_bytes == expected[index].logical_bytes);
    BOOST_TEST(ringed[index].cycles == expected[index].cycles);
  }
}

// A composite of 322 bytes under a cap of 128 is three slices (110, 124, 88): three entries of the ring.
BOOST_AUTO_TEST_CASE(segments_are_entries_of_their_own) {
  DeviceBenchConfig config;
  config.device.pe.cost.max_composite_logical_bytes = 128;
  config.device.pe.cpu.queue_bytes = Bytes(512);
  config.ring_stride = 144;
  HbmImage image{Bytes(kMemoryBytes)};
  const DecodeProblem problem = small_problem(image);
  TlOptions options;
  options.composite_cap = Bytes(128);
  DeviceBench bench("npu", config, [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = slots_of(steps_of(opt2(problem.arguments), options), table);
    device.write_table(table);
    device.enable_ring();
    device.run(slots);
  });
  bench.load(image, kRingBase);
  simulate_devices();
  std::vector<std::uint64_t> bytes;
  for (const LoggedDispatch& dispatch : bench.log.dispatches)
    if (dispatch.segments == 3) bytes.push_back(dispatch.logical_bytes);
  BOOST_TEST(bytes == (std::vector<std::uint64_t>{110, 124, 88, 110, 124, 88}),
             boost::test_tools::per_element());
  const GqaDecodeArguments& a = problem.arguments;
  require_close(bench.values(dense_tensor(Space::hbm, a.o, {a.q_heads, a.head_dim}, a.out_dtype)),
                problem.solve().o, 2e-3, "O");
}

BOOST_AUTO_TEST_SUITE_END()
