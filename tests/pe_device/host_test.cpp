// SPDX-License-Identifier: Apache-2.0
//
// PeDevice as a host of somebody else's sees it: interrupts, processes, resolutions, what is left unbound.
#include <yaml-cpp/yaml.h>
#include <boost/test/unit_test.hpp>

#include "pe_device/device_bench.hpp"
#include "petal/calendar/has_process.hpp"
#include "petal/command/error.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Kernel = std::function<void(TlContext&)>;

std::vector<SlotImage> prepare(DeviceBench& device, const Kernel& kernel) {
  TensorTable table;
  std::vector<SlotImage> slots = slots_of(steps_of(kernel), table);
  device.write_table(table);
  device.enable_ring();
  return slots;
}

/// Doubles 70 numbers: the last of three tiles of the result is partial.
void double_them(TlContext& tl) {
  const TensorHandle x = tl.load(tl.ref(0x1000, {70}, DType::f32));
  tl.store(tl.ref(0x3000, {70}, DType::f32), tl.add(x, x));
}

/// A host that never asks for anything.
struct SilentHost : sc_core::sc_module {
  explicit SilentHost(const sc_core::sc_module_name& name) : sc_module(name) {}
  tlm_utils::simple_initiator_socket<SilentHost, 64> socket{"socket"};
};

/// Looks at the device in the very instant in which the line rises.
class Handler : public sc_core::sc_module {
 public:
  Handler(const sc_core::sc_module_name& name, DeviceBench& bench) : sc_module(name), bench_(bench) {
    SC_METHOD(handle);
    sensitive << bench.irq.posedge_event();
    dont_initialize();
  }
  PETAL_HAS_PROCESS(Handler);

  std::vector<std::uint32_t> statuses;
  std::vector<std::vector<unsigned char>> last_bytes;
  sc_core::sc_time at;

 private:
  void handle() {
    at = sc_core::sc_time_stamp();
    statuses.push_back(bench_.read(RegisterId::status));
    const auto end = bench_.bytes().begin() + 0x3000 + 70 * 4;
    last_bytes.emplace_back(end - 8, end);
    bench_.write(RegisterId::int_status, interrupt_bit::kAll);
    bench_.write(RegisterId::doorbell, bench_.read(RegisterId::ring_tail));
  }

  DeviceBench& bench_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(device_host)

// F42: at the interrupt the data is there, BUSY is 0 and DONE is 1. F34: registers are used from an
// SC_METHOD.
BOOST_AUTO_TEST_CASE(at_the_interrupt_everything_is_done) {
  DeviceBench bench("npu", DeviceBenchConfig(),
                    [](DeviceBench& device) { device.run(prepare(device, double_them)); });
  Handler handler("handler", bench);
  for (int index = 0; index < 70; ++index) {
    const auto value = static_cast<float>(index);
    std::memcpy(bench.bytes().data() + 0x1000 + index * 4, &value, 4);
  }
  simulate_devices();
  BOOST_TEST_REQUIRE(handler.statuses.size() == 1U);
  BOOST_TEST(handler.statuses[0] == (status_bit::kEnabled | status_bit::kDone));
  float last[2] = {};
  std::memcpy(last, handler.last_bytes[0].data(), sizeof last);
  BOOST_TEST(last[0] == 136.0F);
  BOOST_TEST(last[1] == 138.0F);
  BOOST_TEST(handler.at.value() == static_cast<std::uint64_t>(bench.log.stages.back().end_ps));
}

// F46: a bit that is not enabled shows in INT_STATUS and leaves the line low; enabling it raises the line.
BOOST_AUTO_TEST_CASE(an_interrupt_that_is_unmasked_later_rises_then) {
  std::uint32_t status = 0;
  bool masked = true;
  bool unmasked = false;
  bool cleared = true;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    const std::vector<SlotImage> slots = prepare(device, double_them);
    device.write(RegisterId::int_enable, 0);
    device.run(slots);
    status = device.read(RegisterId::int_status);
    masked = device.irq.read();
    device.write(RegisterId::int_enable, interrupt_bit::kCompletion);
    sc_core::wait(sc_core::SC_ZERO_TIME);
    sc_core::wait(sc_core::SC_ZERO_TIME);
    unmasked = device.irq.read();
    device.write(RegisterId::int_status, interrupt_bit::kCompletion);
    sc_core::wait(ns(1));
    cleared = device.irq.read();
  });
  simulate_devices();
  BOOST_TEST((status & (interrupt_bit::kCompletion | interrupt_bit::kIdle)) ==
             (interrupt_bit::kCompletion | interrupt_bit::kIdle));
  BOOST_TEST(!masked);
  BOOST_TEST(unmasked);
  BOOST_TEST(!cleared);
}

