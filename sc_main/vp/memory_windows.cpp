// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/memory_windows.hpp"

#include <utility>

namespace petal::vp {

MemoryWindow* MemoryWindows::look_up(std::uint64_t address) {
  auto after = windows_.upper_bound(address);
  if (after == windows_.begin()) return nullptr;
  MemoryWindow& window = std::prev(after)->second;
  if (!window.range.contains(address)) return nullptr;
  latest_ = &window;
  return latest_;
}

MemoryWindow& MemoryWindows::add(MemoryWindow window) {
  const std::uint64_t begin = window.range.begin;
  return windows_.insert_or_assign(begin, std::move(window)).first->second;
}

AddressRange MemoryWindows::free_part(AddressRange range, std::uint64_t address) const {
  for (const auto& [begin, window] : windows_) range = range.clear_of(window.range, address);
  return range;
}

std::unique_ptr<MemoryWindow> MemoryWindows::take_direct(const AddressRange& range) {
  for (auto entry = windows_.begin(); entry != windows_.end(); ++entry) {
    if (entry->second.kind != WindowKind::direct || !entry->second.range.overlaps(range)) continue;
    auto window = std::make_unique<MemoryWindow>(std::move(entry->second));
    windows_.erase(entry);
    latest_ = nullptr;
    return window;
  }
  return nullptr;
}

}  // namespace petal::vp
