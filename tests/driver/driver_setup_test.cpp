// SPDX-License-Identifier: Apache-2.0
//
// What the driver asks of its configuration and tells the device; the tensor table.
#include <boost/test/unit_test.hpp>
#include <functional>

#include "../command/random_command.hpp"
#include "../command/sample_commands.hpp"
#include "driver_bench.hpp"

using namespace petal;
using namespace petal::test;

BOOST_AUTO_TEST_SUITE(driver_setup)

BOOST_AUTO_TEST_CASE(the_device_is_told_where_its_rings_are) {
  BenchSizes sizes;
  sizes.first_entry = 0xFFFFFFF0;
  DriverBench bench(sizes);
  bench.init();
  const std::pair<std::uint32_t, std::uint32_t> expected[] = {{PETAL_REG_RING_BASE_LO, 0x80001000},
                                                              {PETAL_REG_RING_BASE_HI, 0},
                                                              {PETAL_REG_RING_SIZE, 8},
                                                              {PETAL_REG_RING_STRIDE, 1040},
                                                              {PETAL_REG_RING_START, 0xFFFFFFF0},
                                                              {PETAL_REG_TABLE_BASE_LO, 0x2000},
                                                              {PETAL_REG_TABLE_BASE_HI, 1},
                                                              {PETAL_REG_TABLE_SIZE, 4096},
                                                              {PETAL_REG_CQ_BASE_LO, 0x90003000},
                                                              {PETAL_REG_CQ_BASE_HI, 0},
                                                              {PETAL_REG_CQ_SIZE, 8},
                                                              {PETAL_REG_CONTROL, PETAL_CONTROL_ENABLE_MASK}};
  for (const auto& [offset, value] : expected) BOOST_TEST(bench.get(offset) == value, "offset " << offset);
}

BOOST_AUTO_TEST_CASE(the_device_says_what_it_can) {
  DriverBench bench;
  bench.set(PETAL_REG_CAP_QUEUE_BYTES, 4096);
  bench.set(PETAL_REG_CAP_DTYPES, 0xFF);
  bench.set(PETAL_REG_CAP_ENGINES, 0xF);
  bench.set(PETAL_REG_CAP_TCM_LO, 0x100000);
  bench.set(PETAL_REG_CAP_TCM_HI, 2);
  bench.set(PETAL_REG_CAP_CLOCK_KHZ, 1300000);
  bench.set(PETAL_REG_CAP_IN_FLIGHT, 8);
  bench.init();
  const petal_capabilities& capabilities = bench.device.capabilities;
  BOOST_TEST(capabilities.command_bytes == 1024U);
  BOOST_TEST(capabilities.queue_bytes == 4096U);
  BOOST_TEST(capabilities.dtypes == 0xFFU);
  BOOST_TEST(capabilities.engines == 0xFU);
  BOOST_TEST(capabilities.tcm_bytes == 0x200100000U);
  BOOST_TEST(capabilities.clock_khz == 1300000U);
  BOOST_TEST(capabilities.in_flight == 8U);
}

BOOST_AUTO_TEST_CASE(another_device_or_version_is_refused) {
  DriverBench stranger;
  stranger.set(PETAL_REG_ID, 0);
  BOOST_TEST(petal_device_init(&stranger.device, &stranger.config) == PETAL_NO_DEVICE);
  BOOST_TEST(stranger.get(PETAL_REG_CONTROL) == 0U);
  DriverBench newer;
  newer.set(PETAL_REG_VERSION, 0x00020000);
  BOOST_TEST(petal_device_init(&newer.device, &newer.config) == PETAL_NO_DEVICE);
  DriverBench extended;
  extended.set(PETAL_REG_VERSION, 0x00010007);
  BOOST_TEST(petal_device_init(&extended.device, &extended.config) == PETAL_DONE);
}

BOOST_AUTO_TEST_CASE(a_reset_that_does_not_end_is_reported) {
  DriverBench bench;
  bench.set(PETAL_REG_STATUS, PETAL_STATUS_RESETTING_MASK);
  BOOST_TEST(petal_device_init(&bench.device, &bench.config) == PETAL_RESET_HANGS);
  BOOST_TEST(bench.get(PETAL_REG_CONTROL) == PETAL_CONTROL_SOFT_RESET_MASK);
}