// Three commands a threshold of 2: after the second one, and not after the first.
BOOST_AUTO_TEST_CASE(the_threshold_interrupt_comes_with_its_count) {
  std::vector<std::uint64_t> completed_at_rise;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    const std::vector<SlotImage> slots = prepare(device, double_them);
    device.write(RegisterId::int_enable, interrupt_bit::kThreshold);
    device.write(RegisterId::int_threshold, 2);
    device.push(slots);
    sc_core::wait(device.irq.posedge_event());
    completed_at_rise.push_back(device.read_pair(RegisterId::count_completed_lo));
    device.wait_until_idle();
  });
  simulate_devices();
  BOOST_TEST(completed_at_rise == std::vector<std::uint64_t>{2}, boost::test_tools::per_element());
}

// F07: a window of one command, three composites: three completions.
BOOST_AUTO_TEST_CASE(a_window_of_one_does_not_hang) {
  DeviceBenchConfig config;
  config.device.pe.scheduler.max_in_flight = 1;
  const auto kernel = [](TlContext& tl) {
    for (int index = 0; index < 3; ++index) {
      CompositeRequest request;
      request.a = tl.empty({16, 16});
      request.b = tl.empty({16, 16});
      tl.composite(request);
    }
  };
  DeviceBench bench("npu", config, [&](DeviceBench& device) { device.run(prepare(device, kernel)); });
  simulate_devices();
  BOOST_TEST(bench.script_ended);
  BOOST_TEST(bench.log.completions.size() == 3U);
  BOOST_TEST(bench.device.describe_outstanding().empty());
}

// F36, F27: the host built before the device, and two devices side by side: the same times in each.
BOOST_AUTO_TEST_CASE(the_order_of_construction_changes_nothing) {
  const auto script = [](DeviceBench& device) { device.run(prepare(device, double_them)); };
  DeviceBench first("first", DeviceBenchConfig(), script);
  DeviceBench second("second", DeviceBenchConfig(), script);
  simulate_devices();
  BOOST_TEST_REQUIRE(first.log.stages.size() == second.log.stages.size());
  BOOST_TEST(!first.log.stages.empty());
  for (std::size_t index = 0; index < first.log.stages.size(); ++index) {
    BOOST_TEST(first.log.stages[index].start_ps == second.log.stages[index].start_ps);
    BOOST_TEST(first.log.stages[index].end_ps == second.log.stages[index].end_ps);
  }
}

// A host's quantum is its own: the device is never ahead of the kernel.
BOOST_AUTO_TEST_CASE(a_quantum_changes_nothing) {
  tlm::tlm_global_quantum::instance().set(sc_core::sc_time(1, sc_core::SC_MS));
  DeviceBench bench("npu", DeviceBenchConfig(),
                    [](DeviceBench& device) { device.run(prepare(device, double_them)); });
  simulate_devices();
  // As in the ring test, with the first tensor of 280 bytes: 64 ns, and 41.5 cycles of dispatch.
  BOOST_TEST(bench.log.dispatches.at(0).start_ps == 64000);
  BOOST_TEST(bench.log.dispatches.at(0).end_ps == 105500);
}

