// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_block.hpp"

#include <boost/test/unit_test.hpp>

namespace petal {
namespace {

BOOST_AUTO_TEST_SUITE(register_block)

BOOST_AUTO_TEST_CASE(registers_begin_with_their_reset_values) {
  const RegisterBlock block;
  BOOST_TEST(block.read(RegisterId::id) == 0x4C544550);
  BOOST_TEST(block.read(RegisterId::version) == 0x00010000);
  BOOST_TEST(block.read(RegisterId::int_threshold) == 1);
  BOOST_TEST(block.read(RegisterId::ring_size) == 0);
  BOOST_TEST(block.read(RegisterId::control) == 0);
}

// F33: a write to a read-only register.
BOOST_AUTO_TEST_CASE(a_write_of_read_only_bits_changes_nothing) {
  RegisterBlock block;
  const RegisterWrite write = block.write(RegisterId::id, 0xFFFFFFFF);
  BOOST_TEST(!write.refused_by_lock);
  BOOST_TEST(write.before == write.after);
  BOOST_TEST(write.started == 0);
  BOOST_TEST(block.read(RegisterId::id) == 0x4C544550);
}

BOOST_AUTO_TEST_CASE(reserved_bits_read_0_whatever_was_written) {
  RegisterBlock block;
  for (const RegisterInfo& info : kRegisterMap) block.write(info.id, 0xFFFFFFFF);
  for (const RegisterInfo& info : kRegisterMap)
    BOOST_TEST((block.read(info.id) & ~info.readable_mask()) == 0, info.name);
  BOOST_TEST(block.read(RegisterId::control) == 1);
  BOOST_TEST(block.read(RegisterId::int_enable) == 0xF);
}

BOOST_AUTO_TEST_CASE(write_only_bits_are_told_and_not_kept) {
  RegisterBlock block;
  const RegisterWrite write = block.write(RegisterId::control, 0xFFFFFFFE);
  BOOST_TEST(write.started == 0xE);
  BOOST_TEST(write.after == 0);
  BOOST_TEST(block.read(RegisterId::control) == 0);
  BOOST_TEST(block.write(RegisterId::doorbell, 0x12345678).started == 0x12345678);
  BOOST_TEST(block.read(RegisterId::doorbell) == 0);
}

BOOST_AUTO_TEST_CASE(a_locked_register_is_writable_while_the_device_is_not_enabled) {
  RegisterBlock block;
  BOOST_TEST(!block.write(RegisterId::ring_size, 7).refused_by_lock);
  const RegisterWrite enable = block.write(RegisterId::control, 1);
  BOOST_TEST(enable.before == 0);
  BOOST_TEST(enable.after == 1);
  for (const RegisterId id :
       {RegisterId::ring_base_lo, RegisterId::ring_base_hi, RegisterId::ring_size, RegisterId::ring_stride,
        RegisterId::ring_start, RegisterId::table_base_lo, RegisterId::table_base_hi, RegisterId::table_size,
        RegisterId::cq_base_lo, RegisterId::cq_base_hi, RegisterId::cq_size}) {
    const std::uint32_t before = block.read(id);
    BOOST_TEST(block.write(id, 99).refused_by_lock, info_of(id).name);
    BOOST_TEST(block.read(id) == before, info_of(id).name);
  }
  BOOST_TEST(block.read(RegisterId::ring_size) == 7);
  for (const RegisterId id : {RegisterId::cq_head, RegisterId::int_threshold, RegisterId::control})
    BOOST_TEST(!block.write(id, 1).refused_by_lock, info_of(id).name);
  block.write(RegisterId::control, 0);
  BOOST_TEST(!block.write(RegisterId::ring_size, 9).refused_by_lock);
  BOOST_TEST(block.read(RegisterId::ring_size) == 9);
}

BOOST_AUTO_TEST_CASE(a_1_written_clears_where_that_is_the_access) {
  RegisterBlock block;
  block.set(RegisterId::int_status, 0x7);
  block.write(RegisterId::int_status, 0x5);
  BOOST_TEST(block.read(RegisterId::int_status) == 0x2);
}

BOOST_AUTO_TEST_CASE(reset_keeps_the_configuration) {
  RegisterBlock block;
  block.set_pair(RegisterId::cap_tcm_lo, RegisterId::cap_tcm_hi, 0x1'0000'0002);
  block.set_pair(RegisterId::count_fetched_lo, RegisterId::count_fetched_hi, 0xFEDCBA9876543210);
  BOOST_TEST(block.read(RegisterId::count_fetched_lo) == 0x76543210);
  BOOST_TEST(block.read(RegisterId::count_fetched_hi) == 0xFEDCBA98);
  block.write(RegisterId::ring_size, 7);
  block.write(RegisterId::control, 1);
  block.reset();
  BOOST_TEST(block.read_pair(RegisterId::cap_tcm_lo, RegisterId::cap_tcm_hi) == 0x1'0000'0002);
  BOOST_TEST(block.read_pair(RegisterId::count_fetched_lo, RegisterId::count_fetched_hi) == 0);
  BOOST_TEST(block.read(RegisterId::ring_size) == 0);
  BOOST_TEST(block.read(RegisterId::control) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