BOOST_AUTO_TEST_CASE(a_configuration_that_makes_no_ring_is_refused) {
  const std::function<void(petal_config&)> mistakes[] = {
      [](petal_config& config) { config.registers = nullptr; },
      [](petal_config& config) { config.ring.memory = nullptr; },
      [](petal_config& config) { config.ring.address += 8; },
      [](petal_config& config) { config.ring.memory = static_cast<std::uint8_t*>(config.ring.memory) + 4; },
      [](petal_config& config) { config.ring_slots = 0; },
      [](petal_config& config) { config.ring_slots = 65537; },
      [](petal_config& config) { config.slot_bytes = 16; },
      [](petal_config& config) { config.slot_bytes = 40; },
      [](petal_config& config) { config.slot_bytes = 65552; },
      [](petal_config& config) { config.table.memory = nullptr; },
      [](petal_config& config) { config.table.address += 1; },
      [](petal_config& config) { config.completions.memory = nullptr; },
      [](petal_config& config) { config.completions.address += 1; },
      [](petal_config& config) { config.completion_records = 65537; }};
  for (const auto& mistake : mistakes) {
    DriverBench bench;
    mistake(bench.config);
    BOOST_TEST(petal_device_init(&bench.device, &bench.config) == PETAL_BAD_ARGUMENT);
  }
}

BOOST_AUTO_TEST_CASE(table_entries_are_those_the_device_reads) {
  constexpr std::uint32_t kSeed = 20261207;
  RandomCommands random(kSeed);
  DriverBench bench;
  bench.init();
  for (std::uint32_t index = 0; index < 1000; ++index) {
    const TensorHandle tensor = random.tensor();
    petal_ref ref = 0;
    BOOST_REQUIRE(petal_tensor(&bench.device, tensor.address, static_cast<std::uint32_t>(tensor.dtype),
                               static_cast<std::uint32_t>(tensor.space),
                               static_cast<std::uint32_t>(tensor.shape.rank()), tensor.shape.begin(),
                               tensor.strides.begin(), &ref) == PETAL_DONE);
    BOOST_TEST_CONTEXT("seed " << kSeed << ", entry " << index) {
      BOOST_REQUIRE(ref == index);
      BOOST_REQUIRE(bench.table_entry(index).same_tensor(tensor));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tensor_without_strides_has_no_gaps) {
  DriverBench bench;
  bench.init();
  const std::uint64_t shape[] = {2, 3, 5, 7};
  petal_ref ref = 0;
  for (std::uint32_t rank = 0; rank <= 4; ++rank) {
    BOOST_REQUIRE(petal_tensor(&bench.device, 64, PETAL_DTYPE_F16, PETAL_SPACE_HBM, rank, shape, nullptr,
                               &ref) == PETAL_DONE);
    Dims dims;
    for (std::uint32_t axis = 0; axis < rank; ++axis) dims.push_back(shape[axis]);
    BOOST_TEST(bench.table_entry(rank).same_tensor(in_hbm(64, dims)));
  }
}

BOOST_AUTO_TEST_CASE(a_full_table_and_what_is_no_tensor_are_reported) {
  BenchSizes sizes;
  sizes.table_entries = 2;
  DriverBench bench(sizes);
  bench.init();
  petal_device* const device = &bench.device;
  const std::uint64_t shape[] = {1, 1, 1, 1, 1};
  petal_ref ref = 99;
  BOOST_TEST(petal_tensor(device, 0, 8, PETAL_SPACE_TCM, 1, shape, nullptr, &ref) == PETAL_BAD_ARGUMENT);
  BOOST_TEST(petal_tensor(device, 0, PETAL_DTYPE_F32, 2, 1, shape, nullptr, &ref) == PETAL_BAD_ARGUMENT);
  BOOST_TEST(petal_tensor(device, 0, PETAL_DTYPE_F32, PETAL_SPACE_TCM, 5, shape, nullptr, &ref) ==
             PETAL_BAD_ARGUMENT);
  BOOST_TEST(ref == 99U);
  for (std::uint64_t index = 0; index < 2; ++index) {
    BOOST_TEST(petal_tensor(device, 0, PETAL_DTYPE_F32, PETAL_SPACE_TCM, 1, shape, nullptr, &ref) ==
               PETAL_DONE);
    BOOST_TEST(ref == index);
  }
  BOOST_TEST(petal_tensor(device, 0, PETAL_DTYPE_F32, PETAL_SPACE_TCM, 1, shape, nullptr, &ref) ==
             PETAL_TABLE_FULL);
  petal_forget_tensors(device);
  BOOST_TEST(petal_tensor(device, 0, PETAL_DTYPE_F32, PETAL_SPACE_TCM, 1, shape, nullptr, &ref) ==
             PETAL_DONE);
  BOOST_TEST(ref == 0U);
}

BOOST_AUTO_TEST_CASE(control_bits_leave_the_device_enabled) {
  DriverBench bench;
  bench.init();
  petal_resume(&bench.device);
  BOOST_TEST(bench.get(PETAL_REG_CONTROL) == 5U);
  petal_forget_failures(&bench.device);
  BOOST_TEST(bench.get(PETAL_REG_CONTROL) == 9U);
  BOOST_TEST(!petal_busy(&bench.device));
  bench.set(PETAL_REG_STATUS, PETAL_STATUS_BUSY_MASK);
  BOOST_TEST(petal_busy(&bench.device));
}

BOOST_AUTO_TEST_SUITE_END()
