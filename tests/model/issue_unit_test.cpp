// SPDX-License-Identifier: Apache-2.0
//
// The issue path with a real queue and a calendar that the test turns by hand; the test plays PE_SCHEDULER.
#include "petal/pe_cpu/issue_unit.hpp"

#include <boost/test/unit_test.hpp>
#include <deque>
#include <string>

namespace {

using namespace petal;

/// Writes down what the issue unit reports, and how long PE_CPU was in each state.
class Reports : public Observer {
 public:
  void on_dispatch(const DispatchEvent& event) override {
    dispatches += std::to_string(event.slice.completion) + ":" + std::to_string(event.start.count()) + "-" +
                  std::to_string(event.end.count()) + " ";
  }
  void on_queue_wait(const QueueWaitEvent& event) override {
    queue_waits += std::to_string(event.slice.completion) + ":" + std::to_string(event.start.count()) + "-" +
                   std::to_string(event.end.count()) + " ";
  }
  void on_cpu_state(const CpuStateEvent& event) override {
    leave(event.at);
    state_ = event.state;
  }
  void on_finish(const FinishEvent& event) override {
    finished_at = event.at.count();
    path_ps = event.path.total().count();
    leave(event.at);
  }
  std::int64_t spent(CpuState state) const { return spent_[static_cast<std::size_t>(state)].count(); }

  std::string dispatches;
  std::string queue_waits;
  std::int64_t finished_at = -1;
  std::int64_t path_ps = -1;

 private:
  void leave(Picoseconds at) {
    spent_[static_cast<std::size_t>(state_)] += at - since_;
    since_ = at;
  }

  CpuState state_ = CpuState::idle;
  Picoseconds since_{0};
  std::array<Picoseconds, kCpuStates> spent_{};
};

/// One cycle is 1000 ps; a command of 16 bytes costs 10 + 16/4 = 14 cycles.
IssueUnitConfig config_of(AutoAwait auto_await) {
  IssueUnitConfig config;
  config.cost = {10.0, 0.25, 1024};
  config.cpu.auto_await = auto_await;
  return config;
}

class IssueBench : public Calendar::Reactor, public Calendar::Receiver {
 public:
  explicit IssueBench(AutoAwait auto_await = AutoAwait::primitive, std::uint64_t queue_bytes = 4096)
      : queue("queue", Bytes(queue_bytes), calendar),
        unit(
            config_of(auto_await), calendar, events_, [this] { ++demands; }, [](const CriticalPath&) {}) {
    events_.attach(reports);
    calendar.set_reactor(Calendar::Step::take, *this);
    unit.bind(queue);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // a channel cannot notify before it is elaborated
  }
  IssueBench(const IssueBench&) = delete;
  IssueBench& operator=(const IssueBench&) = delete;

  static IssueRequest request(CompletionId completion, std::uint64_t bytes) {
    IssueRequest request;
    request.slice.command = std::make_shared<const PeCommand>(MathCmd{});
    request.slice.completion = completion;
    request.slice.logical_bytes = Bytes(bytes);
    return request;
  }
  void issue(CompletionId completion, std::uint64_t bytes, std::vector<CompletionId> pending = {},
             bool is_primitive = true) {
    IssueRequest step = request(completion, bytes);
    step.pending_inputs = std::move(pending);
    step.is_primitive = is_primitive;
    unit.add_step(step);
  }
  /// At `at`, the scheduler takes the head of the queue.
  void plan_take(std::int64_t at) {
    calendar.schedule(appointments_.emplace_back(*this, 0), Picoseconds(at), Calendar::kAfterCompletions);
  }
  /// At `at`, command `id` completes.
  void plan_completion(std::int64_t at, CompletionId id) {
    calendar.schedule(appointments_.emplace_back(*this, id), Picoseconds(at), {id, 0});
  }
  /// Ends the program and runs until nothing is left to do.
  void run() {
    unit.begin(Picoseconds(0), {});
    unit.end_of_program();
    turn();
  }
  void turn() {
    while (!calendar.blocked() && calendar.next_time() != kNever) calendar.run_instant();
  }

  void react(Calendar::Step) override {}
  void due(std::uint64_t token) override {
    CriticalPath path;
    path.add(PathCause::math, calendar.now());
    if (token == 0)
      queue.take(path);
    else
      unit.completed({token, CompletionStatus::ok, 0}, path);
  }

 private:
  EventStream events_;
  std::deque<Calendar::Appointment> appointments_;

