// SPDX-License-Identifier: Apache-2.0
//
// The command ring: any size, any start, full, not valid, changed, rung twice; and the completion ring.
#include <boost/test/unit_test.hpp>
#include <optional>

#include "pe_device/device_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// `count` loads of 64 bytes into places of their own.
std::vector<SlotImage> loads(std::size_t count, TensorTable& table) {
  return slots_of(steps_of([count](TlContext& tl) {
                    for (std::size_t index = 0; index < count; ++index)
                      tl.load(tl.ref(0x1000 + 64 * index, {16}, DType::f32));
                  }),
                  table);
}

std::vector<std::uint32_t> tags_of(const std::vector<CompletionRecord>& records) {
  std::vector<std::uint32_t> tags;
  for (const CompletionRecord& record : records) tags.push_back(record.completion);
  return tags;
}

std::vector<std::uint32_t> count_to(std::uint32_t last) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 1; number <= last; ++number) numbers.push_back(number);
  return numbers;
}

/// Twenty commands through a ring of `size` whose numbers begin at `start`.
struct TwentyLoads {
  TwentyLoads(const std::string& name, std::uint32_t size, std::uint32_t start)
      : bench(name.c_str(), config_of(size, start), [this](DeviceBench& device) {
          TensorTable table;
          const std::vector<SlotImage> slots = loads(20, table);
          device.write_table(table);
          device.enable_ring();
          device.run(slots);
          records = device.records();
          head = device.read(RegisterId::ring_head);
          tail = device.read(RegisterId::ring_tail);
          completed = device.read_pair(RegisterId::count_completed_lo);
        }) {}

  static DeviceBenchConfig config_of(std::uint32_t size, std::uint32_t start) {
    DeviceBenchConfig config;
    config.ring_size = size;
    config.ring_start = start;
    config.completion_records = 32;
    return config;
  }

  std::vector<CompletionRecord> records;
  std::uint32_t head = 0;
  std::uint32_t tail = 0;
  std::uint64_t completed = 0;
  DeviceBench bench;
};

DeviceBenchConfig with_records(std::uint32_t records) {
  DeviceBenchConfig config;
  config.completion_records = records;
  return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ring)

// F30: 7 slots, one slot, and a power of two, each with numbers that pass 2^32.
BOOST_AUTO_TEST_CASE(a_ring_of_any_size_wraps_and_its_numbers_too) {
  constexpr std::uint32_t kStart = 0xFFFFFFFDU;
  TwentyLoads seven("seven", 7, kStart);
  TwentyLoads one("one", 1, kStart);
  TwentyLoads four("four", 4, 0);
  simulate_devices();
  for (TwentyLoads* const run : {&seven, &one, &four}) {
    BOOST_TEST_CONTEXT(run->bench.name()) {
      BOOST_TEST(run->bench.script_ended);
      BOOST_TEST(run->completed == 20U);
      BOOST_TEST(tags_of(run->records) == count_to(20), boost::test_tools::per_element());
      BOOST_TEST(run->head == run->tail);
      BOOST_TEST(run->bench.log.dispatches.size() == 20U);
    }
  }
  BOOST_TEST(seven.head == 17U);  // -3 + 20
}

// A tail beyond what the ring holds, behind the last one, or with the ring off is refused; nothing is read.
BOOST_AUTO_TEST_CASE(a_doorbell_beyond_the_ring_is_refused) {
  std::vector<std::uint32_t> causes;
  const auto cause_of = [&](DeviceBench& device, std::uint32_t tail) {
    device.write(RegisterId::doorbell, tail);
    causes.push_back(device.read(RegisterId::error_cause));
    device.write(RegisterId::int_status, interrupt_bit::kAll);
  };
  std::uint32_t tail_after = 99;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    cause_of(device, 1);
    device.enable_ring();
    cause_of(device, 9);            // the ring has 8 slots
    cause_of(device, 0xFFFFFFFFU);  // behind
    cause_of(device, 0);            // nothing new
    tail_after = device.read(RegisterId::ring_tail);
  });
  simulate_devices();
  const auto overrun = static_cast<std::uint32_t>(CompletionStatus::ring_overrun);
  BOOST_TEST(causes == (std::vector<std::uint32_t>{overrun, overrun, overrun, 0}),
             boost::test_tools::per_element());
  BOOST_TEST(tail_after == 0U);
  BOOST_TEST(bench.memory().seen().empty());
}

