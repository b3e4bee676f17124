// SPDX-License-Identifier: Apache-2.0
//
// MemoryWindows: which host memory the emulated CPU sees at which addresses, and what is to happen beside an
// access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <systemc>

#include "petal/vp/address_range.hpp"

namespace petal::vp {

enum class WindowKind : std::uint8_t {
  direct,  ///< the memory's own bytes, lent out by DMI
  copied,  ///< a copy of memory that lends none: brought up to date before each read, written through
  device,  ///< each access is a transaction; the bytes only carry its data
};

/// Whole pages.
struct MemoryWindow {
  AddressRange range;
  WindowKind kind = WindowKind::device;
  std::byte* bytes = nullptr;           ///< the byte at range.begin
  std::unique_ptr<std::byte[]> own;     ///< what `bytes` points at, unless direct
  sc_core::sc_time read_time_per_byte;  ///< beside the instruction's own time
  sc_core::sc_time write_time_per_byte;

  std::byte* at(std::uint64_t address) const { return bytes + (address - range.begin); }
};

class MemoryWindows {
 public:
  /// The window that holds `address`; null if none does. Valid until the window is removed.
  MemoryWindow* find(std::uint64_t address) {
    if (latest_ != nullptr && latest_->range.contains(address)) return latest_;
    return look_up(address);
  }

  /// Precondition: it overlaps none that is there.
  MemoryWindow& add(MemoryWindow window);

  /// What of `range` around `address` no window covers. Precondition: none covers `address`, which lies in
  /// `range`.
  AddressRange free_part(AddressRange range, std::uint64_t address) const;

  /// Takes out a direct window that overlaps `range`; null if there is none (any more).
  std::unique_ptr<MemoryWindow> take_direct(const AddressRange& range);

 private:
  MemoryWindow* look_up(std::uint64_t address);

  std::map<std::uint64_t, MemoryWindow> windows_;  // by their first address
  MemoryWindow* latest_ = nullptr;
};

}  // namespace petal::vp
