// SPDX-License-Identifier: Apache-2.0
//
// F12: resets while something is under way, by register and by pin; what comes after is as if new.
#include <boost/test/unit_test.hpp>

#include "pe_device/device_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

std::vector<SlotImage> load_from(std::uint64_t address, TensorTable& table) {
  return slots_of(steps_of([address](TlContext& tl) {
                    tl.store(tl.ref(address + 0x8000, {256}, DType::f32),
                             tl.load(tl.ref(address, {256}, DType::f32)));
                  }),
                  table);
}

/// The load is under way when the reset comes.
struct ResetInMidLoad {
  using Reset = std::function<void(DeviceBench&)>;

  ResetInMidLoad(const char* name, const DeviceBenchConfig& config, Reset reset)
      : bench(name, config, [this, reset](DeviceBench& device) {
          TensorTable table;
          std::vector<SlotImage> slots = load_from(0x1000, table);
          device.write_table(table);
          device.enable_ring();
          device.push(slots);
          while (device.log.dispatches.empty()) sc_core::wait(ns(1));
          sc_core::wait(ns(60));
          reset(device);
          reset_at = sc_core::sc_time_stamp();
          status_after = device.read(RegisterId::status);
          pending_after = device.read(RegisterId::int_status);
          sc_core::wait(ns(1000));
          status_later = device.read(RegisterId::status);
          completed_before = device.log.completions.size();
          irq_seen = device.irq.read();
          TensorTable second;
          slots = load_from(0x2000, second);
          device.write_table(second);
          device.enable_ring();
          device.run(slots);
          completed = device.read_pair(RegisterId::count_completed_lo);
        }) {
    for (std::size_t byte = 0; byte < 0x4000; ++byte)
      bench.bytes()[byte] = static_cast<unsigned char>(byte % 251);
  }

  void require_clean() {
    BOOST_TEST(bench.script_ended);
    BOOST_TEST((status_after & status_bit::kEnabled) == 0U);
    BOOST_TEST((status_after & status_bit::kBusy) != 0U);
    BOOST_TEST(pending_after == 0U);
    BOOST_TEST(status_later == 0U);
    BOOST_TEST(completed_before == 0U);
    BOOST_TEST(!irq_seen);
    BOOST_TEST(completed == 2U);
    for (std::size_t byte = 0; byte < 1024; ++byte) {
      BOOST_TEST_REQUIRE(bench.bytes()[0xA000 + byte] == bench.bytes()[0x2000 + byte]);
      BOOST_TEST_REQUIRE(bench.bytes()[0x9000 + byte] == 0);
    }
  }

  sc_core::sc_time reset_at;
  std::uint32_t status_after = 0;
  std::uint32_t status_later = 99;
  std::uint32_t pending_after = 99;
  std::size_t completed_before = 99;
  std::uint64_t completed = 0;
  bool irq_seen = true;
  DeviceBench bench;
};

DeviceBenchConfig slow(MemoryKind kind) {
  DeviceBenchConfig config;
  config.memory = kind;
  config.latency = ns(100);
  return config;
}

void by_register(DeviceBench& device) {
  device.write(RegisterId::control, control_bit::kSoftReset);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(device_reset)

BOOST_AUTO_TEST_CASE(a_soft_reset_while_busy_leaves_nothing_behind) {
  ResetInMidLoad lt("lt", slow(MemoryKind::lt_annotates), by_register);
  ResetInMidLoad waits("waits", slow(MemoryKind::lt_waits), by_register);
  ResetInMidLoad at("at", slow(MemoryKind::at), by_register);
  simulate_devices();
  lt.require_clean();
  waits.require_clean();
  at.require_clean();
}

BOOST_AUTO_TEST_CASE(the_reset_pin_holds_the_device_in_reset) {
  ResetInMidLoad run("npu", slow(MemoryKind::lt_annotates), [](DeviceBench& device) {
    device.reset_pin.write(true);
    sc_core::wait(ns(1));
    device.write(RegisterId::int_enable, interrupt_bit::kAll);  // does nothing
    BOOST_TEST(device.read(RegisterId::int_enable) == 0U);
    device.reset_pin.write(false);
    sc_core::wait(ns(1));
  });
  simulate_devices();
  run.require_clean();
}

// Commands in every state: reading, dispatching, queued, held by a hazard, computing; a reset at any time is
// clean.
BOOST_AUTO_TEST_CASE(a_reset_at_any_time_is_clean) {
  std::vector<std::unique_ptr<DeviceBench>> benches;
  std::vector<std::uint64_t> completed(40, 0);
  for (std::size_t round = 0; round < completed.size(); ++round) {
    const auto script = [&completed, round](DeviceBench& device) {
      TensorTable table;
      const auto kernel = [](TlContext& tl) {
        const TensorHandle a = tl.load(tl.ref(0x1000, {64, 64}, DType::f32));
        const TensorHandle b = tl.load(tl.ref(0x6000, {64, 64}, DType::f32));
        const TensorHandle c = tl.dot(a, b);
        tl.store(tl.ref(0xB000, {64, 64}, DType::f32), tl.exp(c));
      };
      const std::vector<SlotImage> slots = slots_of(steps_of(kernel), table);
      device.write_table(table);
      device.enable_ring();
      device.push(slots);
      sc_core::wait(ns(static_cast<double>(37 * round)));
      by_register(device);
      while ((device.read(RegisterId::status) & status_bit::kResetting) != 0) sc_core::wait(ns(10));
      device.enable_ring();
      device.run(slots);
      completed[round] = device.read_pair(RegisterId::count_completed_lo);
    };
    benches.push_back(
        std::make_unique<DeviceBench>(("npu" + std::to_string(round)).c_str(),
                                      slow(round % 2 == 0 ? MemoryKind::at : MemoryKind::lt_waits), script));
  }
  simulate_devices();
  for (std::size_t round = 0; round < completed.size(); ++round)
    BOOST_TEST(completed[round] == 5U, "reset after " << 37 * round << " ns");
}

BOOST_AUTO_TEST_SUITE_END()