// F17: a host at 10 ps. A composite of 54 bytes costs 43.375 cycles; the ledger has it to the picosecond, the
// host's clock to its own.
BOOST_AUTO_TEST_CASE(a_coarse_resolution_is_the_hosts_choice) {
  sc_core::sc_set_time_resolution(10, sc_core::SC_PS);
  const auto kernel = [](TlContext& tl) {
    CompositeRequest request;
    request.a = tl.empty({16, 16});
    request.b = tl.empty({16, 16});
    tl.composite(request);
    tl.load(tl.ref(0x1000, {1024}, DType::f32));
  };
  DeviceBench bench("npu", DeviceBenchConfig(),
                    [&](DeviceBench& device) { device.run(prepare(device, kernel)); });
  simulate_devices();
  const LoggedDispatch& dispatch = bench.log.dispatches.at(0);
  BOOST_TEST(dispatch.logical_bytes == 54U);
  BOOST_TEST(dispatch.end_ps - dispatch.start_ps == 43375);
  // 4096 bytes are 16 bursts of 1 ns each, then 20 ns.
  const LoggedStage load = bench.log.stages_of(2, StageKind::dma_read).at(0);
  BOOST_TEST(std::abs(load.duration_ps() - 36000) <= 10);
}

BOOST_AUTO_TEST_CASE(a_fine_resolution_is_the_hosts_choice) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  const auto kernel = [](TlContext& tl) { tl.load(tl.ref(0x1000, {1024}, DType::f32)); };
  DeviceBench bench("npu", DeviceBenchConfig(),
                    [&](DeviceBench& device) { device.run(prepare(device, kernel)); });
  simulate_devices();
  BOOST_TEST(bench.log.dispatches.at(0).end_ps - bench.log.dispatches.at(0).start_ps == 41500);
  BOOST_TEST(bench.log.stages.at(0).duration_ps() == 36000);
}

// F50: interrupt and reset may be left open.
BOOST_AUTO_TEST_CASE(interrupt_and_reset_are_optional) {
  LtMemory memory("memory", BusMemoryConfig(), LtStyle::annotates);
  PeDevice device("npu", PeDeviceConfig());
  SilentHost host("host");
  host.socket.bind(device.registers);
  device.memory.bind(memory.socket);
  sc_core::sc_start(ns(10));
  BOOST_TEST(sc_core::sc_time_stamp() == ns(10));
}

// F50: without a memory elaboration ends with an error that names the port.
BOOST_AUTO_TEST_CASE(an_open_memory_socket_is_an_error_that_names_it) {
  PeDevice device("npu", PeDeviceConfig());
  SilentHost host("host");
  host.socket.bind(device.registers);
  std::string message;
  try {
    sc_core::sc_start(ns(10));
  } catch (const sc_core::sc_report& report) {
    message = report.what();
  }
  BOOST_TEST(message.find("npu.memory") != std::string::npos, message);
}

// From YAML: the keys of a PE, and the device's own; mistakes are named, all at once.
BOOST_AUTO_TEST_CASE(a_yaml_node_configures_a_device) {
  const PeDeviceConfig config = device_config_from_yaml(YAML::Load(
      "attrs: {clock_freq_ghz: 1.3, pe_dma: {protocol: at, burst_bytes: 64}, tcm: {arena_bytes: 256KiB}}\n"
      "device: {register_latency_ns: 4, prefetch: 3, data: false}\n"));
  BOOST_TEST(config.pe.clock.gigahertz() == 1.3);
  BOOST_TEST((config.pe.dma.interface == DmaInterface::bursts));
  BOOST_TEST((config.pe.dma.bus.protocol == BusProtocol::at));
  BOOST_TEST(config.pe.dma.bus.burst_bytes == 64U);
  BOOST_TEST(config.pe.tcm.arena.count() == 262144U);
  BOOST_TEST(config.register_latency_ns == 4.0);
  BOOST_TEST(config.prefetch == 3U);
  BOOST_TEST((config.data == DataMode::off));
  BOOST_TEST((device_config_from_yaml(YAML::Node()).pe.dma.interface == DmaInterface::bursts));
}

