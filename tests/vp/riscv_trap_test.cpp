// SPDX-License-Identifier: Apache-2.0
//
// Encodings from the RISC-V privileged and unprivileged specifications.
#include <boost/test/unit_test.hpp>

#include "petal/vp/riscv_trap.hpp"

using namespace petal::vp;

BOOST_AUTO_TEST_SUITE(riscv_trap)

BOOST_AUTO_TEST_CASE(mstatus_remembers_whether_interrupts_were_enabled) {
  BOOST_TEST(mstatus_in_trap(0x8) == 0x1880U);
  BOOST_TEST(mstatus_in_trap(0x80) == 0x1800U);
  BOOST_TEST(mstatus_in_trap(0xA00000000000600A) == 0xA000000000007882U);  // other bits stay
}

BOOST_AUTO_TEST_CASE(a_vectored_interrupt_has_a_handler_of_its_own) {
  BOOST_TEST(trap_handler(0x80000100, kMachineExternalInterrupt) == 0x80000100U);
  BOOST_TEST(trap_handler(0x80000101, kMachineExternalInterrupt) == 0x8000012CU);
  BOOST_TEST(trap_handler(0x80000101, kIllegalInstruction) == 0x80000100U);
}

BOOST_AUTO_TEST_CASE(reads_of_counters_are_found) {
  BOOST_TEST((decode_counter_read(0xC0002573).value().counter == Counter::cycles));  // rdcycle a0
  BOOST_TEST(decode_counter_read(0xC0002573).value().destination == 10U);
  BOOST_TEST((decode_counter_read(0xB00026F3).value().counter == Counter::cycles));        // csrr a3, mcycle
  BOOST_TEST((decode_counter_read(0xC0202673).value().counter == Counter::instructions));  // rdinstret a2
  BOOST_TEST(
      (decode_counter_read(0x34402373).value().counter == Counter::pending_interrupts));  // csrr t1, mip
  BOOST_TEST(!decode_counter_read(0x300025F3));                                           // csrr a1, mstatus
  BOOST_TEST(!decode_counter_read(0xB0059073));                                           // csrw mcycle, a1
  BOOST_TEST(!decode_counter_read(0x00000013));                                           // nop
}

BOOST_AUTO_TEST_SUITE_END()
