// SPDX-License-Identifier: Apache-2.0
//
// The CPU's memory: lent out by DMI, copied, or reached by transactions.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "petal/command/error.hpp"
#include "vp/cpu_bench.hpp"

using namespace petal::vp;
using namespace petal::vp::test;

namespace {

/// What sum.S must find: 512 + 511 + ... + 2, and the xor of the words that start 3 bytes after each of them.
void check_sums(const CpuBench& bench) {
  std::vector<std::uint8_t> bytes(8 * 513);
  for (std::uint64_t index = 0; index < 512; ++index) {
    const std::uint64_t value = 512 - index;
    std::memcpy(bytes.data() + 8 * index, &value, sizeof value);
  }
  std::uint64_t mixed = 0;
  for (std::uint64_t index = 0; index < 511; ++index) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + 8 * index + 3, sizeof value);
    mixed ^= value;
  }
  BOOST_TEST(bench.cpu.failure() == "");
  BOOST_TEST(bench.device.written(0) == std::vector<std::uint64_t>{512 * 513 / 2 - 1});
  BOOST_TEST(bench.device.written(8) == std::vector<std::uint64_t>{mixed});
  BOOST_TEST(bench.device.written(16) == std::vector<std::uint64_t>{512});
  BOOST_TEST(bench.device.written(24) == std::vector<std::uint64_t>{517});
}

/// Before sum.S reads its cycle count: 3 instructions for addresses, 2, a loop of 4 run 512 times, 2, a loop
/// of 7 run 511 times, 3, and 4 stores.
constexpr std::uint64_t kInstructionsOfSum = 3 + 2 + 4 * 512 + 2 + 7 * 511 + 3 + 4;

void check_sum(CpuBench& bench) {
  sc_core::sc_start();
  check_sums(bench);
  BOOST_TEST(bench.device.written(32) == std::vector<std::uint64_t>{kInstructionsOfSum});
}

/// Memory that lends pointers to one of two buffers and states a latency.
struct MovingMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<MovingMemory, 64> socket{"socket"};
  std::vector<unsigned char> here = std::vector<unsigned char>(kRamBytes);
  std::vector<unsigned char> there = std::vector<unsigned char>(kRamBytes);
  sc_core::sc_time latency;
  unsigned int grants = 0;

  explicit MovingMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_get_direct_mem_ptr(this, &MovingMemory::get_direct_mem_ptr);
    socket.register_transport_dbg(this, &MovingMemory::transport_dbg);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& grant) {
    ++grants;
    grant.set_start_address(0);
    grant.set_end_address(kRamBytes - 1);
    grant.set_dmi_ptr(here.data());
    grant.set_read_latency(latency);
    grant.set_write_latency(latency);
    grant.allow_read_write();
    return true;
  }
  unsigned int transport_dbg(tlm::tlm_generic_payload& payload) {
    std::memcpy(here.data() + payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    return payload.get_data_length();
  }
  /// The bytes go to the other buffer; what is left behind is of no use.
  void move() {
    there = here;
    std::fill(here.begin(), here.end(), static_cast<unsigned char>(0xFF));
    here.swap(there);
    socket->invalidate_direct_mem_ptr(0, kRamBytes - 1);
  }
};

/// A CPU, a device and a MovingMemory.
struct MovingBench {
  explicit MovingBench(const std::string& program, const RiscvCpuConfig& config) : cpu("cpu", config) {
    tlm::tlm_global_quantum::instance().set(ns(100));
    cpu.bus.bind(bus.from_initiator(0));
    bus.to_target("ram").bind(memory.socket);
    bus.to_target("device").bind(device.socket);
    bus.to_target("finisher").bind(finisher.socket);
    cpu.interrupt(line);
    device.line(line);
    cpu.set_program(ElfImage::read(program_path(program)));
  }

  sc_core::sc_signal<bool> line{"line"};
  RiscvCpu cpu;
  Bus bus{"bus", 1, bench_map()};
  MovingMemory memory{"memory"};
  RecordingDevice device{"device"};
  Finisher finisher{"finisher"};
};

constexpr std::uint64_t kPolledWord = 0x1000;  // of poll.S: in the second page

}  // namespace

BOOST_AUTO_TEST_SUITE(riscv_cpu_memory)

BOOST_AUTO_TEST_CASE(lent_memory) {
  CpuBench bench("sum");
  check_sum(bench);
}

// F43
BOOST_AUTO_TEST_CASE(copied_memory_gives_the_same_numbers_in_the_same_time) {
  CpuBench bench("sum", CpuBench::cached_config(), DirectMemory::denied);
  check_sum(bench);
}

BOOST_AUTO_TEST_CASE(copied_memory_does_not_depend_on_the_quantum) {
  CpuBench bench("sum", CpuBench::cached_config(), DirectMemory::denied, ns(7));
  check_sum(bench);
}