BOOST_AUTO_TEST_CASE(mistakes_in_a_yaml_node_are_named) {
  const auto message_of = [](const char* text) -> std::string {
    try {
      device_config_from_yaml(YAML::Load(text));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  const auto mentions = [&](const char* text, const char* what) {
    const std::string message = message_of(text);
    BOOST_TEST(message.find(what) != std::string::npos, text << ": '" << message << "'");
  };
  mentions("device: {prefetch: 0}", "device.prefetch");
  mentions("device: {prefech: 1}", "device.prefetch");
  mentions("device: 3", "map");
  mentions("[1, 2]", "map");
  mentions("attrs: {clock_freq_ghz: 0}", "clock_freq_ghz");
  mentions("attrs: {pe_dma: {burst_bytes: 100}}", "burst_bytes");
  mentions("attrs: 7", "attrs");
  PeDeviceConfig closed;
  closed.pe.dma.interface = DmaInterface::closed_form;
  BOOST_CHECK_THROW(PeDevice("npu", closed), ConfigError);
}

// Without data the times are the same, and nothing is written but completion records.
BOOST_AUTO_TEST_CASE(timing_alone_writes_nothing) {
  const auto script = [](DeviceBench& device) { device.run(prepare(device, double_them)); };
  DeviceBenchConfig config;
  DeviceBench with_data("with_data", config, script);
  config.device.data = DataMode::off;
  DeviceBench without("without", config, script);
  for (DeviceBench* const bench : {&with_data, &without}) bench->bytes()[0x1003] = 0x3F;
  simulate_devices();
  BOOST_TEST(with_data.bytes()[0x3003] == 0x3F);
  BOOST_TEST(without.bytes()[0x3003] == 0);
  BOOST_TEST_REQUIRE(with_data.log.stages.size() == without.log.stages.size());
  for (std::size_t index = 0; index < without.log.stages.size(); ++index)
    BOOST_TEST(with_data.log.stages[index].end_ps == without.log.stages[index].end_ps);
}

// Software that has put things right says so: FORGET_FAILURES.
BOOST_AUTO_TEST_CASE(failures_can_be_forgotten) {
  std::uint64_t failed = 0;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    const auto kernel = [](TlContext& tl) {
      const TensorHandle x = tl.load(tl.ref(0x1000, {16}, DType::f32));
      tl.copy(x, tl.empty({16}));
      tl.copy(x, tl.empty({16}));
    };
    const std::vector<SlotImage> slots = prepare(device, kernel);
    device.memory().fail_at(0x1000, tlm::TLM_GENERIC_ERROR_RESPONSE);
    device.run({slots[0], slots[1]});
    device.write(RegisterId::control, control_bit::kEnable | control_bit::kForgetFailures);
    device.run({slots[2]});
    failed = device.read_pair(RegisterId::count_failed_lo);
  });
  simulate_devices();
  BOOST_TEST(failed == 2U);
  BOOST_TEST((bench.log.completions.back().status == CompletionStatus::ok));
}

// The counters: two commands of 24 bytes, 41.5 cycles each, and an add of 4 + 1 + 2 x 8 + 8 = 29 bytes.
BOOST_AUTO_TEST_CASE(the_counters_count) {
  std::uint64_t bytes = 0;
  std::uint64_t cycles = 0;
  std::uint64_t fetched = 0;
  std::uint64_t clock = 0;
  sc_core::sc_time now;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    device.run(prepare(device, double_them));
    bytes = device.read_pair(RegisterId::count_logical_bytes_lo);
    cycles = device.read_pair(RegisterId::count_dispatch_cycles_lo);
    fetched = device.read_pair(RegisterId::count_fetched_lo);
    clock = device.read_pair(RegisterId::count_cycles_lo);
    now = sc_core::sc_time_stamp();
  });
  simulate_devices();
  BOOST_TEST(bytes == 24U + 29U + 24U);
  BOOST_TEST(cycles == 124U);  // 3 x 40 + 77 / 16 = 124.8125
  BOOST_TEST(fetched == 3U);
  BOOST_TEST(clock == now.value() / 1000);
}

BOOST_AUTO_TEST_SUITE_END()