// F31: rung before the entry is there. The ring stops, and takes the entry once it is complete.
BOOST_AUTO_TEST_CASE(an_entry_that_is_not_valid_yet_stops_the_ring_until_it_is) {
  std::uint32_t status = 0;
  std::uint32_t cause = 0;
  std::uint64_t completed = 0;
  bool irq = false;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = loads(1, table);
    device.write_table(table);
    device.enable_ring();
    SlotImage stale = slots.front();
    stale.command[4] = std::byte{0xAD};  // another source
    device.write_slot(0, 7, stale);      // of another round: its number is not 0
    device.write(RegisterId::doorbell, 1);
    sc_core::wait(ns(200));
    status = device.read(RegisterId::status);
    cause = device.read(RegisterId::error_cause);
    irq = device.irq.read();
    device.write_slot(0, 0, slots.front());
    device.write(RegisterId::int_status, interrupt_bit::kError);
    device.write(RegisterId::control, control_bit::kEnable | control_bit::kResume);
    device.wait_until_idle();
    completed = device.read_pair(RegisterId::count_completed_lo);
  });
  simulate_devices();
  BOOST_TEST(status == (status_bit::kEnabled | status_bit::kStopped));
  BOOST_TEST(cause == static_cast<std::uint32_t>(CompletionStatus::descriptor_not_valid));
  BOOST_TEST(irq);
  BOOST_TEST(completed == 1U);
  const auto reads = bench.log.stages_of(1, StageKind::dma_read).at(0).reads;
  BOOST_TEST(reads.at(0).begin == 0x1000U);
}

// F31: an entry, and the tensors it names, are read once. What software does to them later changes nothing.
BOOST_AUTO_TEST_CASE(an_entry_that_is_changed_while_it_runs_runs_as_it_was) {
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = loads(1, table);
    device.write_table(table);
    device.enable_ring();
    device.push(slots);
    while (device.read(RegisterId::ring_head) == 0) sc_core::wait(ns(5));
    sc_core::wait(ns(60));  // the tensors have been read too
    std::fill(device.bytes().begin() + kRingBase, device.bytes().end(), static_cast<unsigned char>(0xEE));
    device.wait_until_idle();
  });
  bench.bytes()[0x1000] = 42;
  simulate_devices();
  BOOST_TEST(bench.log.completions.size() == 1U);
  BOOST_TEST((bench.log.completions.at(0).status == CompletionStatus::ok));
}

// The slot's header (16 bytes), the command (24) and each of the two tensors once (80), before the load's
// own 64.
BOOST_AUTO_TEST_CASE(a_descriptor_is_real_accesses_each_made_once) {
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = loads(1, table);
    device.write_table(table);
    device.enable_ring();
    device.run(slots);
  });
  simulate_devices();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (const SeenBurst& burst : bench.memory().seen()) seen.emplace_back(burst.address, burst.bytes);
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected = {
      {kRingBase, 16}, {kRingBase + 16, 24}, {kTableBase, 80}, {kTableBase + 80, 80}, {0x1000, 64}};
  BOOST_TEST((seen == expected));
  // 1 ns of service and 20 ns of latency: header 21, command 42, tensors 42 + 1 and + 2 + 20 = 64 ns,
  // then 41.5 cycles of dispatch.
  BOOST_TEST(bench.log.dispatches.at(0).start_ps == 64000);
  BOOST_TEST(bench.log.dispatches.at(0).end_ps == 105500);
}

// Temporal decoupling: a doorbell with 100 ns annotated is heard at 100 ns, a later one at its own time.
BOOST_AUTO_TEST_CASE(a_doorbell_is_heard_at_its_annotated_time) {
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = loads(2, table);
    device.write_table(table);
    device.enable_ring();
    device.write_slot(0, 0, slots[0]);
    device.write_slot(1, 1, slots[1]);
    device.write(RegisterId::doorbell, 1, ns(100));
    device.write(RegisterId::doorbell, 2, ns(1000));
    device.wait_until_idle();
  });
  simulate_devices();
  BOOST_TEST(bench.memory().seen().at(0).time == ns(100));
  BOOST_TEST(bench.log.dispatches.at(0).start_ps == 164000);
  // The fourth entry of the table, bytes 240 to 320, is two bursts: 1 ns more.
  BOOST_TEST(bench.log.dispatches.at(1).start_ps == 1065000);
}

