// SPDX-License-Identifier: Apache-2.0
//
// The register map of PeDevice: one table. The decode of accesses, the C header for firmware and the
// documentation are made from it. Pure: no SystemC, no state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace petal {

/// The registers, in the order of their offsets.
enum class RegisterId : std::uint8_t {
  id,
  version,
  cap_command_bytes,
  cap_queue_bytes,
  cap_dtypes,
  cap_engines,
  cap_tcm_lo,
  cap_tcm_hi,
  cap_clock_khz,
  cap_in_flight,
  control,
  status,
  error_cause,
  error_tag,
  error_address_lo,
  error_address_hi,
  ring_base_lo,
  ring_base_hi,
  ring_size,
  ring_stride,
  ring_start,
  ring_head,
  ring_tail,
  doorbell,
  table_base_lo,
  table_base_hi,
  table_size,
  cq_base_lo,
  cq_base_hi,
  cq_size,
  cq_head,
  cq_tail,
  int_status,
  int_enable,
  int_pending,
  int_threshold,
  count_fetched_lo,
  count_fetched_hi,
  count_completed_lo,
  count_completed_hi,
  count_failed_lo,
  count_failed_hi,
  count_logical_bytes_lo,
  count_logical_bytes_hi,
  count_dispatch_cycles_lo,
  count_dispatch_cycles_hi,
  count_cycles_lo,
  count_cycles_hi,
};
inline constexpr std::size_t kRegisterCount = static_cast<std::size_t>(RegisterId::count_cycles_hi) + 1;

/// What software may do with a field. A write of anything else is ignored; a read of it gives 0.
enum class RegisterAccessKind : std::uint8_t {
  read_only,
  read_write,
  write_one_to_clear,  ///< reads give the bits; a 1 written clears its bit
  write_only,          ///< reads give 0; what is written starts something
};

/// Where a register's value comes from.
enum class RegisterSource : std::uint8_t {
  stored,      ///< it begins with the reset value and keeps what software writes
  configured,  ///< a constant of the device, from its configuration
  live,        ///< the device keeps it up to date; it begins with the reset value
};

/// Ones in bits [low, low + width) of a word.
constexpr std::uint32_t bit_mask(unsigned low, unsigned width) {
  return static_cast<std::uint32_t>(((std::uint64_t{1} << width) - 1) << low);
}

/// Bits [low, low + width) of a register.
struct RegisterField {
  std::string_view name;
  unsigned low = 0;
  unsigned width = 0;  ///< 0: there is no such field
  RegisterAccessKind access = RegisterAccessKind::read_only;
  std::string_view text;

  constexpr std::uint32_t mask() const { return bit_mask(low, width); }
};

/// Whether a register can be written while the device is enabled.
enum class RegisterLock : std::uint8_t { never, while_enabled };

inline constexpr std::size_t kMostFields = 8;
using RegisterFields = std::array<RegisterField, kMostFields>;

struct RegisterInfo {
  RegisterId id;
  std::uint64_t offset;
  std::string_view name;
  RegisterLock lock;
  RegisterSource source;
  std::uint32_t reset;    ///< 0 where the source is `configured`
  RegisterFields fields;  ///< from bit 0 up, those with a width first; bits of no field are reserved
  std::string_view text;

  /// The bits of the fields that have this access.
  constexpr std::uint32_t mask_of(RegisterAccessKind access) const {
    std::uint32_t mask = 0;
    for (const RegisterField& field : fields)
      if (field.access == access) mask |= field.mask();
    return mask;
  }
  /// The bits that software can read; the others read 0.
  constexpr std::uint32_t readable_mask() const {
    return mask_of(RegisterAccessKind::read_only) | mask_of(RegisterAccessKind::read_write) |
           mask_of(RegisterAccessKind::write_one_to_clear);
  }
};

/// The block of registers in the address space of the device's target socket: bytes [0, kRegisterBlockBytes).
inline constexpr std::uint64_t kRegisterBlockBytes = 0x1000;
/// Every register has this many bytes and lies at a multiple of them. Little endian.
inline constexpr std::uint64_t kRegisterBytes = 4;
/// Where the TCM begins in that address space.
inline constexpr std::uint64_t kTcmWindowOffset = 0x100000;

inline constexpr std::uint32_t kDeviceId = 0x4C544550;       // "PETL" as it lies in memory is P, E, T, L
inline constexpr std::uint32_t kInterfaceVersion = 0x10000;  // major in the upper half, minor in the lower

/// All registers, by offset.
extern const std::array<RegisterInfo, kRegisterCount> kRegisterMap;  // NOLINT(readability-identifier-naming)

const RegisterInfo& info_of(RegisterId id);

/// The register at exactly `offset`; nothing if there is none.
std::optional<RegisterId> register_at(std::uint64_t offset);

/// The single bits of registers that code sets and tests.
namespace control_bit {
inline constexpr std::uint32_t kEnable = 1U << 0U;
inline constexpr std::uint32_t kSoftReset = 1U << 1U;
inline constexpr std::uint32_t kResume = 1U << 2U;
inline constexpr std::uint32_t kForgetFailures = 1U << 3U;
}  // namespace control_bit

namespace status_bit {
inline constexpr std::uint32_t kEnabled = 1U << 0U;
inline constexpr std::uint32_t kBusy = 1U << 1U;
inline constexpr std::uint32_t kDone = 1U << 2U;
inline constexpr std::uint32_t kStopped = 1U << 3U;
inline constexpr std::uint32_t kResetting = 1U << 4U;
}  // namespace status_bit

namespace interrupt_bit {
inline constexpr std::uint32_t kCompletion = 1U << 0U;
inline constexpr std::uint32_t kError = 1U << 1U;
inline constexpr std::uint32_t kThreshold = 1U << 2U;
inline constexpr std::uint32_t kIdle = 1U << 3U;
inline constexpr std::uint32_t kAll = kCompletion | kError | kThreshold | kIdle;
}  // namespace interrupt_bit

}  // namespace petal
