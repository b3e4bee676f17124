// SPDX-License-Identifier: Apache-2.0
//
// CpuBench: a RiscvCpu on a bus with RAM, a finisher, and a device that writes down what it is asked.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "petal/vp/bus.hpp"
#include "petal/vp/debug_transport.hpp"
#include "petal/vp/finisher.hpp"
#include "petal/vp/ram.hpp"
#include "petal/vp/riscv_cpu.hpp"

namespace petal::vp::test {

inline constexpr std::uint64_t kRamBase = 0x80000000;
inline constexpr std::uint64_t kRamBytes = 0x100000;

inline sc_core::sc_time ns(double count) {
  return {count, sc_core::SC_NS};
}

/// An access as the device saw it, at its own time (simulated time and annotated delay).
struct SeenAccess {
  sc_core::sc_time time;
  bool write;
  std::uint64_t offset;
  unsigned int bytes;
  std::uint64_t value;
};

inline bool operator==(const SeenAccess& a, const SeenAccess& b) {
  return a.time == b.time && a.write == b.write && a.offset == b.offset && a.bytes == b.bytes &&
         a.value == b.value;
}

inline std::ostream& operator<<(std::ostream& out, const SeenAccess& seen) {
  return out << seen.time << (seen.write ? " write " : " read ") << seen.bytes << " at " << seen.offset
             << ": " << seen.value;
}

/// Reads give the offset. A write to 0x40 pulls the line low; one can be raised at a time.
class RecordingDevice : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<RecordingDevice, 64> socket{"socket"};
  sc_core::sc_out<bool> line{"line"};
  std::vector<SeenAccess> seen;
  sc_core::sc_time access_time;  ///< what each access takes

  explicit RecordingDevice(const sc_core::sc_module_name& name);
  void raise_at(const sc_core::sc_time& time) { raise_.notify(time); }
  /// The values written to `offset`.
  std::vector<std::uint64_t> written(std::uint64_t offset) const;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void drive();

  sc_core::sc_event raise_;
  sc_core::sc_event lower_;
  bool level_ = false;
};

/// RAM, the device and the finisher.
AddressMap bench_map();
/// The ELF file of a program in programs/.
std::string program_path(const std::string& program);

struct CpuBench {
  explicit CpuBench(const std::string& program, RiscvCpuConfig config = cached_config(),
                    DirectMemory direct_memory = DirectMemory::granted,
                    const sc_core::sc_time& quantum = sc_core::sc_time(1, sc_core::SC_US));

  static RiscvCpuConfig cached_config();
  static RiscvCpuConfig uncached_config();

  sc_core::sc_signal<bool> line{"line"};
  RiscvCpu cpu;
  Bus bus;
  Ram ram;
  RecordingDevice device{"device"};
  Finisher finisher{"finisher"};
};

}  // namespace petal::vp::test