// Two cores that run ahead: the later tail is heard first, and stays.
BOOST_AUTO_TEST_CASE(doorbells_may_be_heard_in_another_order) {
  std::uint32_t status = 0;
  std::uint64_t completed = 0;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = loads(2, table);
    device.write_table(table);
    device.enable_ring();
    device.write_slot(0, 0, slots[0]);
    device.write_slot(1, 1, slots[1]);
    device.write(RegisterId::doorbell, 1, ns(1000));
    device.write(RegisterId::doorbell, 2, ns(100));
    sc_core::wait(ns(2000));
    status = device.read(RegisterId::status);
    completed = device.read_pair(RegisterId::count_completed_lo);
  });
  simulate_devices();
  BOOST_TEST(status == (status_bit::kEnabled | status_bit::kDone));
  BOOST_TEST(completed == 2U);
}

// F36: rung at time 0, twice in one delta, and while a command runs.
BOOST_AUTO_TEST_CASE(no_doorbell_is_missed) {
  std::uint64_t completed = 0;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = loads(4, table);
    device.write_table(table);
    device.enable_ring();
    for (std::uint32_t entry = 0; entry < 4; ++entry) device.write_slot(entry, entry, slots[entry]);
    device.write(RegisterId::doorbell, 1);
    device.write(RegisterId::doorbell, 2);
    sc_core::wait(ns(110));
    device.write(RegisterId::doorbell, 3);
    device.write(RegisterId::doorbell, 3);
    device.wait_until_idle();
    device.write(RegisterId::doorbell, 4);
    device.wait_until_idle();
    completed = device.read_pair(RegisterId::count_completed_lo);
  });
  simulate_devices();
  BOOST_TEST(completed == 4U);
}

// F07: two records fit, eight commands come, software reads none: two complete, the device says what it waits
// for.
BOOST_AUTO_TEST_CASE(a_full_completion_ring_holds_the_device_and_is_reported) {
  std::uint64_t completed = 0;
  DeviceBench bench("npu", with_records(2), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = loads(8, table);
    device.write_table(table);
    device.enable_ring();
    for (std::uint32_t entry = 0; entry < 8; ++entry) device.write_slot(entry, entry, slots[entry]);
    device.write(RegisterId::doorbell, 8);
    sc_core::wait(ns(100000));
    completed = device.read_pair(RegisterId::count_completed_lo);
  });
  simulate_devices();
  BOOST_TEST(completed == 2U);
  BOOST_TEST(tags_of(bench.records()) == count_to(2), boost::test_tools::per_element());
  const std::vector<std::string> lines = bench.device.describe_outstanding();
  BOOST_TEST_REQUIRE(!lines.empty());
  BOOST_TEST(lines.front().find("2 of") != std::string::npos, lines.front());
}

BOOST_AUTO_TEST_CASE(a_completion_ring_that_is_read_goes_on) {
  TwentyLoads run("npu", 8, 0);
  DeviceBench small("small", with_records(2), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = loads(8, table);
    device.write_table(table);
    device.enable_ring();
    device.run(slots);
  });
  simulate_devices();
  BOOST_TEST(small.script_ended);
  BOOST_TEST(small.device.control().entries_completed() == 8U);
}

// A record that cannot be written stops the ring and is an error of its own.
BOOST_AUTO_TEST_CASE(a_completion_record_that_cannot_be_written_is_an_error) {
  std::uint32_t cause = 0;
  std::uint32_t status = 0;
  DeviceBench bench("npu", with_records(8), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = loads(1, table);
    device.write_table(table);
    device.enable_ring();
    device.memory().fail_at(kCompletionBase, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    device.run(slots);
    cause = device.read(RegisterId::error_cause);
    status = device.read(RegisterId::status);
  });
  simulate_devices();
  BOOST_TEST(cause == static_cast<std::uint32_t>(CompletionStatus::completion_write_error));
  BOOST_TEST((status & status_bit::kStopped) != 0U);
}

