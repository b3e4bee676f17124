// SPDX-License-Identifier: Apache-2.0
#include "petal/calendar/calendar.hpp"

#include <boost/test/unit_test.hpp>
#include <deque>
#include <functional>
#include <string>

namespace {

using namespace petal;
using Step = Calendar::Step;

/// A calendar whose receivers and reactors write down what happens, and do what a test tells them to.
class Diary : public Calendar::Receiver, public Calendar::Reactor {
 public:
  Diary() {
    for (const Step step : {Step::cpu, Step::take, Step::arbitrate}) calendar.set_reactor(step, *this);
  }

  void due(std::uint64_t token) override {
    text += std::to_string(token) + "@" + std::to_string(calendar.now().count()) + " ";
    if (on_due) on_due(token);
  }
  void react(Step step) override {
    constexpr const char* kNames[] = {"cpu ", "take ", "arbitrate "};
    text += kNames[static_cast<std::size_t>(step)];
    if (on_react) on_react(step);
  }
  void plan(std::int64_t at, Calendar::Order order, std::uint64_t token) {
    calendar.schedule(appointments.emplace_back(*this, token), Picoseconds(at), order);
  }

  Calendar calendar;
  std::deque<Calendar::Appointment> appointments;
  std::string text;
  std::function<void(std::uint64_t)> on_due;
  std::function<void(Step)> on_react;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(calendar)

BOOST_AUTO_TEST_CASE(appointments_of_one_instant_go_by_command_then_stage) {
  Diary diary;
  diary.plan(10, {2, 0}, 20);
  diary.plan(10, {1, 7}, 17);
  diary.plan(10, {10, 1}, 101);
  diary.plan(10, {1, 2}, 12);
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "12@10 17@10 20@10 101@10 ");
}

BOOST_AUTO_TEST_CASE(earlier_instants_go_first_whatever_their_command) {
  Diary diary;
  diary.plan(20, {1, 1}, 1);
  diary.plan(10, {9, 9}, 2);
  diary.plan(15, {5, 5}, 3);
  while (diary.calendar.next_time() != kNever) diary.calendar.run_instant();
  BOOST_TEST(diary.text == "2@10 3@15 1@20 ");
}

BOOST_AUTO_TEST_CASE(among_equals_the_first_made_goes_first) {
  Diary diary;
  for (const std::uint64_t token : {3U, 1U, 2U}) diary.plan(5, {4, 4}, token);
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "3@5 1@5 2@5 ");
}

BOOST_AUTO_TEST_CASE(other_appointments_stand_behind_the_completions_of_their_instant) {
  Diary diary;
  diary.plan(5, Calendar::kAfterCompletions, 99);
  diary.plan(5, {1000, 1000}, 1);
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "1@5 99@5 ");
}

BOOST_AUTO_TEST_CASE(an_instant_is_completions_then_cpu_then_take_then_arbitrate) {
  Diary diary;
  diary.on_due = [&](std::uint64_t token) {
    if (token != 1) return;
    for (const Step step : {Step::arbitrate, Step::take, Step::cpu}) diary.calendar.request(step);
  };
  diary.plan(7, {1, 0}, 1);
  diary.plan(7, {2, 0}, 2);
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "1@7 2@7 cpu take arbitrate ");
}

BOOST_AUTO_TEST_CASE(a_step_asked_for_twice_before_its_turn_runs_once) {
  Diary diary;
  diary.calendar.request(Step::take);
  diary.calendar.request(Step::take);
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "take ");
}

// A stage that takes no time completes before anything else of the instant is looked at.
BOOST_AUTO_TEST_CASE(a_completion_made_within_the_instant_goes_before_the_steps_that_are_left) {
  Diary diary;
  diary.on_react = [&](Step step) {
    if (step == Step::take) diary.plan(diary.calendar.now().count(), {1, 0}, 5);
  };
  diary.calendar.request(Step::arbitrate);
  diary.calendar.request(Step::take);
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "take 5@0 arbitrate ");
}