 public:
  Calendar calendar;
  CommandQueue queue;
  Reports reports;
  int demands = 0;
  IssueUnit unit;
};

/// The dispatches of a command and of one that consumes its result, which is there at 50000 ps.
std::string dispatches_of_a_consumer(AutoAwait auto_await, bool is_primitive) {
  IssueBench bench(auto_await);
  bench.issue(1, 16);
  bench.issue(2, 16, {1}, is_primitive);
  bench.plan_completion(50000, 1);
  bench.run();
  return bench.reports.dispatches;
}
const std::string kAtOnce = "1:0-14000 2:14000-28000 ";
const std::string kAwaited = "1:0-14000 2:50000-64000 ";

}  // namespace

BOOST_AUTO_TEST_SUITE(issue_unit)

BOOST_AUTO_TEST_CASE(commands_are_paid_for_one_after_the_other_and_then_pushed) {
  IssueBench bench;
  bench.issue(1, 16);
  bench.issue(2, 32);
  bench.run();
  BOOST_TEST(bench.reports.dispatches == "1:0-14000 2:14000-32000 ");  // 14 and 18 cycles
  BOOST_TEST(bench.queue.num_available() == 2);
  BOOST_TEST(bench.queue.take({}).pushed.count() == 14000);
  BOOST_TEST(bench.queue.take({}).pushed.count() == 32000);
}

BOOST_AUTO_TEST_CASE(the_end_of_the_program_waits_for_all_it_issued) {
  IssueBench bench;
  bench.issue(1, 16);
  bench.issue(2, 16);
  bench.plan_completion(50000, 2);
  bench.plan_completion(70000, 1);
  bench.run();
  BOOST_TEST(bench.unit.finished());
  BOOST_TEST(bench.reports.finished_at == 70000);
  BOOST_TEST(bench.reports.spent(CpuState::dispatching) == 28000);
  BOOST_TEST(bench.reports.spent(CpuState::waiting) == 42000);
  BOOST_TEST(bench.reports.path_ps == 70000);
}

BOOST_AUTO_TEST_CASE(a_program_with_outstanding_commands_is_not_finished_and_says_what_it_waits_for) {
  IssueBench bench;
  bench.issue(1, 16);
  bench.issue(2, 16);
  bench.plan_completion(50000, 2);
  bench.run();
  BOOST_TEST(!bench.unit.finished());
  BOOST_TEST(bench.unit.describe() == "PE_CPU waits for the completion of command 1");
}

BOOST_AUTO_TEST_CASE(a_full_queue_holds_the_cpu_until_a_take_makes_room) {
  IssueBench bench(AutoAwait::none, 40);
  for (CompletionId id = 1; id <= 3; ++id) bench.issue(id, 16);
  for (CompletionId id = 1; id <= 3; ++id) bench.plan_completion(100000, id);
  bench.plan_take(60000);
  bench.run();
  // Two of 16 bytes fit in 40; the third is paid for at 42000 and stands there until 60000.
  BOOST_TEST(bench.reports.dispatches == "1:0-14000 2:14000-28000 3:28000-42000 ");
  BOOST_TEST(bench.reports.queue_waits == "3:42000-60000 ");
  BOOST_TEST(bench.reports.spent(CpuState::queue_full) == 18000);
  BOOST_TEST(bench.reports.spent(CpuState::dispatching) == 42000);
  BOOST_TEST(bench.reports.spent(CpuState::waiting) == 40000);
  BOOST_TEST(bench.reports.finished_at == 100000);
}

BOOST_AUTO_TEST_CASE(a_take_that_does_not_make_enough_room_is_part_of_the_same_wait) {
  IssueBench bench(AutoAwait::none, 40);
  bench.issue(1, 8);
  bench.issue(2, 24);
  bench.issue(3, 32);
  bench.plan_take(60000);  // leaves 24 of 40 bytes
  bench.plan_take(65000);
  bench.run();
  BOOST_TEST(bench.reports.queue_waits == "3:46000-65000 ");  // 12 + 16 + 18 cycles
}

BOOST_AUTO_TEST_CASE(a_primitive_awaits_its_inputs_before_it_is_paid_for) {
  IssueBench bench(AutoAwait::primitive);
  bench.issue(1, 16);
  bench.issue(2, 16, {1});
  bench.plan_completion(50000, 1);
  bench.plan_completion(90000, 2);
  bench.run();
  BOOST_TEST(bench.reports.dispatches == "1:0-14000 2:50000-64000 ");
  BOOST_TEST(bench.reports.spent(CpuState::waiting) == 62000);  // 14 to 50 and 64 to 90
}

