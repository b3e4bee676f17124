// SPDX-License-Identifier: Apache-2.0
#include "petal/device/interrupt_controller.hpp"

#include <boost/test/unit_test.hpp>

namespace petal {
namespace {

constexpr std::uint32_t kCompletion = 1;
constexpr std::uint32_t kError = 2;
constexpr std::uint32_t kThreshold = 4;
constexpr std::uint32_t kIdle = 8;

std::uint32_t status_of(const InterruptController& interrupts) {
  return interrupts.read(RegisterId::int_status);
}

/// Whether this completion is the one that sets THRESHOLD.
bool completes_to_threshold(InterruptController& interrupts) {
  const bool before = (status_of(interrupts) & kThreshold) != 0;
  interrupts.report_completion();
  return !before && (status_of(interrupts) & kThreshold) != 0;
}

BOOST_AUTO_TEST_SUITE(interrupt_controller)

BOOST_AUTO_TEST_CASE(nothing_is_enabled_after_reset) {
  const InterruptController interrupts;
  BOOST_TEST(interrupts.read(RegisterId::int_enable) == 0);
  BOOST_TEST(interrupts.read(RegisterId::int_threshold) == 1);
  BOOST_TEST(status_of(interrupts) == 0);
  BOOST_TEST(!interrupts.line());
}

// F46: the status shows while the line is low; the line rises when the bit is enabled, without a new event.
BOOST_AUTO_TEST_CASE(the_line_rises_when_a_bit_that_is_set_is_enabled) {
  InterruptController interrupts;
  interrupts.report_completion();
  BOOST_TEST((status_of(interrupts) & kCompletion) != 0);
  BOOST_TEST(interrupts.read(RegisterId::int_pending) == 0);
  BOOST_TEST(!interrupts.line());
  interrupts.write(RegisterId::int_enable, kError);
  BOOST_TEST(!interrupts.line());
  interrupts.write(RegisterId::int_enable, kCompletion);
  BOOST_TEST(interrupts.line());
  BOOST_TEST(interrupts.read(RegisterId::int_pending) == kCompletion);
  interrupts.write(RegisterId::int_enable, 0);
  BOOST_TEST(!interrupts.line());
  BOOST_TEST((status_of(interrupts) & kCompletion) != 0);
}

BOOST_AUTO_TEST_CASE(the_line_stays_high_until_no_enabled_bit_is_set) {
  InterruptController interrupts;
  interrupts.write(RegisterId::int_enable, 0xFFFFFFFF);
  BOOST_TEST(interrupts.read(RegisterId::int_enable) == 0xF);
  interrupts.report_completion();
  interrupts.report_idle();
  BOOST_TEST(status_of(interrupts) == (kCompletion | kThreshold | kIdle));
  interrupts.write(RegisterId::int_status, kCompletion | kThreshold);
  BOOST_TEST(status_of(interrupts) == kIdle);
  BOOST_TEST(interrupts.line());
  interrupts.write(RegisterId::int_status, 0);
  BOOST_TEST(interrupts.line());
  interrupts.write(RegisterId::int_status, kIdle);
  BOOST_TEST(!interrupts.line());
}

BOOST_AUTO_TEST_CASE(threshold_counts_completions_since_it_was_cleared) {
  InterruptController interrupts;
  interrupts.write(RegisterId::int_threshold, 3);
  BOOST_TEST(!completes_to_threshold(interrupts));
  BOOST_TEST(!completes_to_threshold(interrupts));
  // COMPLETION alone does not start the count anew.
  interrupts.write(RegisterId::int_status, kCompletion);
  BOOST_TEST(completes_to_threshold(interrupts));
  interrupts.report_completion();
  interrupts.write(RegisterId::int_status, kThreshold);
  BOOST_TEST((status_of(interrupts) & kThreshold) == 0);
  BOOST_TEST(!completes_to_threshold(interrupts));
  BOOST_TEST(!completes_to_threshold(interrupts));
  BOOST_TEST(completes_to_threshold(interrupts));
}

BOOST_AUTO_TEST_CASE(a_lower_threshold_that_is_reached_already_sets_it) {
  InterruptController interrupts;
  interrupts.write(RegisterId::int_threshold, 8);
  interrupts.report_completion();
  interrupts.report_completion();
  interrupts.write(RegisterId::int_threshold, 3);
  BOOST_TEST((status_of(interrupts) & kThreshold) == 0);
  interrupts.write(RegisterId::int_threshold, 2);
  BOOST_TEST((status_of(interrupts) & kThreshold) != 0);
}

BOOST_AUTO_TEST_CASE(a_threshold_of_0_acts_as_1) {
  InterruptController interrupts;
  interrupts.write(RegisterId::int_threshold, 0);
  BOOST_TEST((status_of(interrupts) & kThreshold) == 0);
  BOOST_TEST(completes_to_threshold(interrupts));
  BOOST_TEST(interrupts.read(RegisterId::int_threshold) == 0);
}

BOOST_AUTO_TEST_CASE(the_first_error_is_kept_until_it_is_cleared) {
  InterruptController interrupts;
  interrupts.report_error({5, 0xABCDEF, 0x1234'5678'9ABC'DEF0});
  interrupts.report_error({6, 1, 0});
  BOOST_TEST(status_of(interrupts) == kError);
  BOOST_TEST(interrupts.read(RegisterId::error_cause) == 5);
  BOOST_TEST(interrupts.read(RegisterId::error_tag) == 0xABCDEF);
  BOOST_TEST(interrupts.read(RegisterId::error_address_lo) == 0x9ABCDEF0);
  BOOST_TEST(interrupts.read(RegisterId::error_address_hi) == 0x12345678);
  interrupts.write(RegisterId::error_cause, 0);
  interrupts.write(RegisterId::int_status, kCompletion);
  BOOST_TEST(interrupts.read(RegisterId::error_cause) == 5);
  interrupts.write(RegisterId::int_status, kError);
  for (const RegisterId id : {RegisterId::error_cause, RegisterId::error_tag, RegisterId::error_address_lo,
                              RegisterId::error_address_hi})
    BOOST_TEST(interrupts.read(id) == 0);
  interrupts.report_error({9, 0, 0});
  BOOST_TEST(interrupts.read(RegisterId::error_cause) == 9);
  BOOST_TEST(interrupts.read(RegisterId::error_tag) == 0);
}

BOOST_AUTO_TEST_CASE(pending_cannot_be_written) {
  InterruptController interrupts;
  interrupts.report_idle();
  interrupts.write(RegisterId::int_enable, kIdle);
  interrupts.write(RegisterId::int_pending, kIdle);
  BOOST_TEST(interrupts.line());
}

BOOST_AUTO_TEST_CASE(it_holds_eight_registers_of_the_map) {
  std::size_t held = 0;
  for (const RegisterInfo& info : kRegisterMap) {
    const bool named = info.name.substr(0, 4) == "INT_" || info.name.substr(0, 6) == "ERROR_";
    BOOST_TEST(InterruptController::holds(info.id) == named, info.name);
    if (named) ++held;
  }
  BOOST_TEST(held == 8);
}

BOOST_AUTO_TEST_CASE(reset_forgets_everything) {
  InterruptController interrupts;
  interrupts.write(RegisterId::int_enable, 0xF);
  interrupts.write(RegisterId::int_threshold, 2);
  interrupts.report_completion();
  interrupts.report_error({5, 1, 2});
  interrupts.reset();
  BOOST_TEST(!interrupts.line());
  BOOST_TEST(status_of(interrupts) == 0);
  BOOST_TEST(interrupts.read(RegisterId::int_enable) == 0);
  BOOST_TEST(interrupts.read(RegisterId::int_threshold) == 1);
  BOOST_TEST(interrupts.read(RegisterId::error_cause) == 0);
  interrupts.write(RegisterId::int_threshold, 2);
  BOOST_TEST(!completes_to_threshold(interrupts));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
