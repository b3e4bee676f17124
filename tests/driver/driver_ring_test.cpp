// SPDX-License-Identifier: Apache-2.0
//
// The ring: what is in it when, and what happens when it is full.
#include <boost/test/unit_test.hpp>

#include "../command/sample_commands.hpp"
#include "driver_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

BenchSizes ring_of(std::uint32_t slots, std::uint32_t first_entry = 0) {
  BenchSizes sizes;
  sizes.ring_slots = slots;
  sizes.first_entry = first_entry;
  return sizes;
}

OverheadCmd overhead(std::uint32_t cycles) {
  OverheadCmd command;
  command.cycles = cycles;
  return command;
}

std::uint32_t fetched_cycles(DriverBench& bench) {
  bench.fetch();
  const AssembledCommand assembled = bench.assemble();
  return std::get<OverheadCmd>(*assembled.slices[0].command).cycles;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(driver_ring)

// F30: sizes that are no power of two, a ring of one, and a counter that wraps.
BOOST_AUTO_TEST_CASE(commands_come_out_in_order_from_rings_of_any_size) {
  for (const std::uint32_t slots : {7U, 1U, 4U, 3U})
    for (const std::uint32_t first : {0U, 0xFFFFFFFDU}) {
      DriverBench bench(ring_of(slots, first));
      bench.init();
      std::uint32_t fetched = 0;
      for (std::uint32_t built = 0; built < 20;) {
        const petal_result result = bench.build(overhead(built));
        if (result == PETAL_DONE) {
          ++built;
          petal_doorbell(&bench.device);
          BOOST_TEST(bench.get(PETAL_REG_DOORBELL) == first + built);
          continue;
        }
        BOOST_REQUIRE(result == PETAL_RING_FULL);
        BOOST_REQUIRE(built - fetched == slots);
        BOOST_REQUIRE(fetched_cycles(bench) == fetched);
        ++fetched;
      }
      for (; fetched < 20; ++fetched) BOOST_TEST(fetched_cycles(bench) == fetched);
      BOOST_TEST(
          (bench.entry(bench.get(PETAL_REG_RING_HEAD)).status == CompletionStatus::descriptor_not_valid));
    }
}

// F30: full is reported, and nothing that has not been fetched is overwritten.
BOOST_AUTO_TEST_CASE(a_full_ring_is_left_as_it_is) {
  DriverBench bench(ring_of(3));
  bench.init();
  for (std::uint32_t cycles = 0; cycles < 3; ++cycles)
    BOOST_REQUIRE(bench.build(overhead(cycles)) == PETAL_DONE);
  BOOST_TEST(petal_free_slots(&bench.device) == 0U);
  std::uint32_t id = 77;
  BOOST_TEST(bench.build(overhead(9), &id) == PETAL_RING_FULL);
  BOOST_TEST(id == 77U);
  for (std::uint32_t number = 0; number < 3; ++number)
    BOOST_TEST((bench.entry(number).status == CompletionStatus::ok));
  BOOST_TEST(fetched_cycles(bench) == 0U);
  BOOST_TEST(petal_free_slots(&bench.device) == 1U);
  BOOST_TEST(bench.build(overhead(3), &id) == PETAL_DONE);
  BOOST_TEST(id == 4U);  // no id was lost
  for (std::uint32_t cycles = 1; cycles < 4; ++cycles) BOOST_TEST(fetched_cycles(bench) == cycles);
}

BOOST_AUTO_TEST_CASE(a_composite_that_finds_the_ring_full_half_way_leaves_nothing) {
  BenchSizes sizes = ring_of(7);
  sizes.cap = 68;  // six entries
  DriverBench bench(sizes);
  bench.init();
  BOOST_REQUIRE(bench.build(overhead(0)) == PETAL_DONE);
  BOOST_REQUIRE(bench.build(overhead(1)) == PETAL_DONE);
  BOOST_TEST(bench.build(merge_values_composite()) == PETAL_RING_FULL);
  for (std::uint32_t number = 2; number < 7; ++number)
    BOOST_TEST((bench.entry(number).status == CompletionStatus::descriptor_not_valid));
  BOOST_TEST(fetched_cycles(bench) == 0U);
  BOOST_REQUIRE(bench.build(merge_values_composite()) == PETAL_DONE);  // over the ring's end
  BOOST_TEST(fetched_cycles(bench) == 1U);
  for (int slice = 0; slice < 6; ++slice) bench.fetch();
  const AssembledCommand assembled = bench.assemble();
  BOOST_REQUIRE(assembled.entries.size() == 6U);
  for (std::uint32_t slice = 0; slice < 6; ++slice) BOOST_TEST(assembled.entries[slice].tag == 3 + slice);
}

BOOST_AUTO_TEST_CASE(what_can_never_fit_is_told_from_what_does_not_fit_now) {
  BenchSizes sizes = ring_of(5);
  sizes.cap = 68;
  DriverBench small_ring(sizes);
  small_ring.init();
  BOOST_TEST(small_ring.build(merge_values_composite()) == PETAL_TOO_LARGE);
  sizes = ring_of(8);
  sizes.cap = 67;  // the GEMM and its add take 68
  DriverBench small_cap(sizes);
  small_cap.init();
  BOOST_TEST(small_cap.build(merge_values_composite()) == PETAL_TOO_LARGE);
  sizes.cap = 23;
  DriverBench smaller_cap(sizes);
  smaller_cap.init();
  BOOST_TEST(smaller_cap.build(one_of_each_kind()[0]) == PETAL_TOO_LARGE);  // a DMA takes 24
  BOOST_TEST(smaller_cap.build(overhead(5)) == PETAL_DONE);
  BOOST_TEST(fetched_cycles(smaller_cap) == 5U);
}

// F31: until it is whole, a command's entries are not valid, whatever was in the slots before.
BOOST_AUTO_TEST_CASE(a_command_under_construction_is_not_valid) {
  BenchSizes sizes = ring_of(4);
  sizes.cap = 68;
  DriverBench bench(sizes);
  bench.init();
  for (std::uint32_t cycles = 0; cycles < 4; ++cycles) {  // every slot has been used
    BOOST_REQUIRE(bench.build(overhead(cycles)) == PETAL_DONE);
    bench.fetch();
    bench.assemble();
  }
  const auto expect_not_valid = [&bench] {
    for (std::uint32_t number = 4; number < 8; ++number)
      BOOST_TEST((bench.entry(number).status == CompletionStatus::descriptor_not_valid));
  };
  const petal_ref tensor = 0;
  petal_composite(&bench.device, &tensor, 1, 3);
  expect_not_valid();
  for (int op = 0; op < 3; ++op) {
    petal_op(&bench.device, PETAL_OP_ADD, PETAL_KERNEL, nullptr, tensor, nullptr, 1);  // one scalar too many
    expect_not_valid();
  }
  BOOST_TEST(petal_submit(&bench.device, nullptr) == PETAL_BAD_ARGUMENT);
  expect_not_valid();
  const petal_ref both[] = {0, 0};
  petal_composite(&bench.device, &tensor, 1, 3);
  for (int op = 0; op < 3; ++op)
    petal_op(&bench.device, PETAL_OP_ADD, PETAL_KERNEL, both, tensor, nullptr, 0);
  expect_not_valid();
  BOOST_TEST(petal_submit(&bench.device, nullptr) == PETAL_DONE);
  BOOST_TEST((bench.entry(4).status == CompletionStatus::ok));
}

BOOST_AUTO_TEST_CASE(ids_count_modulo_2_to_the_24) {
  DriverBench bench(ring_of(2));
  bench.init();
  bench.device.next_id = 0xFFFFFF;
  std::uint32_t id = 0;
  BOOST_REQUIRE(bench.build(overhead(1), &id) == PETAL_DONE);
  BOOST_TEST(id == 0xFFFFFFU);
  BOOST_REQUIRE(bench.build(overhead(2), &id) == PETAL_DONE);
  BOOST_TEST(id == 0U);
  BOOST_TEST(fetched_cycles(bench) == 1U);
  BOOST_TEST(fetched_cycles(bench) == 2U);
}

BOOST_AUTO_TEST_CASE(what_is_no_command_is_refused) {
  DriverBench bench;
  bench.init();
  petal_device* const device = &bench.device;
  const petal_ref refs[] = {0, 0, 0};
  const petal_scalar scalars[] = {0, 0, 0, 0};
  BOOST_TEST(petal_math(device, PETAL_OP_GEMM, refs, 0, scalars, 3, nullptr) == PETAL_BAD_ARGUMENT);
  BOOST_TEST(petal_math(device, static_cast<petal_opcode>(28), refs, 0, nullptr, 0, nullptr) ==
             PETAL_BAD_ARGUMENT);
  BOOST_TEST(petal_math(device, PETAL_OP_RMAX, refs, 0, nullptr, 0, nullptr) == PETAL_BAD_ARGUMENT);
  BOOST_TEST(petal_math(device, PETAL_OP_COPY, refs, 0, scalars, 1, nullptr) == PETAL_BAD_ARGUMENT);
  BOOST_TEST(petal_submit(device, nullptr) == PETAL_BAD_ARGUMENT);  // nothing was begun
  petal_composite(device, nullptr, 0, 2);
  petal_op(device, PETAL_OP_COPY, PETAL_KERNEL, refs, 0, nullptr, 0);
  BOOST_TEST(petal_submit(device, nullptr) == PETAL_BAD_ARGUMENT);  // an op is missing
  petal_composite(device, nullptr, 0, 0);
  petal_op(device, PETAL_OP_COPY, PETAL_KERNEL, refs, 0, nullptr, 0);
  BOOST_TEST(petal_submit(device, nullptr) == PETAL_BAD_ARGUMENT);  // one too many
  petal_composite(device, nullptr, 0, 1);
  petal_op(device, PETAL_OP_COPY, static_cast<petal_scope>(3), refs, 0, nullptr, 0);
  BOOST_TEST(petal_submit(device, nullptr) == PETAL_BAD_ARGUMENT);
  petal_composite(device, nullptr, 0, 256);
  BOOST_TEST(petal_submit(device, nullptr) == PETAL_TOO_LARGE);
  petal_composite(device, nullptr, 256, 1);
  BOOST_TEST(petal_submit(device, nullptr) == PETAL_TOO_LARGE);
  BOOST_TEST((bench.entry(0).status == CompletionStatus::descriptor_not_valid));
  BOOST_TEST(bench.build(overhead(1)) == PETAL_DONE);
  BOOST_TEST(fetched_cycles(bench) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
