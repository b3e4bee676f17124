// SPDX-License-Identifier: Apache-2.0
//
// F27: what happens on the bus does not depend on the order in which processes are made or run.
#include <algorithm>
#include <array>
#include <functional>

#include "petal/calendar/has_process.hpp"
#include "support/at_memory.hpp"
#include "support/bus_bench.hpp"
#include "support/lt_memory.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Calls its function at 100 ns, from a process of its own.
class Client : public sc_core::sc_module {
 public:
  Client(const sc_core::sc_module_name& name, std::function<void()> action)
      : sc_module(name), action_(std::move(action)) {
    PETAL_HAS_PROCESS(Client);
    SC_THREAD(run);
  }

 private:
  void run() {
    wait(ns(100));
    action_();
  }

  const std::function<void()> action_;
};

BusMemoryConfig busy_10_late_100() {
  BusMemoryConfig config;
  config.service = ns(10);
  config.latency = ns(100);
  return config;
}

/// Three clients submit at the same instant, each from its process; `order` is the order of their
/// construction. The channel of the first has work already, whose answer comes at that instant too. Callbacks
/// go to `lines`.
template <typename Memory>
void add_clients(const std::string& name, BusBench<Memory>& bench, const std::array<int, 3>& order,
                 Lines& lines, std::vector<std::unique_ptr<sc_core::sc_module>>& clients) {
  bench.module.memory.set_latency(1, ns(90));
  bench.read(run_of(0, 512));
  for (const int client : order) {
    RecordedTransfer& transfer = bench.add(client == 1 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                           run_of(0x1000 + 0x1000 * static_cast<std::uint64_t>(client), 512));
    transfer.when_accepted = [&lines, client] { lines.push_back("accepted " + std::to_string(client)); };
    transfer.when_answered = [&lines, client] { lines.push_back("answered " + std::to_string(client)); };
    clients.push_back(std::make_unique<Client>(
        (name + "_client" + std::to_string(client)).c_str(),
        [&bench, &transfer, client] { bench.initiator.submit(static_cast<BusChannel>(client), transfer); }));
  }
}

template <typename Memory, typename Style>
void require_same_in_all_orders(BusProtocol protocol, Style style) {
  std::vector<std::unique_ptr<sc_core::sc_module>> clients;
  std::vector<std::unique_ptr<BusBench<Memory>>> benches;
  std::vector<Lines> callbacks;
  callbacks.reserve(6);
  std::array<int, 3> order = {0, 1, 2};
  do {
    const std::string name = "order" + std::to_string(benches.size());
    benches.push_back(
        std::make_unique<BusBench<Memory>>(name, bus_config(protocol, 1), busy_10_late_100(), style));
    add_clients(name, *benches.back(), order, callbacks.emplace_back(), clients);
  } while (std::next_permutation(order.begin(), order.end()));
  sc_core::sc_start();
  // The first read's second burst, ready at 100 ns as the rest, goes first; its channel is then full.
  const Lines expected = {"0 s r0+256",       "100 ns r256+256",  "100 ns w8192+256",  "100 ns r12288+256",
                          "210 ns r4096+256", "220 ns w8448+256", "230 ns r12544+256", "320 ns r4352+256"};
  for (std::size_t index = 0; index < benches.size(); ++index) {
    require_clean(*benches[index]);
    BOOST_TEST(lines_of(benches[index]->module.memory.seen()) == expected, boost::test_tools::per_element());
    BOOST_TEST(callbacks[index] == callbacks[0], boost::test_tools::per_element());
    BOOST_TEST(callbacks[index].size() == 6U);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(order)

BOOST_AUTO_TEST_CASE(clients_in_any_order_with_a_waiting_memory) {
  require_same_in_all_orders<LtMemory>(BusProtocol::lt, LtStyle::waits);
}

BOOST_AUTO_TEST_CASE(clients_in_any_order_with_an_annotating_memory) {
  require_same_in_all_orders<LtMemory>(BusProtocol::lt, LtStyle::annotates);
}

BOOST_AUTO_TEST_CASE(clients_in_any_order_under_at) {
  require_same_in_all_orders<AtMemory>(BusProtocol::at, AtStyle::two_calls);
}

BOOST_AUTO_TEST_SUITE_END()
