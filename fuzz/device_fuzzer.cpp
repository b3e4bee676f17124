// SPDX-License-Identifier: Apache-2.0
//
// Register and ring sequences of any kind, against a whole PeDevice. Whatever software does, the device
// accesses nothing that was not named, comes to rest when it is disabled, and works after a reset as if new.
//
// SystemC elaborates once in a process, so all inputs meet the same devices; each begins after a reset.
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <vector>

#include "device_program.hpp"
#include "petal/command/completion_record.hpp"

// SystemC's library refers to it; the fuzzer has a main of its own.
int sc_main(int, char*[]) {
  return 0;
}

namespace petal::fuzz {
namespace {

constexpr std::uint64_t kProgramSteps = 4000;
constexpr std::uint64_t kSettlingSteps = 8000;
constexpr std::uint64_t kResetSteps = 4000;
constexpr std::uint64_t kCopySteps = 4000;

sc_core::sc_time us(double count) {
  return {count, sc_core::SC_US};
}

// --- The device comes to rest ---

/// Disabled, and with its records read, the device ends what it has begun, unless that takes too long to wait
/// for.
void check_rest(DevicePlatform& platform) {
  platform.set_reset_pin(false);
  platform.memory().fail_after(0, 0, tlm::TLM_OK_RESPONSE);
  platform.allow_steps(kSettlingSteps);
  platform.run(sc_core::SC_ZERO_TIME);
  platform.write(RegisterId::control, 0);
  for (int round = 0; round < 100; ++round) {
    platform.run(us(1000));
    platform.check_registers();
    if (!platform.is_quiescent()) return;
    if ((platform.read(RegisterId::status) & status_bit::kBusy) == 0) return;
    const std::uint32_t tail = platform.read(RegisterId::cq_tail);
    require(platform.read(RegisterId::cq_head) != tail, "a disabled device comes to rest");
    platform.write(RegisterId::cq_head, tail);
  }
  broken("a disabled device posts its records");
}

// --- It can be reset ---

bool is_counter_of_time(RegisterId id) {
  return id == RegisterId::count_cycles_lo || id == RegisterId::count_cycles_hi;
}

void check_reset_values(DevicePlatform& platform) {
  for (const RegisterInfo& info : kRegisterMap)
    if (info.source != RegisterSource::configured && !is_counter_of_time(info.id))
      require(platform.read(info.id) == info.reset, "a register has its value after reset");
  require(!platform.irq.read(), "there is no interrupt after reset");
}

void reset(DevicePlatform& platform) {
  platform.allow_steps(kResetSteps);
  platform.write(RegisterId::control, control_bit::kSoftReset);
  const std::uint64_t accesses = platform.memory().accesses();
  platform.run(sc_core::SC_ZERO_TIME);
  while ((platform.read(RegisterId::status) & status_bit::kResetting) != 0) {
    require(platform.has_steps_left() && !platform.is_quiescent(), "a reset ends");
    platform.run(us(0.1));
  }
  platform.run(us(0.1));
  // Under AT an access that was requested before may reach the memory after.
  if (platform.config.device.pe.dma.bus.protocol == BusProtocol::lt)
    require(platform.memory().accesses() == accesses, "what a reset finds unbegun is not begun");
  check_reset_values(platform);
  require(platform.is_quiescent(), "nothing goes on after a reset");
}

// --- It still works ---

constexpr std::uint32_t kCopyRingStart = 0xFFFFFFFE;
constexpr std::uint32_t kCopyRecords = 4;

unsigned char pattern(std::size_t byte) {
  return static_cast<unsigned char>(byte * 7 + 1);
}

void enable_for_copy(DevicePlatform& platform) {
  platform.write(RegisterId::ring_base_lo, kRingBase);
  platform.write(RegisterId::ring_size, kCopyCommands);
  platform.write(RegisterId::ring_stride, 160);
  platform.write(RegisterId::ring_start, kCopyRingStart);
  platform.write(RegisterId::table_base_lo, kTableBase);
  platform.write(RegisterId::table_size, static_cast<std::uint32_t>(platform.templates().table().size()));
  platform.write(RegisterId::cq_base_lo, kCompletionBase);
  platform.write(RegisterId::cq_size, kCopyRecords);
  platform.write(RegisterId::int_enable, interrupt_bit::kIdle);
  platform.write(RegisterId::control, control_bit::kEnable);
}

void store(DevicePlatform& platform, std::uint64_t address, const std::vector<std::byte>& bytes) {
  std::memcpy(platform.memory().bytes().data() + address, bytes.data(), bytes.size());
}

void write_copy_commands(DevicePlatform& platform) {
  const CommandTemplates& templates = platform.templates();
  for (std::size_t index = 0; index < templates.table().size(); ++index)
    store(platform, kTableBase + index * 80, templates.table()[index]);
  const std::size_t first = templates.commands().size() - kCopyCommands;
  for (std::uint32_t index = 0; index < kCopyCommands; ++index) {
    const SlotTemplate& slot = templates.commands()[first + index].front();
    RingEntry entry{kCopyRingStart + index, static_cast<std::uint16_t>(slot.command.size()), true, true,
                    slot.completion};
    store(platform, kRingBase + index * 160, encode_ring_entry(entry));
    store(platform, kRingBase + index * 160 + kRingHeaderBytes, slot.command);
  }
  for (std::size_t byte = 0; byte < kCopyBytes; ++byte)
    platform.memory().bytes()[kCopySource + byte] = pattern(byte);
}

void check_copy(DevicePlatform& platform) {
  require(platform.read(RegisterId::status) == (status_bit::kEnabled | status_bit::kDone),
          "commands have ended");
  require(platform.read(RegisterId::cq_tail) == kCopyCommands, "each command has a record");
  require(platform.read(RegisterId::int_status) ==
              (interrupt_bit::kCompletion | interrupt_bit::kThreshold | interrupt_bit::kIdle),
          "the end is reported, and no error");
  require(platform.irq.read(), "the end raises the interrupt");
  require(platform.read_pair(RegisterId::count_completed_lo) == kCopyCommands, "commands are counted");
  const std::vector<unsigned char>& memory = platform.memory().bytes();
  for (std::uint32_t index = 0; index < kCopyCommands; ++index) {
    const auto* const at = reinterpret_cast<const std::byte*>(memory.data()) + kCompletionBase + 16 * index;
    const CompletionRecord record = decode_completion_record({at, 16});
    require(record.number == index && record.status == CompletionStatus::ok,
            "records say that commands succeeded");
  }
  if (platform.config.device.data == DataMode::on)
    for (std::size_t byte = 0; byte < kCopyBytes; ++byte)
      require(memory[kCopyTarget + byte] == pattern(byte), "the memory holds the result");
}

void check_copy_works(DevicePlatform& platform) {
  platform.memory().clear();
  platform.allow_steps(kCopySteps);
  write_copy_commands(platform);
  enable_for_copy(platform);
  platform.write(RegisterId::doorbell, kCopyRingStart + kCopyCommands);
  while (!platform.irq.read()) {
    require(platform.has_steps_left() && !platform.is_quiescent(), "good commands come to an end");
    platform.run(us(0.5));
  }
  check_copy(platform);
}

// --- An input ---

class Platforms {
 public:
  Platforms() {
    int number = 0;
    for (const DevicePlatformConfig& config : platform_configs())
      platforms_.push_back(
          std::make_unique<DevicePlatform>(("platform" + std::to_string(number++)).c_str(), config));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  DevicePlatform& of(std::uint8_t byte) { return *platforms_[byte % platforms_.size()]; }

 private:
  std::vector<std::unique_ptr<DevicePlatform>> platforms_;
};

void clear_tcm(DevicePlatform& platform) {
  if (platform.config.device.data == DataMode::off) return;
  HostAccess access;
  access.command = tlm::TLM_WRITE_COMMAND;
  access.address = kTcmWindowOffset;
  access.data.assign(platform.config.device.pe.tcm.arena.count(), 0);
  access.streaming_width = static_cast<unsigned int>(access.data.size());
  platform.debug(access);
}

void run(InputReader input) {
  static Platforms platforms;
  DevicePlatform& platform = platforms.of(input.u8());
  reset(platform);
  platform.memory().clear();
  clear_tcm(platform);
  platform.allow_steps(kProgramSteps);
  DeviceProgram(platform, input).run();
  check_rest(platform);
  reset(platform);
  check_copy_works(platform);
}

}  // namespace
}  // namespace petal::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    petal::fuzz::run({data, size});
  } catch (const std::exception& error) {
    petal::fuzz::broken(error.what());
  }
  return 0;
}
