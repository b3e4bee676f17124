// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/port_arbiter.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

namespace {

using namespace petal;

struct ReadyStage {
  std::int64_t ready;
  CompletionId command;
  std::uint64_t number;
};

/// Hands stages to a port; each takes no time.
class Port : Calendar::Receiver {
 public:
  explicit Port(std::uint32_t outstanding = 1) : arbiter(outstanding) {}

  void add(const ReadyStage& ready, std::uint32_t run = 0) {
    StageTransaction& transaction = pool_.acquire();
    transaction.stage().run = run;
    transaction.ready = Picoseconds(ready.ready);
    transaction.stage().command = ready.command;
    transaction.stage().number = ready.number;
    arbiter.add(transaction);
  }
  /// "command.number" of the next stage, or "-".
  std::string next(std::int64_t now) {
    StageTransaction* const transaction = arbiter.next(Picoseconds(now));
    if (transaction == nullptr) return "-";
    const Stage& stage = transaction->stage();
    return std::to_string(stage.command) + "." + std::to_string(stage.number);
  }
  std::string serve_all(std::int64_t now) {
    std::string text;
    while (arbiter.has_ready()) {
      text += next(now) + " ";
      arbiter.started(Picoseconds(now));
      arbiter.ended();
    }
    return text;
  }

 private:
  void due(std::uint64_t) override {}

  StagePool pool_{*this};

 public:
  PortArbiter arbiter;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(port_arbiter)

// By readiness, then command, then number; 24 orders of insertion, one order of service.
BOOST_AUTO_TEST_CASE(service_does_not_depend_on_the_order_in_which_stages_came) {
  std::vector<ReadyStage> stages = {{10, 9, 9}, {20, 1, 7}, {20, 1, 30}, {20, 2, 0}};
  const auto earlier = [](const ReadyStage& a, const ReadyStage& b) {
    return std::tie(a.ready, a.command, a.number) < std::tie(b.ready, b.command, b.number);
  };
  int orders = 0;
  do {
    Port port;
    for (const ReadyStage& stage : stages) port.add(stage);
    BOOST_TEST(port.serve_all(50) == "9.9 1.7 1.30 2.0 ");
    ++orders;
  } while (std::next_permutation(stages.begin(), stages.end(), earlier));
  BOOST_TEST(orders == 24);
}

BOOST_AUTO_TEST_CASE(a_port_without_ready_stages_gives_none) {
  Port port;
  BOOST_TEST(port.next(0) == "-");
  BOOST_TEST((port.arbiter.wake_time(Picoseconds(0)) == kNever));
}

BOOST_AUTO_TEST_CASE(a_port_runs_one_stage_at_a_time) {
  Port port;
  port.add({0, 1, 0});
  port.add({0, 1, 1});
  BOOST_TEST(port.next(0) == "1.0");
  port.arbiter.started(Picoseconds(100));
  BOOST_TEST(port.next(50) == "-");
  BOOST_TEST(port.next(100) == "-");  // free, but the stage has not been reported as ended
  port.arbiter.ended();
  BOOST_TEST(port.next(100) == "1.1");
}

// The channel is free at 10, 20, 30, ...; data arrives 100 later, and two transfers may wait for theirs.
BOOST_AUTO_TEST_CASE(the_outstanding_limit_bounds_the_stages_that_have_not_ended) {
  Port port(2);
  for (std::uint64_t number = 0; number < 3; ++number) port.add({0, 1, number});
  BOOST_TEST(port.next(0) == "1.0");
  port.arbiter.started(Picoseconds(10));
  BOOST_TEST(port.next(0) == "-");  // busy
  BOOST_TEST(port.arbiter.wake_time(Picoseconds(0)).count() == 10);
  BOOST_TEST(port.next(10) == "1.1");
  port.arbiter.started(Picoseconds(20));
  BOOST_TEST(port.next(20) == "-");  // free, but two are outstanding
  BOOST_TEST((port.arbiter.wake_time(Picoseconds(15)) == kNever));
  port.arbiter.ended();
  BOOST_TEST(port.next(110) == "1.2");
}

BOOST_AUTO_TEST_CASE(a_port_wakes_only_for_a_stage_that_waits_for_its_channel) {
  Port port(4);
  port.arbiter.started(Picoseconds(10));
  BOOST_TEST((port.arbiter.wake_time(Picoseconds(0)) == kNever));  // nothing ready
  port.add({0, 1, 0});
  BOOST_TEST(port.arbiter.wake_time(Picoseconds(0)).count() == 10);
  BOOST_TEST((port.arbiter.wake_time(Picoseconds(10)) == kNever));  // it can start now
}

BOOST_AUTO_TEST_CASE(a_port_whose_stage_ends_elsewhere_is_taken_until_it_is_freed) {
  Port port(2);
  port.add({0, 1, 0});
  port.add({0, 2, 0});
  port.add({0, 3, 0});
  BOOST_TEST(port.next(0) == "1.0");
  port.arbiter.started_open();
  BOOST_TEST(port.next(1000000) == "-");
  BOOST_TEST((port.arbiter.wake_time(Picoseconds(0)) == kNever));
  port.arbiter.freed(Picoseconds(50));
  BOOST_TEST((port.arbiter.wake_time(Picoseconds(0)) == Picoseconds(50)));
  BOOST_TEST(port.next(50) == "2.0");
  port.arbiter.started_open();
  port.arbiter.freed(Picoseconds(60));
  BOOST_TEST(port.next(60) == "-");  // two have not ended
  port.arbiter.ended();
  BOOST_TEST(port.next(60) == "3.0");
}

BOOST_AUTO_TEST_CASE(the_ready_stages_of_one_command_can_be_taken_out) {
  Port port;
  port.add({0, 1, 0}, 4);
  port.add({0, 2, 0}, 5);
  port.add({0, 1, 1}, 4);
  port.add({0, 3, 0}, 6);
  std::string removed;
  port.arbiter.remove_ready(4, [&](StageTransaction& transaction) {
    removed +=
        std::to_string(transaction.stage().command) + "." + std::to_string(transaction.stage().number) + " ";
  });
  BOOST_TEST(removed == "1.0 1.1 ");
  port.add({0, 4, 0}, 4);
  BOOST_TEST(port.serve_all(0) == "2.0 3.0 4.0 ");
  port.add({0, 1, 0}, 4);
  port.arbiter.clear();
  BOOST_TEST(!port.arbiter.has_ready());
}

BOOST_AUTO_TEST_SUITE_END()