BOOST_AUTO_TEST_CASE(a_composite_does_not_block_the_cpu) {
  BOOST_TEST(dispatches_of_a_consumer(AutoAwait::primitive, false) == kAtOnce);
}

BOOST_AUTO_TEST_CASE(a_composite_awaits_its_inputs_if_all_commands_do) {
  BOOST_TEST(dispatches_of_a_consumer(AutoAwait::all, false) == kAwaited);
}

BOOST_AUTO_TEST_CASE(a_primitive_awaits_its_inputs_if_all_commands_do) {
  BOOST_TEST(dispatches_of_a_consumer(AutoAwait::all, true) == kAwaited);
}

BOOST_AUTO_TEST_CASE(a_primitive_does_not_block_the_cpu_if_none_does) {
  BOOST_TEST(dispatches_of_a_consumer(AutoAwait::none, true) == kAtOnce);
}

BOOST_AUTO_TEST_CASE(an_input_that_is_there_already_is_not_waited_for) {
  IssueBench bench(AutoAwait::primitive);
  bench.issue(1, 16);
  bench.issue(2, 64);
  bench.issue(3, 16, {1, kNoCompletion});
  bench.plan_completion(20000, 1);
  bench.run();
  BOOST_TEST(bench.reports.dispatches == "1:0-14000 2:14000-40000 3:40000-54000 ");
}

BOOST_AUTO_TEST_CASE(a_wait_step_blocks_whatever_the_auto_await) {
  IssueBench bench(AutoAwait::none);
  bench.issue(1, 16);
  bench.issue(2, 16);
  bench.unit.add_step(WaitStep{{1, 2}});
  bench.issue(3, 16);
  bench.plan_completion(40000, 2);
  bench.plan_completion(50000, 1);
  bench.run();
  BOOST_TEST(bench.reports.dispatches == "1:0-14000 2:14000-28000 3:50000-64000 ");
}

BOOST_AUTO_TEST_CASE(overhead_costs_its_cycles_and_never_enters_the_queue) {
  IssueBench bench;
  OverheadCmd overhead;
  overhead.cycles = 25;
  bench.unit.add_step(overhead);
  bench.issue(1, 16);
  bench.plan_completion(60000, 1);
  bench.run();
  BOOST_TEST(bench.reports.spent(CpuState::overhead) == 25000);
  BOOST_TEST(bench.reports.spent(CpuState::dispatching) == 14000);
  BOOST_TEST(bench.queue.num_available() == 1);
  BOOST_TEST(bench.queue.take({}).pushed.count() == 39000);
}

BOOST_AUTO_TEST_CASE(every_picosecond_is_accounted_for_once) {
  IssueBench bench(AutoAwait::primitive, 40);
  OverheadCmd overhead;
  overhead.cycles = 7;
  bench.issue(1, 32);
  bench.unit.add_step(overhead);
  bench.issue(2, 32);
  bench.issue(3, 16, {1});
  bench.plan_take(80000);
  bench.plan_take(90000);
  bench.plan_completion(100000, 1);
  bench.plan_completion(150000, 2);
  bench.plan_completion(170000, 3);
  bench.run();
  std::int64_t sum = 0;
  for (std::size_t state = 0; state < kCpuStates; ++state)
    sum += bench.reports.spent(static_cast<CpuState>(state));
  BOOST_TEST(sum == 170000);
  BOOST_TEST(bench.reports.finished_at == 170000);
  BOOST_TEST(bench.reports.spent(CpuState::dispatching) == 50000);  // 18 + 18 + 14
  BOOST_TEST(bench.reports.spent(CpuState::overhead) == 7000);
  BOOST_TEST(bench.reports.spent(CpuState::queue_full) == 37000);  // 43 to 80
  BOOST_TEST(bench.reports.spent(CpuState::waiting) == 76000);     // 80 to 100, 114 to 170
  BOOST_TEST(bench.reports.spent(CpuState::idle) == 0);
  BOOST_TEST(bench.reports.path_ps == 170000);
}

BOOST_AUTO_TEST_CASE(a_unit_without_steps_asks_for_more_and_its_instant_stands_still) {
  IssueBench bench;
  bench.issue(1, 16);
  bench.unit.begin(Picoseconds(0), {});
  bench.turn();
  BOOST_TEST(bench.demands == 1);
  BOOST_TEST(bench.calendar.blocked());
  BOOST_TEST(bench.calendar.next_time().count() == 14000);
  bench.issue(2, 16);
  bench.calendar.unblock();
  bench.turn();
  BOOST_TEST(bench.reports.dispatches == "1:0-14000 2:14000-28000 ");
  BOOST_TEST(bench.demands == 2);
}

