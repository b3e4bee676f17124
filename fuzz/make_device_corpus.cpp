// SPDX-License-Identifier: Apache-2.0
//
// Writes the corpus of the device's fuzzer: software that behaves well, and each kind of misbehaviour that
// has a rule. The same program writes the same files.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_program.hpp"

int sc_main(int, char*[]) {
  return 0;
}

namespace petal::fuzz {
namespace {

constexpr std::uint8_t kPlatforms = 5;
constexpr std::uint8_t kCommands = 40;  // at least as many as there are templates
constexpr std::uint8_t kLong = 0xC7;    // some microseconds
constexpr std::uint8_t kShort = 0x57;

// Operands of `enable`, by their places in the program's lists.
constexpr std::uint8_t kRingOf1 = 0;
constexpr std::uint8_t kRingOf7 = 4;
constexpr std::uint8_t kRingOf20 = 7;
constexpr std::uint8_t kStartAt0 = 0;
constexpr std::uint8_t kStartBeforeWrap = 1;
constexpr std::uint8_t kNoRecords = 0;
constexpr std::uint8_t kOneRecord = 1;
constexpr std::uint8_t kFiveRecords = 3;

/// Writes an input.
class DeviceInput {
 public:
  explicit DeviceInput(std::uint8_t platform) { bytes_.push_back(static_cast<char>(platform)); }

  DeviceInput& op(DeviceOp op, std::initializer_list<unsigned> operands = {}) {
    bytes_.push_back(static_cast<char>(op));
    for (const unsigned operand : operands) bytes_.push_back(static_cast<char>(operand));
    return *this;
  }
  DeviceInput& enable(std::uint8_t size, std::uint8_t start, std::uint8_t records) {
    op(DeviceOp::enable, {size, 0, start, records, 120, 0});
    return op(DeviceOp::write_table);
  }
  DeviceInput& push(std::uint8_t command) {
    op(DeviceOp::write_slots, {command, 0});
    return op(DeviceOp::ring_doorbell, {0, 0});
  }
  DeviceInput& write(RegisterId id, std::uint32_t value) {
    return op(DeviceOp::write_register, {static_cast<unsigned>(id), value & 0xFFU, (value >> 8U) & 0xFFU,
                                         (value >> 16U) & 0xFFU, value >> 24U, 0});
  }
  DeviceInput& wait() { return op(DeviceOp::wait_until_idle); }
  DeviceInput& run(std::uint8_t time) { return op(DeviceOp::run, {time}); }

  const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::vector<char> bytes_;
};

class Corpus {
 public:
  explicit Corpus(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
  }

  void write(const std::string& name, const DeviceInput& input) {
    std::ofstream out(folder_ / name, std::ios::binary);
    out.write(input.bytes().data(), static_cast<std::streamsize>(input.bytes().size()));
    out.close();
    if (!out) throw std::runtime_error("cannot write " + (folder_ / name).string());
  }

