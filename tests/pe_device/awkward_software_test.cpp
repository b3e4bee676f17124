// SPDX-License-Identifier: Apache-2.0
//
// Software that does legal things in an awkward order.
#include <boost/test/unit_test.hpp>

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

void write_all(DeviceBench& device, const std::vector<SlotImage>& slots) {
  for (std::uint32_t entry = 0; entry < slots.size(); ++entry) device.write_slot(entry, entry, slots[entry]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(awkward_software)

// Two initiators with times of their own: the doorbell rung second is heard first, and says more than the
// other.
BOOST_AUTO_TEST_CASE(a_doorbell_that_is_overtaken_takes_nothing_back) {
  std::uint32_t status = 0;
  std::uint32_t head = 0;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    TensorTable table;
    const std::vector<SlotImage> slots = loads(4, table);
    device.write_table(table);
    device.enable_ring();
    write_all(device, slots);
    device.write(RegisterId::doorbell, 2, ns(2000));
    device.write(RegisterId::doorbell, 4, ns(10));
    sc_core::wait(ns(5000));
    status = device.read(RegisterId::status);
    head = device.read(RegisterId::ring_head);
  });
  simulate_devices();
  BOOST_TEST(status == (status_bit::kEnabled | status_bit::kDone));
  BOOST_TEST(head == 4U);
  BOOST_TEST(bench.log.completions.size() == 4U);
}

// A doorbell that brings nothing makes nothing BUSY: who waits for IDLE after it would wait for ever.
BOOST_AUTO_TEST_CASE(a_doorbell_without_news_is_no_work) {
  std::uint32_t status = 99;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    device.enable_ring();
    device.write(RegisterId::doorbell, 0, ns(100));
    status = device.read(RegisterId::status);
  });
  simulate_devices();
  BOOST_TEST(status == status_bit::kEnabled);
}

// The last slices of a composite do not come. When the ring is disabled those that came end, and the ring can
// be enabled again.
BOOST_AUTO_TEST_CASE(a_command_that_is_cut_off_by_disabling_ends) {
  std::uint32_t status_before = 0;
  std::uint32_t status_after = 0;
  std::uint32_t pending = 0;
  std::uint32_t cause = 0;
  std::uint64_t failed = 0;
  std::uint64_t completed = 0;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    TensorTable table;
    std::vector<SlotImage> slots = loads(2, table);
    device.write_table(table);
    slots[0].last = false;
    device.enable_ring();
    write_all(device, slots);
    device.write(RegisterId::doorbell, 1);
    sc_core::wait(ns(1000));
    status_before = device.read(RegisterId::status);
    device.write(RegisterId::control, 0);
    sc_core::wait(ns(10));
    status_after = device.read(RegisterId::status);
    pending = device.read(RegisterId::int_pending);
    cause = device.read(RegisterId::error_cause);
    failed = device.read_pair(RegisterId::count_failed_lo);
    device.enable_ring();
    slots[0].last = true;
    write_all(device, slots);
    device.write(RegisterId::doorbell, 2);
    sc_core::wait(ns(5000));
    completed = device.read_pair(RegisterId::count_completed_lo);
  });
  simulate_devices();
  BOOST_TEST((status_before & status_bit::kBusy) != 0U);
  BOOST_TEST(status_after == status_bit::kDone);
  BOOST_TEST(pending == (interrupt_bit::kError | interrupt_bit::kIdle));
  BOOST_TEST(cause == static_cast<std::uint32_t>(CompletionStatus::descriptor_malformed));
  BOOST_TEST(failed == 1U);
  BOOST_TEST(completed == 3U);
}

// The same while its slice is being read: what is read comes to its end first.
BOOST_AUTO_TEST_CASE(a_command_that_is_cut_off_while_being_read_ends) {
  std::uint32_t status = 0;
  DeviceBench bench("npu", DeviceBenchConfig(), [&](DeviceBench& device) {
    TensorTable table;
    std::vector<SlotImage> slots = loads(1, table);
    device.write_table(table);
    slots[0].last = false;
    device.enable_ring();
    write_all(device, slots);
    device.write(RegisterId::doorbell, 1);
    sc_core::wait(ns(25));  // the header has been read, in 21 ns
    device.write(RegisterId::control, 0);
    sc_core::wait(ns(1000));
    status = device.read(RegisterId::status);
  });
  simulate_devices();
  BOOST_TEST(status == status_bit::kDone);
}

// Records wait for room. When there is some the first is written and the others fail, while the first of two slices is
// being read. Once the ring is resumed it reads the second slice too.
BOOST_AUTO_TEST_CASE(records_that_fail_behind_others_do_not_hold_the_ring) {
  const auto answer_others = [](DeviceBench& device, tlm::tlm_response_status status) {
    for (std::uint64_t record = 1; record < 8; ++record)
      device.memory().fail_at(kCompletionBase + 16 * record, status);
  };
  std::uint32_t head = 0;
  std::uint32_t cause = 0;
  std::uint32_t status = 0;
  std::uint64_t completed = 0;
  DeviceBenchConfig config;
  config.ring_size = 16;
  config.completion_records = 8;
  DeviceBench bench("npu", config, [&](DeviceBench& device) {
    TensorTable table;
    std::vector<SlotImage> slots = loads(12, table);
    slots[10].last = false;
    slots[11].first = false;
    device.write_table(table);
    device.enable_ring();
    write_all(device, slots);
    device.write(RegisterId::doorbell, 10);
    sc_core::wait(ns(5000));
    head = device.read(RegisterId::ring_head);
    device.write(RegisterId::doorbell, 12);
    answer_others(device, tlm::TLM_GENERIC_ERROR_RESPONSE);
    device.write(RegisterId::cq_head, 8);
    sc_core::wait(ns(5000));
    cause = device.read(RegisterId::error_cause);
    answer_others(device, tlm::TLM_OK_RESPONSE);
    device.write(RegisterId::control, control_bit::kEnable | control_bit::kResume);
    sc_core::wait(ns(5000));
    status = device.read(RegisterId::status);
    completed = device.read_pair(RegisterId::count_completed_lo);
  });
  simulate_devices();
  BOOST_TEST(head == 10U);
  BOOST_TEST(cause == static_cast<std::uint32_t>(CompletionStatus::completion_write_error));
  BOOST_TEST(status == (status_bit::kEnabled | status_bit::kDone));
  BOOST_TEST(completed == 12U);
}

BOOST_AUTO_TEST_SUITE_END()