BOOST_AUTO_TEST_CASE(an_earlier_step_asked_for_by_a_later_one_comes_in_the_same_instant) {
  Diary diary;
  bool first = true;
  diary.on_react = [&](Step step) {
    if (step == Step::arbitrate && first) diary.calendar.request(Step::cpu);
    if (step == Step::cpu) diary.calendar.request(Step::arbitrate);
    if (step == Step::arbitrate) first = false;
  };
  diary.calendar.request(Step::arbitrate);
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "arbitrate cpu arbitrate ");
}

BOOST_AUTO_TEST_CASE(a_chain_without_duration_is_one_instant) {
  Diary diary;
  diary.on_due = [&](std::uint64_t token) {
    if (token < 4) diary.plan(diary.calendar.now().count(), {1, token + 1}, token + 1);
  };
  diary.plan(30, {1, 1}, 1);
  diary.plan(31, {1, 0}, 9);
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "1@30 2@30 3@30 4@30 ");
  BOOST_TEST(diary.calendar.next_time().count() == 31);
}

BOOST_AUTO_TEST_CASE(the_next_time_is_the_earliest_appointment_or_now_if_a_step_is_asked_for) {
  Diary diary;
  BOOST_TEST((diary.calendar.next_time() == kNever));
  diary.plan(40, {1, 0}, 1);
  diary.plan(30, {1, 0}, 2);
  BOOST_TEST(diary.calendar.next_time().count() == 30);
  diary.calendar.run_instant();
  BOOST_TEST(diary.calendar.now().count() == 30);
  diary.calendar.request(Step::cpu);
  BOOST_TEST(diary.calendar.next_time().count() == 30);
}

BOOST_AUTO_TEST_CASE(a_blocked_instant_goes_on_where_it_stopped_and_no_time_passes) {
  Diary diary;
  diary.on_react = [&](Step step) {
    if (step == Step::cpu) diary.calendar.block();
  };
  diary.plan(10, {1, 0}, 1);
  diary.plan(11, {1, 0}, 2);
  diary.on_due = [&](std::uint64_t token) {
    if (token != 1) return;
    diary.calendar.request(Step::cpu);
    diary.calendar.request(Step::take);
  };
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "1@10 cpu ");
  BOOST_TEST(diary.calendar.blocked());
  BOOST_TEST(diary.calendar.next_time().count() == 10);
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "1@10 cpu ");
  diary.calendar.unblock();
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "1@10 cpu take ");
  BOOST_TEST(diary.calendar.next_time().count() == 11);
}

BOOST_AUTO_TEST_CASE(an_appointment_is_scheduled_until_it_is_due_and_can_then_be_made_again) {
  Diary diary;
  Calendar::Appointment& last = diary.appointments.emplace_back(diary, 7);
  BOOST_TEST(!last.is_scheduled());
  diary.plan(10, {1, 0}, 1);
  diary.calendar.schedule(last, Picoseconds(20), {1, 0});
  diary.calendar.run_instant();
  BOOST_TEST(last.is_scheduled());
  diary.on_due = [&](std::uint64_t token) {
    if (token == 7 && diary.calendar.now() == Picoseconds(20))
      diary.calendar.schedule(last, Picoseconds(30), {1, 0});
  };
  diary.calendar.run_instant();
  BOOST_TEST(last.is_scheduled());
  diary.calendar.run_instant();
  BOOST_TEST(!last.is_scheduled());
  BOOST_TEST(diary.text == "1@10 7@20 7@30 ");
}

BOOST_AUTO_TEST_CASE(what_is_cleared_does_not_happen) {
  Diary diary;
  diary.plan(10, {1, 0}, 1);
  diary.plan(20, {1, 0}, 2);
  diary.calendar.request(Step::take);
  diary.calendar.clear();
  BOOST_TEST((diary.calendar.next_time() == kNever));
  BOOST_TEST(!diary.appointments.front().is_scheduled());
  diary.calendar.schedule(diary.appointments.front(), Picoseconds(30), {});
  diary.calendar.run_instant();
  BOOST_TEST(diary.text == "1@30 ");
}

BOOST_AUTO_TEST_SUITE_END()