 private:
  std::filesystem::path folder_;
};

// --- Software that behaves well ---

void write_good(Corpus& corpus) {
  for (std::uint8_t platform = 0; platform < kPlatforms; ++platform) {
    const std::string suffix = std::to_string(platform);
    DeviceInput all(platform);
    all.enable(kRingOf20, kStartAt0, kFiveRecords);
    for (std::uint8_t command = 0; command < kCommands; ++command)
      all.push(command).run(kShort).op(DeviceOp::read_records, {0});
    corpus.write("all_commands" + suffix, all.wait());
    DeviceInput wrapped(platform);
    wrapped.enable(kRingOf7, kStartBeforeWrap, kFiveRecords);
    for (std::uint8_t command = 0; command < 20; ++command)
      wrapped.push(command).wait().op(DeviceOp::read_records, {0});
    corpus.write("ring_of_7_wraps" + suffix, wrapped);
  }
  DeviceInput one(0);
  one.enable(kRingOf1, kStartBeforeWrap, kNoRecords);
  for (std::uint8_t command = 0; command < 8; ++command) one.push(command).wait();
  corpus.write("ring_of_1", one);
}

// --- Doorbells and descriptors ---

void write_doorbells(Corpus& corpus) {
  DeviceInput early(0);
  early.enable(kRingOf7, kStartAt0, kFiveRecords).op(DeviceOp::ring_doorbell, {2, 0}).run(kShort);
  early.op(DeviceOp::write_slots, {0, 0}).op(DeviceOp::write_slots, {1, 0});
  early.op(DeviceOp::control, {control_bit::kEnable | control_bit::kResume});
  corpus.write("doorbell_before_data", early.wait());
  DeviceInput twice(0);
  twice.enable(kRingOf7, kStartAt0, kFiveRecords).push(0).op(DeviceOp::ring_doorbell, {0, 0}).run(kShort);
  corpus.write("double_doorbell", twice.op(DeviceOp::ring_doorbell, {0, 0}).wait());
  DeviceInput delayed(0);
  delayed.enable(kRingOf7, kStartAt0, kFiveRecords).op(DeviceOp::write_slots, {0, 0});
  delayed.op(DeviceOp::ring_doorbell, {0, 0xA0}).op(DeviceOp::write_slots, {1, 0});
  corpus.write("delayed_doorbells", delayed.op(DeviceOp::ring_doorbell, {0, 0x40}).run(kShort).wait());
  DeviceInput beyond(0);
  beyond.enable(kRingOf7, kStartAt0, kNoRecords).op(DeviceOp::ring_doorbell, {8, 0}).push(0);
  corpus.write("doorbell_beyond_ring", beyond.op(DeviceOp::ring_doorbell, {0xFF, 0}).wait());
}

void write_descriptors(Corpus& corpus) {
  DeviceInput changed(0);
  changed.enable(kRingOf7, kStartAt0, kFiveRecords)
      .push(0)
      .run(0x20)
      .op(DeviceOp::change_slot, {0, 24, 0xFF});
  changed.op(DeviceOp::change_table, {0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0});
  corpus.write("descriptor_changed_while_running", changed.wait());
  DeviceInput malformed(1);
  malformed.enable(kRingOf20, kStartAt0, kFiveRecords);
  for (unsigned byte = 0; byte < 16; ++byte) {
    malformed.op(DeviceOp::write_slots, {byte, 0}).op(DeviceOp::change_slot, {0, byte, 1});
    malformed.op(DeviceOp::ring_doorbell, {0, 0}).run(kShort);
    malformed.op(DeviceOp::control, {control_bit::kEnable | control_bit::kResume});
  }
  corpus.write("malformed_headers", malformed.op(DeviceOp::read_records, {0}).wait());
  DeviceInput tensors(0);
  tensors.enable(kRingOf20, kStartAt0, kFiveRecords);
  for (unsigned byte = 0; byte < 64; byte += 5)
    tensors.op(DeviceOp::change_table, {byte / 16, byte, 0x80, 0, 0, 0, 0, 0, 0, 1}).push(0).run(kShort);
  corpus.write("changed_tensors", tensors.op(DeviceOp::read_records, {0}).wait());
  DeviceInput cut(2);
  cut.enable(kRingOf20, kStartAt0, kNoRecords);
  cut.op(DeviceOp::write_slots, {27, 0}).op(DeviceOp::ring_doorbell, {0xFF, 0}).run(kLong);
  corpus.write("disabled_within_a_command", cut.op(DeviceOp::control, {0}).run(kLong));
}

// --- Resets, failures, registers ---

void write_resets(Corpus& corpus) {
  for (std::uint8_t platform = 0; platform < kPlatforms; ++platform) {
    DeviceInput input(platform);
    for (unsigned time = 0x10; time < 0xA0; time += 0x1B) {
      input.enable(kRingOf20, kStartAt0, kFiveRecords)
          .push(0)
          .push(22)
          .push(23)
          .run(static_cast<std::uint8_t>(time));
      if (time % 2 == 0)
        input.op(DeviceOp::soft_reset).run(kShort);
      else
        input.op(DeviceOp::set_reset_pin, {1}).run(8).push(0).op(DeviceOp::set_reset_pin, {0}).run(kShort);
    }
    corpus.write("reset_while_busy" + std::to_string(platform), input);
  }
}

void write_failures(Corpus& corpus) {
  for (unsigned good = 0; good < 12; ++good) {
    DeviceInput input(static_cast<std::uint8_t>(good % kPlatforms));
    input.enable(kRingOf20, kStartAt0, kFiveRecords).op(DeviceOp::fail_memory, {good, 1, good});
    for (std::uint8_t command = 20; command < 26; ++command) input.push(command);
    input.wait().op(DeviceOp::control,
                    {control_bit::kEnable | control_bit::kResume | control_bit::kForgetFailures});
    corpus.write("memory_fails" + std::to_string(good), input.wait());
  }
  DeviceInput full(0);
  full.enable(kRingOf20, kStartAt0, kOneRecord);
  for (std::uint8_t command = 0; command < 12; ++command) full.push(command);
  full.run(kLong);
  for (int record = 0; record < 12; ++record) full.op(DeviceOp::read_records, {0}).run(kShort);
  corpus.write("completion_ring_is_full", full);
}

void write_registers(Corpus& corpus) {
  DeviceInput accesses(0);
  accesses.op(DeviceOp::read_bytes, {0xF0, 0x0F, 0, 4});                           // unmapped
  accesses.op(DeviceOp::write_bytes, {0x80, 0, 0, 0, 8, 0, 0, 2, 0, 1, 0, 0, 0});  // two registers
  accesses.op(DeviceOp::write_bytes, {0x8C, 0, 0, 0, 4, 4, 4, 0, 0});              // one
  accesses.op(DeviceOp::read_bytes, {0x02, 0, 0, 2}).op(DeviceOp::read_bytes, {1, 0, 0, 4});
  accesses.op(DeviceOp::write_bytes, {0x04, 1, 8, 0, 4, 0xF, 0, 0, 0});  // byte enables
  accesses.op(DeviceOp::debug_bytes, {0x9C, 0, 1, 4});
  for (unsigned shape = 0; shape < 0x20; ++shape)
    accesses.op(DeviceOp::access_tcm, {shape * 8, 0, 0, 0, shape, 24});
  corpus.write("register_accesses", accesses);
  DeviceInput locked(0);
  locked.enable(kRingOf7, kStartAt0, kFiveRecords);
  for (unsigned id = 0; id < kRegisterCount; ++id)
    if (id != static_cast<unsigned>(RegisterId::control)) locked.write(static_cast<RegisterId>(id), 0x20000);
  corpus.write("every_register_while_enabled", locked.push(0).wait());
  for (const std::uint32_t size : {0U, 1U, 65536U, 65537U, 0xFFFFFFFFU}) {
    DeviceInput layout(0);
    layout.enable(kRingOf7, kStartAt0, kNoRecords)
        .op(DeviceOp::control, {0})
        .write(RegisterId::ring_size, size);
    layout.write(RegisterId::ring_base_hi, size).op(DeviceOp::control, {1}).push(0).wait();
    corpus.write("ring_size_" + std::to_string(size), layout);
  }
}

/// The device writes to its own registers and reads its ring from its own TCM.
void write_loopback(Corpus& corpus) {
  DeviceInput self(0);
  self.enable(kRingOf7, kStartAt0, kFiveRecords).op(DeviceOp::control, {0});
  self.write(RegisterId::ring_base_lo, 0x80100000).write(RegisterId::cq_base_lo, 0x80000040);
  corpus.write("loopback", self.op(DeviceOp::control, {1}).op(DeviceOp::ring_doorbell, {3, 0}).wait());
}

void write_all(Corpus& corpus) {
  write_good(corpus);
  write_doorbells(corpus);
  write_descriptors(corpus);
  write_resets(corpus);
  write_failures(corpus);
  write_registers(corpus);
  write_loopback(corpus);
}

}  // namespace
}  // namespace petal::fuzz

int main(int argc, char* argv[]) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  petal::fuzz::Corpus corpus(argv[1]);
  petal::fuzz::write_all(corpus);
  return 0;
}
