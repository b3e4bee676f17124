// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_map.hpp"

namespace petal {
namespace {

using Id = RegisterId;
using Source = RegisterSource;
constexpr RegisterAccessKind kRo = RegisterAccessKind::read_only;
constexpr RegisterAccessKind kRw = RegisterAccessKind::read_write;
constexpr RegisterAccessKind kW1c = RegisterAccessKind::write_one_to_clear;
constexpr RegisterAccessKind kWo = RegisterAccessKind::write_only;
constexpr RegisterLock kFree = RegisterLock::never;
constexpr RegisterLock kLocked = RegisterLock::while_enabled;

/// A register that is one number.
constexpr RegisterFields whole(RegisterAccessKind access) {
  return {{{"VALUE", 0, 32, access, ""}}};
}

constexpr RegisterFields kVersionFields{{
    {"MINOR", 0, 16, kRo, "grows when something is added"},
    {"MAJOR", 16, 16, kRo, "grows when something that was there changes"},
}};

// In the order of the dtypes' numbers.
constexpr RegisterFields kDTypeFields{{
    {"F32", 0, 1, kRo, ""},
    {"F16", 1, 1, kRo, ""},
    {"BF16", 2, 1, kRo, ""},
    {"I8", 3, 1, kRo, ""},
    {"I32", 4, 1, kRo, ""},
    {"F8E4M3", 5, 1, kRo, ""},
    {"F8E5M2", 6, 1, kRo, ""},
    {"BOOLEAN", 7, 1, kRo, ""},
}};

constexpr RegisterFields kEngineFields{{
    {"DMA", 0, 1, kRo, ""},
    {"FETCH_STORE", 1, 1, kRo, ""},
    {"GEMM", 2, 1, kRo, ""},
    {"MATH", 3, 1, kRo, ""},
}};

constexpr RegisterFields kControlFields{{
    {"ENABLE", 0, 1, kRw,
     "the ring runs; RING_START and the counters of the rings are taken when it goes from 0 to 1"},
    {"SOFT_RESET", 1, 1, kWo, "1: everything as after reset, once transfers under way have been answered"},
    {"RESUME", 2, 1, kWo, "1: a stopped ring goes on with the entry it stopped at"},
    {"FORGET_FAILURES", 3, 1, kWo,
     "1: later entries no longer fail for depending on those that failed so far"},
}};

constexpr RegisterFields kStatusFields{{
    {"ENABLED", 0, 1, kRo, "as CONTROL.ENABLE"},
    {"BUSY", 1, 1, kRo, "an entry is being fetched, or was and is not completed, or a reset is in progress"},
    {"DONE", 2, 1, kRo, "not BUSY, and at least one entry was completed since ENABLE"},
    {"STOPPED", 3, 1, kRo, "an error has stopped the ring, until RESUME or a reset"},
    {"RESETTING", 4, 1, kRo, "a reset is in progress"},
}};

constexpr RegisterFields kErrorCauseFields{{{"CODE", 0, 8, kRo, "a cause; 0: none"}}};
constexpr RegisterFields kErrorTagFields{
    {{"ID", 0, 24, kRo, "completion id of the entry; 0 if it belongs to none"}}};

constexpr RegisterFields interrupt_fields(RegisterAccessKind access) {
  return {{
      {"COMPLETION", 0, 1, access, "an entry was completed"},
      {"ERROR", 1, 1, access, "an entry failed, or the device was misused"},
      {"THRESHOLD", 2, 1, access, "INT_THRESHOLD entries were completed since this bit was last cleared"},
      {"IDLE", 3, 1, access, "STATUS.BUSY went from 1 to 0"},
  }};
}

}  // namespace

constexpr std::array<RegisterInfo, kRegisterCount> kRegisterMap{{
    {Id::id, 0x000, "ID", kFree, Source::stored, kDeviceId, whole(kRo),
     "\"PETL\": the bytes P, E, T, L in memory"},
    {Id::version, 0x004, "VERSION", kFree, Source::stored, kInterfaceVersion, kVersionFields,
     "version of this interface"},
    {Id::cap_command_bytes, 0x008, "CAP_COMMAND_BYTES", kFree, Source::configured, 0, whole(kRo),
     "most logical bytes of one entry"},
    {Id::cap_queue_bytes, 0x00C, "CAP_QUEUE_BYTES", kFree, Source::configured, 0, whole(kRo),
     "bytes that the command queue holds"},
    {Id::cap_dtypes, 0x010, "CAP_DTYPES", kFree, Source::configured, 0, kDTypeFields,
     "a bit for each dtype that the device computes with"},
    {Id::cap_engines, 0x014, "CAP_ENGINES", kFree, Source::configured, 0, kEngineFields,
     "a bit for each engine that the device has"},
    {Id::cap_tcm_lo, 0x018, "CAP_TCM_LO", kFree, Source::configured, 0, whole(kRo),
     "bytes of the TCM, lower half"},
    {Id::cap_tcm_hi, 0x01C, "CAP_TCM_HI", kFree, Source::configured, 0, whole(kRo), "upper half"},
    {Id::cap_clock_khz, 0x020, "CAP_CLOCK_KHZ", kFree, Source::configured, 0, whole(kRo),
     "clock of the PE in kHz"},
    {Id::cap_in_flight, 0x024, "CAP_IN_FLIGHT", kFree, Source::configured, 0, whole(kRo),
     "most commands in execution at a time"},

    {Id::control, 0x040, "CONTROL", kFree, Source::stored, 0, kControlFields, "switches the device"},
    {Id::status, 0x044, "STATUS", kFree, Source::live, 0, kStatusFields, "what the device is doing"},
    {Id::error_cause, 0x048, "ERROR_CAUSE", kFree, Source::live, 0, kErrorCauseFields,
     "cause of the first error since INT_STATUS.ERROR was last cleared"},
    {Id::error_tag, 0x04C, "ERROR_TAG", kFree, Source::live, 0, kErrorTagFields,
     "the entry that error belongs to"},
    {Id::error_address_lo, 0x050, "ERROR_ADDRESS_LO", kFree, Source::live, 0, whole(kRo),
     "faulting address of that error, 0 if it has none; lower half"},
    {Id::error_address_hi, 0x054, "ERROR_ADDRESS_HI", kFree, Source::live, 0, whole(kRo), "upper half"},

    {Id::ring_base_lo, 0x080, "RING_BASE_LO", kLocked, Source::stored, 0, whole(kRw),
     "byte address of the command ring, a multiple of 16; lower half"},
    {Id::ring_base_hi, 0x084, "RING_BASE_HI", kLocked, Source::stored, 0, whole(kRw), "upper half"},
    {Id::ring_size, 0x088, "RING_SIZE", kLocked, Source::stored, 0, whole(kRw),
     "slots of the command ring, 1 to 65536; any number"},
    {Id::ring_stride, 0x08C, "RING_STRIDE", kLocked, Source::stored, 0, whole(kRw),
     "bytes of a slot, a multiple of 16, 32 to 65536"},
    {Id::ring_start, 0x090, "RING_START", kLocked, Source::stored, 0, whole(kRw),
     "number of the first entry: RING_HEAD and RING_TAIL take it when ENABLE goes from 0 to 1"},
    {Id::ring_head, 0x094, "RING_HEAD", kFree, Source::live, 0, whole(kRo),
     "number of the next entry to fetch; counts modulo 2^32"},
    {Id::ring_tail, 0x098, "RING_TAIL", kFree, Source::live, 0, whole(kRo),
     "tail that the latest accepted doorbell gave"},
    {Id::doorbell, 0x09C, "DOORBELL", kFree, Source::live, 0, whole(kWo),
     "new tail: entries RING_HEAD to tail - 1 are in the ring"},
    {Id::table_base_lo, 0x0A0, "TABLE_BASE_LO", kLocked, Source::stored, 0, whole(kRw),
     "byte address of the tensor table, a multiple of 16; lower half"},
    {Id::table_base_hi, 0x0A4, "TABLE_BASE_HI", kLocked, Source::stored, 0, whole(kRw), "upper half"},
    {Id::table_size, 0x0A8, "TABLE_SIZE", kLocked, Source::stored, 0, whole(kRw),
     "entries of the tensor table"},
    {Id::cq_base_lo, 0x0C0, "CQ_BASE_LO", kLocked, Source::stored, 0, whole(kRw),
     "byte address of the completion ring, a multiple of 16; lower half"},
    {Id::cq_base_hi, 0x0C4, "CQ_BASE_HI", kLocked, Source::stored, 0, whole(kRw), "upper half"},
    {Id::cq_size, 0x0C8, "CQ_SIZE", kLocked, Source::stored, 0, whole(kRw),
     "records of the completion ring, at most 65536; 0: there is none"},
    {Id::cq_head, 0x0CC, "CQ_HEAD", kFree, Source::stored, 0, whole(kRw),
     "records that software has read since ENABLE; counts modulo 2^32"},
    {Id::cq_tail, 0x0D0, "CQ_TAIL", kFree, Source::live, 0, whole(kRo),
     "records that the device has written since ENABLE; counts modulo 2^32"},

    {Id::int_status, 0x100, "INT_STATUS", kFree, Source::stored, 0, interrupt_fields(kW1c),
     "what has happened"},
    {Id::int_enable, 0x104, "INT_ENABLE", kFree, Source::stored, 0, interrupt_fields(kRw),
     "1: the bit of INT_STATUS raises the interrupt"},
    {Id::int_pending, 0x108, "INT_PENDING", kFree, Source::live, 0, interrupt_fields(kRo),
     "INT_STATUS & INT_ENABLE; the interrupt line is high while it is not 0"},
    {Id::int_threshold, 0x10C, "INT_THRESHOLD", kFree, Source::stored, 1, whole(kRw),
     "completions that set INT_STATUS.THRESHOLD; 0 acts as 1"},

    {Id::count_fetched_lo, 0x140, "COUNT_FETCHED_LO", kFree, Source::live, 0, whole(kRo),
     "entries fetched since reset, lower half"},
    {Id::count_fetched_hi, 0x144, "COUNT_FETCHED_HI", kFree, Source::live, 0, whole(kRo), "upper half"},
    {Id::count_completed_lo, 0x148, "COUNT_COMPLETED_LO", kFree, Source::live, 0, whole(kRo),
     "entries completed since reset, failed ones too; lower half"},
    {Id::count_completed_hi, 0x14C, "COUNT_COMPLETED_HI", kFree, Source::live, 0, whole(kRo), "upper half"},
    {Id::count_failed_lo, 0x150, "COUNT_FAILED_LO", kFree, Source::live, 0, whole(kRo),
     "entries completed with a status other than 0 since reset, lower half"},
    {Id::count_failed_hi, 0x154, "COUNT_FAILED_HI", kFree, Source::live, 0, whole(kRo), "upper half"},
    {Id::count_logical_bytes_lo, 0x158, "COUNT_LOGICAL_BYTES_LO", kFree, Source::live, 0, whole(kRo),
     "logical bytes dispatched since reset, lower half"},
    {Id::count_logical_bytes_hi, 0x15C, "COUNT_LOGICAL_BYTES_HI", kFree, Source::live, 0, whole(kRo),
     "upper half"},
    {Id::count_dispatch_cycles_lo, 0x160, "COUNT_DISPATCH_CYCLES_LO", kFree, Source::live, 0, whole(kRo),
     "PE clock cycles paid for dispatch since reset, rounded down; lower half"},
    {Id::count_dispatch_cycles_hi, 0x164, "COUNT_DISPATCH_CYCLES_HI", kFree, Source::live, 0, whole(kRo),
     "upper half"},
    {Id::count_cycles_lo, 0x168, "COUNT_CYCLES_LO", kFree, Source::live, 0, whole(kRo),
     "PE clock cycles since reset, lower half"},
    {Id::count_cycles_hi, 0x16C, "COUNT_CYCLES_HI", kFree, Source::live, 0, whole(kRo), "upper half"},
}};

namespace {

/// Registers stand at the place of their number, aligned, by offset, within the block.
constexpr bool in_order() {
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < kRegisterCount; ++i) {
    const RegisterInfo& info = kRegisterMap[i];
    if (static_cast<std::size_t>(info.id) != i || info.offset < next || info.offset % kRegisterBytes != 0)
      return false;
    next = info.offset + kRegisterBytes;
  }
  return next <= kRegisterBlockBytes;
}
static_assert(in_order(), "registers overlap or are out of order");

constexpr std::size_t kWords = kRegisterBlockBytes / kRegisterBytes;
constexpr std::uint8_t kUnmapped = 0xFF;
static_assert(kRegisterCount < kUnmapped);

constexpr std::array<std::uint8_t, kWords> by_word() {
  std::array<std::uint8_t, kWords> words{};
  for (std::uint8_t& word : words) word = kUnmapped;
  for (const RegisterInfo& info : kRegisterMap)
    words[info.offset / kRegisterBytes] = static_cast<std::uint8_t>(info.id);
  return words;
}
constexpr std::array<std::uint8_t, kWords> kByWord = by_word();

}  // namespace

const RegisterInfo& info_of(RegisterId id) {
  return kRegisterMap[static_cast<std::size_t>(id)];
}

std::optional<RegisterId> register_at(std::uint64_t offset) {
  if (offset >= kRegisterBlockBytes || offset % kRegisterBytes != 0) return std::nullopt;
  const std::uint8_t word = kByWord[offset / kRegisterBytes];
  if (word == kUnmapped) return std::nullopt;
  return static_cast<RegisterId>(word);
}

}  // namespace petal