// Entries that are no commands, among some that are: each ends with its status and the rest run.
BOOST_AUTO_TEST_CASE(bad_entries_end_alone) {
  std::vector<CompletionRecord> records;
  DeviceBench bench("npu", with_records(16), [&](DeviceBench& device) {
    TensorTable table;
    std::vector<SlotImage> slots = loads(5, table);
    device.write_table(table);
    slots[1].command[0] = std::byte{0x7F};  // no such kind
    slots[2].command[4] = std::byte{0xFF};  // tensor index beyond the table
    slots[2].command[5] = std::byte{0xFF};
    slots[3].command.pop_back();  // cut short
    device.enable_ring();
    device.run(slots);
    records = device.records();
  });
  simulate_devices();
  std::map<std::uint32_t, CompletionStatus> statuses;
  for (const CompletionRecord& record : records) statuses[record.completion] = record.status;
  BOOST_TEST_REQUIRE(statuses.size() == 5U);
  BOOST_TEST((statuses[1] == CompletionStatus::ok));
  for (const std::uint32_t tag : {2U, 3U, 4U})
    BOOST_TEST((statuses[tag] == CompletionStatus::descriptor_malformed), "tag " << tag);
  BOOST_TEST((statuses[5] == CompletionStatus::ok));
}

// The registers make no ring: size 0, a stride that is no multiple of 16, a base off 16.
BOOST_AUTO_TEST_CASE(a_ring_that_is_none_is_not_enabled) {
  std::vector<std::uint32_t> statuses;
  std::vector<std::uint32_t> causes;
  const auto enable = [&](DeviceBench& device) {
    device.write(RegisterId::control, control_bit::kEnable);
    statuses.push_back(device.read(RegisterId::status));
    causes.push_back(device.read(RegisterId::error_cause));
    device.write(RegisterId::int_status, interrupt_bit::kAll);
  };
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    enable(device);
    device.write(RegisterId::ring_size, 8);
    device.write(RegisterId::ring_stride, 40);
    enable(device);
    device.write(RegisterId::ring_stride, 48);
    device.write(RegisterId::ring_base_lo, 8);
    enable(device);
    device.write(RegisterId::ring_base_lo, 16);
    enable(device);
  });
  simulate_devices();
  const auto refused = static_cast<std::uint32_t>(CompletionStatus::ring_config);
  BOOST_TEST(causes == (std::vector<std::uint32_t>{refused, refused, refused, 0}),
             boost::test_tools::per_element());
  BOOST_TEST(statuses == (std::vector<std::uint32_t>{0, 0, 0, status_bit::kEnabled}),
             boost::test_tools::per_element());
}

// A ring register cannot be changed while the ring is on.
BOOST_AUTO_TEST_CASE(a_locked_register_keeps_its_value) {
  std::uint32_t cause = 0;
  std::uint32_t size = 0;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    device.enable_ring();
    device.write(RegisterId::ring_size, 3);
    cause = device.read(RegisterId::error_cause);
    size = device.read(RegisterId::ring_size);
  });
  simulate_devices();
  BOOST_TEST(cause == static_cast<std::uint32_t>(CompletionStatus::locked_register));
  BOOST_TEST(size == 8U);
}

// tl.cycles through a ring: the CPU spends them, in its turn, and the entry completes.
BOOST_AUTO_TEST_CASE(cycles_are_an_entry_too) {
  std::uint64_t completed = 0;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = slots_of(steps_of([](TlContext& tl) {
                                                    tl.cycles(100);
                                                    tl.load(tl.ref(0x1000, {16}, DType::f32));
                                                  }),
                                                  table);
    device.write_table(table);
    device.enable_ring();
    device.run(slots);
    completed = device.read_pair(RegisterId::count_completed_lo);
  });
  simulate_devices();
  BOOST_TEST(completed == 2U);
  BOOST_TEST(bench.log.dispatches.at(0).is_overhead());
  BOOST_TEST(bench.log.dispatches.at(0).end_ps - bench.log.dispatches.at(0).start_ps == 100000);
}

BOOST_AUTO_TEST_SUITE_END()