BOOST_AUTO_TEST_CASE(lent_memory_does_not_depend_on_the_quantum) {
  CpuBench bench("sum", CpuBench::cached_config(), DirectMemory::granted, ns(7));
  check_sum(bench);
}

BOOST_AUTO_TEST_CASE(the_latency_of_a_grant_is_paid_outside_cached_memory) {
  MovingBench bench("sum", CpuBench::uncached_config());
  bench.memory.latency = ns(2);  // a byte
  sc_core::sc_start();
  // Loads and stores of 8 bytes before the cycle count: 512, 2 * 511, and of amoadd and the last load 3. The
  // one load that crosses pages becomes two.
  BOOST_TEST(bench.device.written(32).at(0) == kInstructionsOfSum + 16 * (512 + 2 * 511 + 3 + 1));
}

// F43
BOOST_AUTO_TEST_CASE(memory_that_moves_in_mid_run_is_followed) {
  MovingBench bench("sum", CpuBench::cached_config());
  for (int time = 50; time <= 5000; time += 450) {
    sc_core::sc_start(ns(time) - sc_core::sc_time_stamp());
    bench.memory.move();
  }
  sc_core::sc_start();
  BOOST_TEST(bench.cpu.failure() == "");
  BOOST_TEST(bench.device.written(0) == std::vector<std::uint64_t>{512 * 513 / 2 - 1});
  BOOST_TEST(bench.device.written(24) == std::vector<std::uint64_t>{517});
  BOOST_TEST(bench.device.written(32) == std::vector<std::uint64_t>{kInstructionsOfSum});
  BOOST_TEST(bench.memory.grants > 10U);
}

BOOST_AUTO_TEST_CASE(code_that_changes_while_its_memory_moves_is_translated_anew) {
  MovingBench bench("poll", CpuBench::cached_config());
  sc_core::sc_start(ns(1000));
  bench.memory.move();
  // The first instruction of the loop, lw t0, 0(s0), becomes sd s0, 8(s0).
  const std::uint32_t store = 0x00843423;
  const std::uint32_t load = 0x00042283;
  std::uint32_t found = 0;
  std::size_t at = 0;
  while (found != load) std::memcpy(&found, bench.memory.here.data() + 2 * at++, sizeof found);
  std::memcpy(bench.memory.here.data() + 2 * (at - 1), &store, sizeof store);
  sc_core::sc_start(ns(1000));
  BOOST_TEST(bench.device.written(8).size() > 10U);
}

// A word that somebody else writes is seen, lent or copied.
BOOST_AUTO_TEST_CASE(a_lent_word_written_by_others_is_seen) {
  CpuBench bench("poll");
  sc_core::sc_start(ns(1000));
  const std::uint64_t word = 0x1122334455667788;
  debug_write(*bench.bus.to_target("ram").operator->(), kPolledWord,
              reinterpret_cast<const std::byte*>(&word), 8);
  sc_core::sc_start();
  BOOST_TEST(bench.device.written(8) == std::vector<std::uint64_t>{word});
}

BOOST_AUTO_TEST_CASE(a_copied_word_written_by_others_is_seen) {
  CpuBench bench("poll", CpuBench::cached_config(), DirectMemory::denied);
  sc_core::sc_start(ns(1000));
  const std::uint64_t word = 0x1122334455667788;
  debug_write(*bench.bus.to_target("ram").operator->(), kPolledWord,
              reinterpret_cast<const std::byte*>(&word), 8);
  sc_core::sc_start();
  BOOST_TEST(bench.device.written(8) == std::vector<std::uint64_t>{word});
}

BOOST_AUTO_TEST_CASE(a_store_across_copied_pages_reaches_both) {
  CpuBench bench("crossing", CpuBench::cached_config(), DirectMemory::denied);
  sc_core::sc_start();
  std::uint64_t found = 0;
  debug_read(*bench.bus.to_target("ram").operator->(), 0x1FFD, reinterpret_cast<std::byte*>(&found), 8);
  BOOST_TEST(found == 0x0807060504030201U);
  BOOST_TEST(bench.device.written(0) == std::vector<std::uint64_t>{0x0807060504030201U});
}

BOOST_AUTO_TEST_CASE(memory_can_stop_lending_in_mid_run) {
  CpuBench bench("sum");
  sc_core::sc_start(ns(2500));
  bench.ram.revoke_direct_memory();
  check_sum(bench);
}

BOOST_AUTO_TEST_CASE(code_in_uncached_memory_that_lends_nothing_stops_with_a_reason) {
  CpuBench bench("sum", CpuBench::uncached_config(), DirectMemory::denied);
  sc_core::sc_start();
  BOOST_TEST(bench.cpu.failure().find("fetch of 2 bytes at 0x80000000: no memory that grants DMI") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_program_outside_memory_is_refused) {
  CpuBench bench("outside");
  BOOST_CHECK_EXCEPTION(sc_core::sc_start(), petal::ConfigError, [](const petal::ConfigError& error) {
    return std::string(error.what()).find("0x70000000") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
