// SPDX-License-Identifier: Apache-2.0
//
// DeviceBench: a PeDevice between a host, which is a script of the test in an SC_THREAD, and a memory. The
// host speaks to the registers by b_transport; rings, tables and tensors lie in the memory.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "petal/calendar/has_process.hpp"
#include "petal/command/command_stream.hpp"
#include "petal/command/tensor_table.hpp"
#include "petal/device/pe_device.hpp"
#include "petal/host/tl_context.hpp"
#include "support/at_memory.hpp"
#include "support/data_bench.hpp"
#include "support/dmi_memory.hpp"
#include "support/event_log.hpp"
#include "support/lt_memory.hpp"

namespace petal::test {

inline sc_core::sc_time ns(double count) {
  return {count, sc_core::SC_NS};
}

enum class MemoryKind { lt_waits, lt_annotates, lt_dmi, at };

/// Where the test keeps what the device reads: above the tensors.
inline constexpr std::uint64_t kRingBase = 0x100000;
inline constexpr std::uint64_t kTableBase = 0x180000;
inline constexpr std::uint64_t kCompletionBase = 0x1F0000;
inline constexpr std::uint64_t kMemoryBytes = 0x200000;

struct DeviceBenchConfig {
  PeDeviceConfig device;
  MemoryKind memory = MemoryKind::lt_annotates;
  sc_core::sc_time service = ns(1);   ///< of a burst
  sc_core::sc_time latency = ns(20);  ///< of the memory
  std::uint32_t ring_size = 8;
  std::uint32_t ring_stride = 1040;  ///< a header and the default cap
  std::uint32_t ring_start = 0;
  std::uint32_t completion_records = 0;
  std::uint32_t table_size = 4096;
};

/// The entries that a stream of steps becomes, as software writes them into slots.
struct SlotImage {
  std::vector<std::byte> command;
  bool first = true;
  bool last = true;
  std::uint32_t completion = 0;
};

/// The slots of a recorded stream; tensors are entered into `table`. Waits are left out: a ring has none.
std::vector<SlotImage> slots_of(const std::vector<RecordedStep>& steps, TensorTable& table);
/// What a kernel asks for.
std::vector<RecordedStep> steps_of(const std::function<void(TlContext&)>& kernel,
                                   const TlOptions& options = TlOptions());

class DeviceBench : public sc_core::sc_module {
 public:
  using Script = std::function<void(DeviceBench&)>;

  tlm_utils::simple_initiator_socket<DeviceBench, 64> host;

  /// `script` runs from time 0 on.
  DeviceBench(const sc_core::sc_module_name& name, const DeviceBenchConfig& config, Script script);

  PETAL_HAS_PROCESS(DeviceBench);

  // --- The host's side. Times are annotated, not waited for. ---
  std::uint32_t read(RegisterId id, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  std::uint64_t read_pair(RegisterId low);
  void write(RegisterId id, std::uint32_t value, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  /// Ring, table and completion ring as configured, interrupts on, ENABLE.
  void enable_ring();
  /// Writes the table into memory.
  void write_table(const TensorTable& table);
  /// Writes entry `number`, which lies in slot `slot`; its validity last.
  void write_slot(std::uint32_t slot, std::uint32_t number, const SlotImage& image);
  /// Pushes all slots as fast as the ring has room, and waits until the device is not busy.
  void run(const std::vector<SlotImage>& slots);
  /// Pushes without waiting for the end. Returns the tail.
  std::uint32_t push(const std::vector<SlotImage>& slots,
                     const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  void wait_until_idle();
  bool is_busy() { return (read(RegisterId::status) & status_bit::kBusy) != 0; }

  // --- The memory ---
  BusMemory& memory();
  std::vector<unsigned char>& bytes() { return memory().contents(); }
  void load(const HbmImage& image, std::uint64_t bytes);
  void store(std::uint64_t address, const std::vector<std::byte>& bytes);
  Values values(const TensorHandle& tensor);
  /// The completion records written so far.
  std::vector<CompletionRecord> records();

  const DeviceBenchConfig config;
  PeDevice device;
  sc_core::sc_signal<bool> irq;
  sc_core::sc_signal<bool> reset_pin;
  EventLog log;
  bool script_ended = false;

 private:
  void run_script();
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, unsigned char* data,
                                  unsigned int bytes, const sc_core::sc_time& delay);

  const Script script_;
  std::unique_ptr<LtMemory> lt_;
  std::unique_ptr<DmiMemory> dmi_;
  std::unique_ptr<AtMemory> at_;
  std::uint32_t next_slot_ = 0;
  std::uint32_t tail_ = 0;
};

/// sc_start() to the end; a report of the kernel fails the test.
void simulate_devices();

}  // namespace petal::test
