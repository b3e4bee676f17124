// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_cpu/command_queue.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace petal;

QueueEntry entry_of(CompletionId completion, std::uint64_t bytes) {
  QueueEntry entry;
  entry.slice.command = std::make_shared<const PeCommand>(MathCmd{});
  entry.slice.completion = completion;
  entry.slice.logical_bytes = Bytes(bytes);
  return entry;
}

/// Writes down which steps the queue asks the calendar for.
struct Steps : Calendar::Reactor {
  void react(Calendar::Step step) override { text += step == Calendar::Step::cpu ? "cpu " : "take "; }
  std::string text;
};

struct QueueBench {
  explicit QueueBench(std::uint64_t capacity) : queue("queue", Bytes(capacity), calendar) {
    calendar.set_reactor(Calendar::Step::cpu, steps);
    calendar.set_reactor(Calendar::Step::take, steps);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // a channel cannot notify before it is elaborated
  }
  Calendar calendar;
  Steps steps;
  CommandQueue queue;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(command_queue)

BOOST_AUTO_TEST_CASE(the_capacity_is_in_logical_bytes_not_entries) {
  QueueBench bench(128);
  BOOST_TEST(bench.queue.nb_write(entry_of(1, 100)));
  BOOST_TEST(!bench.queue.nb_write(entry_of(2, 29)));  // 129
  BOOST_TEST(bench.queue.nb_write(entry_of(2, 28)));   // 128 fits exactly
  BOOST_TEST(bench.queue.num_free() == 0);
  BOOST_TEST(bench.queue.num_available() == 2);
  BOOST_TEST(bench.queue.used().count() == 128U);
}

BOOST_AUTO_TEST_CASE(entries_leave_in_the_order_they_came_and_keep_their_bytes_until_then) {
  QueueBench bench(128);
  bench.queue.nb_write(entry_of(1, 60));
  bench.queue.nb_write(entry_of(2, 54));
  BOOST_TEST(bench.queue.front()->slice.completion == 1U);
  BOOST_TEST(bench.queue.used().count() == 114U);
  BOOST_TEST(bench.queue.take({}).slice.completion == 1U);
  BOOST_TEST(bench.queue.used().count() == 54U);
  QueueEntry entry;
  BOOST_TEST(bench.queue.nb_read(entry));
  BOOST_TEST(entry.slice.completion == 2U);
  BOOST_TEST(!bench.queue.nb_read(entry));
  BOOST_TEST((bench.queue.front() == nullptr));
}

BOOST_AUTO_TEST_CASE(a_write_wakes_the_scheduler_and_a_take_wakes_the_cpu) {
  QueueBench bench(128);
  bench.queue.nb_write(entry_of(1, 60));
  bench.calendar.run_instant();
  BOOST_TEST(bench.steps.text == "take ");
  bench.queue.nb_write(entry_of(2, 100));  // refused: nobody has anything new to do
  BOOST_TEST((bench.calendar.next_time() == kNever));
  bench.queue.take({});
  bench.calendar.run_instant();
  BOOST_TEST(bench.steps.text == "take cpu ");
}

BOOST_AUTO_TEST_CASE(the_listener_sees_each_new_fill) {
  QueueBench bench(128);
  std::string levels;
  bench.queue.set_level_listener([&](std::uint64_t bytes, std::uint32_t entries) {
    levels += std::to_string(bytes) + "/" + std::to_string(entries) + " ";
  });
  bench.queue.nb_write(entry_of(1, 60));
  bench.queue.nb_write(entry_of(2, 54));
  bench.queue.nb_write(entry_of(3, 54));  // refused
  bench.queue.take({});
  bench.queue.take({});
  BOOST_TEST(levels == "60/1 114/2 54/1 0/0 ");
}

BOOST_AUTO_TEST_SUITE_END()