BOOST_AUTO_TEST_CASE(a_program_starts_at_the_time_it_is_launched_for) {
  IssueBench bench;
  bench.issue(1, 16);
  bench.unit.begin(Picoseconds(5000), {});
  bench.unit.end_of_program();
  bench.plan_completion(30000, 1);
  bench.turn();
  BOOST_TEST(bench.reports.dispatches == "1:5000-19000 ");
  BOOST_TEST(bench.reports.spent(CpuState::idle) == 5000);
}

BOOST_AUTO_TEST_CASE(an_empty_program_is_over_at_once) {
  IssueBench bench;
  bench.run();
  BOOST_TEST(bench.unit.finished());
  BOOST_TEST(bench.reports.finished_at == 0);
}

// Two steps that are there at 5000 and 60000 ps: the CPU is idle before and between, and is never over.
BOOST_AUTO_TEST_CASE(an_open_unit_takes_steps_as_they_come) {
  IssueBench bench;
  bench.unit.begin_open(Picoseconds(0));
  bench.unit.feed(IssueBench::request(1, 16), Picoseconds(5000));
  bench.turn();
  BOOST_TEST(bench.reports.dispatches == "1:5000-19000 ");
  BOOST_TEST(!bench.unit.is_quiet());
  bench.plan_completion(30000, 1);
  bench.turn();
  BOOST_TEST(bench.unit.is_quiet());
  BOOST_TEST(!bench.unit.finished());
  BOOST_TEST(bench.demands == 0);
  bench.unit.feed(IssueBench::request(2, 32), Picoseconds(60000));
  bench.turn();
  BOOST_TEST(bench.reports.dispatches == "1:5000-19000 2:60000-78000 ");
  BOOST_TEST(bench.reports.spent(CpuState::dispatching) == 32000);
  // What the second command's dispatch followed was the host, from 19000 to 60000 ps, and before 5000 ps.
  bench.queue.take({});
  const CriticalPath path = bench.queue.take({}).path;
  BOOST_TEST(path.total().count() == 78000);
  BOOST_TEST(path.spent(PathCause::host).count() == 46000);
  BOOST_TEST(bench.unit.dispatched_bytes().count() == 48U);
  BOOST_TEST(bench.unit.dispatched_cycles().count() == 32.0);
}

BOOST_AUTO_TEST_CASE(a_step_that_comes_while_the_cpu_dispatches_waits_its_turn) {
  IssueBench bench;
  std::string begun;
  bench.unit.set_step_listener([&] { begun += std::to_string(bench.calendar.now().count()) + " "; });
  bench.unit.begin_open(Picoseconds(0));
  bench.unit.feed(IssueBench::request(1, 16), Picoseconds(0));
  bench.unit.feed(OverheadCmd{{}, 3}, Picoseconds(0));
  bench.unit.feed(IssueBench::request(2, 16), Picoseconds(0));
  std::int64_t overhead_ended = -1;
  bench.unit.set_overhead_listener([&] { overhead_ended = bench.calendar.now().count(); });
  bench.turn();
  BOOST_TEST(bench.reports.dispatches == "1:0-14000 0:14000-17000 2:17000-31000 ");
  BOOST_TEST(begun == "0 14000 17000 ");
  BOOST_TEST(overhead_ended == 17000);
}

BOOST_AUTO_TEST_CASE(a_reset_unit_forgets_and_begins_again) {
  IssueBench bench;
  bench.unit.begin_open(Picoseconds(0));
  bench.unit.feed(IssueBench::request(1, 16), Picoseconds(0));
  bench.unit.feed(IssueBench::request(2, 16), Picoseconds(0));
  bench.calendar.run_instant();  // the first dispatch is under way
  bench.calendar.clear();
  bench.unit.reset(2);
  bench.queue.clear();
  bench.turn();
  BOOST_TEST(bench.queue.num_available() == 0);
  bench.unit.begin_open(Picoseconds(20000));
  BOOST_TEST(bench.unit.is_quiet());
  bench.unit.feed(IssueBench::request(3, 16), Picoseconds(25000));
  bench.plan_completion(50000, 3);
  bench.turn();
  BOOST_TEST(bench.unit.is_quiet());
  BOOST_TEST(bench.queue.num_available() == 1);
  BOOST_TEST(bench.queue.used().count() == 16U);
  BOOST_TEST(bench.unit.dispatched_bytes().count() == 16U);
}

BOOST_AUTO_TEST_SUITE_END()
