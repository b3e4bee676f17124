// SPDX-License-Identifier: Apache-2.0
//
// F43: memories that grant direct access, refuse it, or take it back in mid-run. The memory's own time here
// is 40 ns for a burst, any number of them at once, so that a grant can state the same.
#include "support/bus_bench.hpp"
#include "support/dmi_memory.hpp"
#include "support/lt_memory.hpp"

using namespace petal;
using namespace petal::test;
using sc_core::SC_ZERO_TIME;

namespace {

BusMemoryConfig late_40() {
  BusMemoryConfig config;
  config.latency = ns(40);
  return config;
}

BusConfig using_dmi(DmiUse use, std::uint32_t outstanding = 2) {
  BusConfig config = bus_config(BusProtocol::lt, outstanding);
  config.dmi = use;
  return config;
}

/// Four reads and two writes, of which a transaction or two come before the first grant.
template <typename Bench>
void submit_traffic(Bench& bench) {
  fill(bench.module.memory);
  for (std::uint64_t index = 0; index < 4; ++index) bench.read(run_of(100 + 1000 * index, 1000));
  for (std::uint64_t index = 0; index < 2; ++index)
    bench.write(rows_of(0x4000 + 0x1000 * index, 100, 7, 300));
}

/// What matters of traffic: every time, every status, and all data.
template <typename A, typename B>
void require_same(A& a, B& b) {
  for (std::size_t index = 0; index < a.transfers.size(); ++index) {
    const RecordedTransfer& x = *a.transfers[index];
    require_ok(*b.transfers[index], x.accepted_at, x.answered_at, "transfer " + std::to_string(index));
    BOOST_TEST((x.bytes == b.transfers[index]->bytes));
  }
  BOOST_TEST((a.module.memory.contents() == b.module.memory.contents()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dmi)

// 1000 bytes from 100 are 156, 256, 256, 256, 76: five bursts of 40 ns, two at a time.
BOOST_AUTO_TEST_CASE(a_grant_that_states_the_memorys_time_changes_no_time) {
  BusBench<LtMemory> without("without", using_dmi(DmiUse::off), late_40(), LtStyle::annotates);
  BusBench<DmiMemory> with("with", using_dmi(DmiUse::timed), late_40());
  BusBench<DmiMemory> always("always", using_dmi(DmiUse::always), late_40());
  with.module.grant_whole(ns(40));
  always.module.grant_whole(ns(40));
  submit_traffic(without);
  submit_traffic(with);
  submit_traffic(always);
  sc_core::sc_start();
  require_clean(without);
  require_clean(with);
  require_clean(always);
  require_same(without, with);
  require_same(without, always);
  BOOST_TEST(without.transfers[0]->answered_at == ns(120));
  // Two bursts of either channel were on their way before the first answer could carry a hint.
  BOOST_TEST(with.module.memory.seen().size() == 4U);
  BOOST_TEST(with.module.questions() == 1U);
  BOOST_TEST(always.module.memory.seen().size() == 4U);
}

BOOST_AUTO_TEST_CASE(off_asks_for_nothing) {
  BusBench<DmiMemory> bench("bench", using_dmi(DmiUse::off), late_40());
  bench.module.grant_whole(ns(40));
  submit_traffic(bench);
  sc_core::sc_start();
  BOOST_TEST(bench.module.questions() == 0U);
  BOOST_TEST(bench.module.memory.seen().size() ==
             4U * 5 + 2U * 7 + 2U * 2);  // rows of 100 at 512, 1792 are cut
}

// A grant without a latency would make time shorter: it is known and not used.
BOOST_AUTO_TEST_CASE(timed_does_not_use_a_grant_without_a_latency) {
  BusBench<LtMemory> without("without", using_dmi(DmiUse::off), late_40(), LtStyle::annotates);
  BusBench<DmiMemory> with("with", using_dmi(DmiUse::timed), late_40());
  submit_traffic(without);
  submit_traffic(with);
  sc_core::sc_start();
  require_same(without, with);
  BOOST_TEST(with.module.memory.seen().size() == without.module.memory.seen().size());
  BOOST_TEST(with.module.questions() == 1U);
}

BOOST_AUTO_TEST_CASE(timed_looks_at_the_latency_of_the_direction) {
  BusBench<DmiMemory> bench("bench", using_dmi(DmiUse::timed, 1), late_40());
  bench.module.grant(0, 0xFFFF, ns(40), SC_ZERO_TIME);
  bench.read(run_of(0, 1024));
  bench.write(run_of(0x1000, 1024));
  sc_core::sc_start();
  require_clean(bench);
  const Lines expected = {"0 s r0+256", "0 s w4096+256", "40 ns w4352+256", "80 ns w4608+256",
                          "120 ns w4864+256"};
  BOOST_TEST(lines_of(bench.module.memory.seen()) == expected, boost::test_tools::per_element());
  BOOST_TEST(bench.transfers[0]->answered_at == ns(160));
}

BOOST_AUTO_TEST_CASE(always_uses_a_grant_without_a_latency_and_takes_no_time) {
  BusBench<DmiMemory> bench("bench", using_dmi(DmiUse::always, 1), late_40());
  fill(bench.module.memory);
  const RecordedTransfer& transfer = bench.read(run_of(0, 4096));
  sc_core::sc_start();
  require_clean(bench);
  require_ok(transfer, ns(40), ns(40), "one transaction, then fifteen bursts in no time");
  BOOST_TEST((transfer.bytes == expected_bytes(transfer.pattern)));
  BOOST_TEST(bench.module.memory.seen().size() == 1U);
}

// Bytes 512 to 1023 alone are granted: bursts that lie outside, or only half inside, are transactions.
BOOST_AUTO_TEST_CASE(a_grant_holds_in_its_range) {
  BusBench<DmiMemory> bench("bench", using_dmi(DmiUse::timed, 1), late_40());
  fill(bench.module.memory);
  bench.module.grant(512, 1000, ns(40), ns(40));
  bench.read(run_of(512, 256));
  bench.read(run_of(256, 1024));
  sc_core::sc_start();
  require_clean(bench);
  const Lines expected = {"0 s r512+256", "40 ns r256+256", "120 ns r768+256", "160 ns r1024+256"};
  BOOST_TEST(lines_of(bench.module.memory.seen()) == expected, boost::test_tools::per_element());
  for (const auto& transfer : bench.transfers)
    BOOST_TEST((transfer->bytes == expected_bytes(transfer->pattern)));
}

BOOST_AUTO_TEST_CASE(a_grant_holds_in_its_direction) {
  BusBench<DmiMemory> bench("bench", using_dmi(DmiUse::timed, 1), late_40());
  bench.module.grant_whole(ns(40));
  bench.module.grant_only(tlm::tlm_dmi::DMI_ACCESS_READ);
  bench.read(run_of(0, 512));
  bench.write(run_of(0x1000, 512));
  sc_core::sc_start();
  require_clean(bench);
  const Lines expected = {"0 s r0+256", "0 s w4096+256", "40 ns w4352+256"};
  BOOST_TEST(lines_of(bench.module.memory.seen()) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_refusal_is_no_error) {
  BusBench<LtMemory> without("without", using_dmi(DmiUse::off), late_40(), LtStyle::annotates);
  BusBench<DmiMemory> refusing("refusing", using_dmi(DmiUse::always), late_40());
  refusing.module.refuse();
  submit_traffic(without);
  submit_traffic(refusing);
  sc_core::sc_start();
  require_same(without, refusing);
}

// A target that has no callback for direct access, and sets the hint all the same.
BOOST_AUTO_TEST_CASE(a_socket_without_direct_access_says_no) {
  struct Hinting : sc_core::sc_module {
    tlm_utils::simple_target_socket<Hinting, 64> socket{"socket"};
    BusMemory memory{late_40()};
    explicit Hinting(const sc_core::sc_module_name& name) : sc_module(name) {
      socket.register_b_transport(this, &Hinting::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
      delay = memory.serve(payload, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp();
      payload.set_dmi_allowed(true);
    }
  };
  BusBench<Hinting> bench("bench", using_dmi(DmiUse::always));
  fill(bench.module.memory);
  const RecordedTransfer& transfer = bench.read(run_of(0, 1024));
  sc_core::sc_start();
  require_clean(bench);
  require_ok(transfer, ns(40), ns(80), "the transfer");
  BOOST_TEST((transfer.bytes == expected_bytes(transfer.pattern)));
}

// The memory moves its contents at 90 ns. The pointer to where they were is not used again, and data and
// times are those of a memory that stays.
BOOST_AUTO_TEST_CASE(a_pointer_taken_back_in_mid_run_is_not_used_again) {
  BusBench<LtMemory> without("without", using_dmi(DmiUse::off), late_40(), LtStyle::annotates);
  BusBench<DmiMemory> moving("moving", using_dmi(DmiUse::timed), late_40());
  moving.module.grant_whole(ns(40));
  submit_traffic(without);
  submit_traffic(moving);
  sc_core::sc_start(ns(90));
  BOOST_TEST(moving.module.questions() == 1U);
  moving.module.move_contents();
  sc_core::sc_start();
  require_clean(moving);
  require_same(without, moving);
  BOOST_TEST(moving.module.questions() == 2U);
  for (const unsigned char byte : moving.module.left()) BOOST_TEST_REQUIRE(byte == 0xEE);
}

BOOST_AUTO_TEST_CASE(only_grants_that_overlap_are_taken_back) {
  DmiRegions regions(DmiUse::always);
  PayloadPool pool(256);
  BurstPayload& payload = pool.acquire();
  std::vector<unsigned char> memory(512);
  const auto covers = [&](std::uint64_t address, std::uint64_t bytes) {
    payload.request(tlm::TLM_READ_COMMAND, {address, bytes, 0}, nullptr);
    return regions.covers(payload);
  };
  const auto grant = [&](std::uint64_t begin, std::uint64_t end) {
    tlm::tlm_dmi dmi;
    dmi.set_start_address(begin);
    dmi.set_end_address(end);
    dmi.set_dmi_ptr(memory.data());
    dmi.allow_read();
    payload.request(tlm::TLM_READ_COMMAND, {begin, 1, 0}, nullptr);
    regions.add(dmi, payload);
  };
  grant(0, 255);
  grant(256, 511);
  BOOST_TEST(covers(0, 256));
  BOOST_TEST(covers(256, 256));
  BOOST_TEST(!covers(200, 100));  // in neither alone
  regions.invalidate(512, 1000);
  BOOST_TEST(covers(256, 256));
  regions.invalidate(511, 1000);
  BOOST_TEST(covers(0, 256));
  BOOST_TEST(!covers(256, 1));
  regions.invalidate(0, 0);
  BOOST_TEST(!covers(0, 1));
  payload.release();
}

BOOST_AUTO_TEST_SUITE_END()
