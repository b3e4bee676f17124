// SPDX-License-Identifier: Apache-2.0
//
// Errors of a burst are its transfer's, with the burst's address; the transfer stops, and others go on.
#include <limits>

#include "petal/command/error.hpp"

#include "support/at_memory.hpp"
#include "support/bus_bench.hpp"
#include "support/dmi_memory.hpp"
#include "support/lt_memory.hpp"

using namespace petal;
using namespace petal::test;

namespace {

BusMemoryConfig busy_10_late_100() {
  BusMemoryConfig config;
  config.service = ns(10);
  config.latency = ns(100);
  return config;
}

void require_failed(const RecordedTransfer& transfer, tlm::tlm_response_status status, std::uint64_t address,
                    const std::string& what) {
  BOOST_TEST_CONTEXT(what) {
    BOOST_TEST(transfer.accepted_calls == 1);
    BOOST_TEST(transfer.answered_calls == 1);
    BOOST_TEST(transfer.status == status);
    BOOST_TEST(transfer.fault_address == address);
  }
}

/// Calls check(bench, name) on a bench for each protocol, before and after the simulation.
template <typename Prepare, typename Check>
void on_each_protocol(const BusConfig& lt, const BusMemoryConfig& memory, Prepare prepare, Check check) {
  BusConfig at = lt;
  at.protocol = BusProtocol::at;
  BusBench<LtMemory> waiting("waiting", lt, memory, LtStyle::waits);
  BusBench<LtMemory> annotating("annotating", lt, memory, LtStyle::annotates);
  BusBench<AtMemory> calling("calling", at, memory, AtStyle::two_calls);
  BusBench<AtMemory> returning("returning", at, memory, AtStyle::response_returned);
  const auto on_all = [&](auto function) {
    function(waiting, "LT, waiting");
    function(annotating, "LT, annotating");
    function(calling, "AT, calls");
    function(returning, "AT, return values");
  };
  on_all([](auto& bench, const char*) { fill(bench.module.memory); });
  on_all(prepare);
  sc_core::sc_start();
  on_all([](auto& bench, const char* name) {
    BOOST_TEST_CONTEXT(name) {
      require_clean(bench);
    }
  });
  on_all(check);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(failure)

// F11 (a): an address error on the third burst of five, two outstanding. The third leaves with the first
// answer; the fourth may have left as the second was answered; the fifth never does.
BOOST_AUTO_TEST_CASE(an_error_on_the_third_burst_ends_the_transfer) {
  on_each_protocol(
      bus_config(BusProtocol::lt, 2), busy_10_late_100(),
      [](auto& bench, const char*) {
        bench.module.memory.fail(3, tlm::TLM_ADDRESS_ERROR_RESPONSE);
        bench.read(run_of(0x1000, 5 * 256));
        bench.read(run_of(0x100, 256));
      },
      [](auto& bench, const char* name) {
        require_failed(*bench.transfers[0], tlm::TLM_ADDRESS_ERROR_RESPONSE, 0x1200, name);
        for (const SeenBurst& burst : bench.module.memory.seen()) BOOST_TEST(burst.address != 0x1400U);
        const RecordedTransfer& later = *bench.transfers[1];
        BOOST_TEST(later.status == tlm::TLM_OK_RESPONSE, name);
        BOOST_TEST((later.bytes == expected_bytes(later.pattern)), name);
      });
}

// The error leaves its own bytes as they were; those of bursts that went well are there.
BOOST_AUTO_TEST_CASE(a_burst_that_failed_brings_no_data) {
  on_each_protocol(
      bus_config(BusProtocol::lt), busy_10_late_100(),
      [](auto& bench, const char*) {
        bench.module.memory.fail(1, tlm::TLM_GENERIC_ERROR_RESPONSE);
        bench.read(run_of(0, 256));
      },
      [](auto& bench, const char* name) {
        require_failed(*bench.transfers[0], tlm::TLM_GENERIC_ERROR_RESPONSE, 0, name);
        BOOST_TEST((bench.transfers[0]->bytes == std::vector<std::byte>(256, std::byte{0xCC})), name);
      });
}

// F11 (b): a target that does nothing, right after a good burst on the same payload.
BOOST_AUTO_TEST_CASE(a_status_that_was_left_alone_is_an_error) {
  on_each_protocol(
      bus_config(BusProtocol::lt, 1), busy_10_late_100(),
      [](auto& bench, const char*) {
        bench.module.memory.ignore(2);
        bench.read(run_of(0, 768));
        bench.read(run_of(0x1000, 256));
      },
      [](auto& bench, const char* name) {
        require_failed(*bench.transfers[0], tlm::TLM_INCOMPLETE_RESPONSE, 256, name);
        BOOST_TEST(bench.transfers[1]->status == tlm::TLM_OK_RESPONSE, name);
      });
}

BOOST_AUTO_TEST_CASE(every_status_but_ok_is_an_error) {
  const std::vector<tlm::tlm_response_status> statuses = {
      tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_COMMAND_ERROR_RESPONSE,
      tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE};
  on_each_protocol(
      bus_config(BusProtocol::lt), busy_10_late_100(),
      [&](auto& bench, const char*) {
        for (std::size_t index = 0; index < statuses.size(); ++index) {
          bench.module.memory.fail(index + 1, statuses[index]);
          bench.read(run_of(index * 256, 256));
        }
      },
      [&](auto& bench, const char* name) {
        for (std::size_t index = 0; index < statuses.size(); ++index)
          require_failed(*bench.transfers[index], statuses[index], index * 256, name);
      });
}

// Both fail; the second is answered first.
BOOST_AUTO_TEST_CASE(the_first_error_in_time_is_the_transfers) {
  on_each_protocol(
      bus_config(BusProtocol::lt), busy_10_late_100(),
      [](auto& bench, const char*) {
        bench.module.memory.set_latency(1, ns(300));
        bench.module.memory.fail(1, tlm::TLM_GENERIC_ERROR_RESPONSE);
        bench.module.memory.fail(2, tlm::TLM_BURST_ERROR_RESPONSE);
        bench.read(run_of(0, 512));
      },
      [](auto& bench, const char* name) {
        // With one burst at a time the first error ends it.
        const bool is_serial = bench.module.memory.seen().size() == 1;
        require_failed(*bench.transfers[0],
                       is_serial ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE,
                       is_serial ? 0 : 256, name);
        BOOST_TEST(bench.transfers[0]->answered_at == ns(310), name);
      });
}

// F32: a write to 0x1_0000_1000 does not show at 0x1000, and where nobody is, is an address error.
BOOST_AUTO_TEST_CASE(high_address_bits_arrive) {
  BusMemoryConfig high = busy_10_late_100();
  high.base = 0x100000000U;
  on_each_protocol(
      bus_config(BusProtocol::lt), high,
      [](auto& bench, const char*) {
        bench.write(run_of(0x100001000U, 16));
        bench.read(run_of(0x1000, 16));
        bench.read(run_of(0x8000000000001000U, 256));
      },
      [](auto& bench, const char* name) {
        BOOST_TEST(bench.transfers[0]->status == tlm::TLM_OK_RESPONSE, name);
        BOOST_TEST(bench.module.memory.contents()[0x1000] == byte_at(0), name);
        require_failed(*bench.transfers[1], tlm::TLM_ADDRESS_ERROR_RESPONSE, 0x1000, name);
        require_failed(*bench.transfers[2], tlm::TLM_ADDRESS_ERROR_RESPONSE, 0x8000000000001000U, name);
      });
}

// F32: an access that straddles the end changes no byte beyond, and one that straddles the end of all
// addresses does not come round to address 0.
BOOST_AUTO_TEST_CASE(the_end_of_the_address_space_is_an_end) {
  constexpr std::uint64_t kTop = std::numeric_limits<std::uint64_t>::max();
  BusMemoryConfig top = busy_10_late_100();
  top.bytes = 512;
  top.base = kTop - 511;
  on_each_protocol(
      bus_config(BusProtocol::lt), top,
      [](auto& bench, const char*) {
        bench.read(run_of(kTop - 299, 300));
        bench.write(run_of(kTop - 3, 8));
        bench.read(run_of(kTop - 515, 8));  // 4 bytes below the memory
      },
      [](auto& bench, const char* name) {
        const RecordedTransfer& last = *bench.transfers[0];
        BOOST_TEST(last.status == tlm::TLM_OK_RESPONSE, name);
        BOOST_TEST((last.bytes == expected_bytes(last.pattern, kTop - 511)), name);
        require_failed(*bench.transfers[1], tlm::TLM_ADDRESS_ERROR_RESPONSE, kTop - 3, name);
        for (const SeenBurst& burst : bench.module.memory.seen())
          BOOST_TEST(burst.command == tlm::TLM_READ_COMMAND, name);
        require_failed(*bench.transfers[2], tlm::TLM_ADDRESS_ERROR_RESPONSE, kTop - 515, name);
      });
}

BOOST_AUTO_TEST_CASE(a_configuration_that_cannot_be_is_refused) {
  BusConfig config;
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{48}, std::uint64_t{8192}}) {
    config.burst_bytes = bytes;
    BOOST_CHECK_EXCEPTION(BusInitiator("refused", config), ConfigError, [&](const ConfigError& error) {
      return std::string(error.what()) ==
             "bus: burst_bytes is " + std::to_string(bytes) + "; give a power of two from 16 to 4096";
    });
  }
  config = {};
  config.outstanding = 0;
  BOOST_CHECK_THROW(BusInitiator("refused", config), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
