// SPDX-License-Identifier: Apache-2.0
//
// The CPU's view of memory: what it maps into the emulator, and what it does beside an access.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "petal/vp/debug_transport.hpp"
#include "petal/vp/riscv_cpu.hpp"

namespace petal::vp {
namespace {

constexpr std::uint64_t kPage = UnicornEngine::kPageBytes;

const char* access_name(uc_mem_type type) {
  switch (type) {
    case UC_MEM_FETCH:
    case UC_MEM_FETCH_UNMAPPED:
    case UC_MEM_FETCH_PROT:
      return "fetch";
    case UC_MEM_WRITE:
    case UC_MEM_WRITE_UNMAPPED:
    case UC_MEM_WRITE_PROT:
      return "store";
    default:
      return "load";
  }
}

bool is_store(uc_mem_type type) {
  return type == UC_MEM_WRITE || type == UC_MEM_WRITE_UNMAPPED;
}

/// The biggest range of whole pages in `range`; empty if there is none.
AddressRange whole_pages(const AddressRange& range) {
  const std::uint64_t skip = (kPage - range.begin % kPage) % kPage;
  if (range.bytes < skip) return {range.begin, 0};
  return {range.begin + skip, (range.bytes - skip) / kPage * kPage};
}

}  // namespace

void RiscvCpu::on_access(uc_mem_type type, std::uint64_t address, unsigned int bytes, std::uint64_t value) {
  const bool write = is_store(type);
  if (address % kPage + bytes > kPage) {
    if (write) store_across_pages(address, bytes, value);
    return;  // of a load the emulator tells the two parts
  }
  MemoryWindow* const window = windows_.find(address);
  if (window != nullptr) access(*window, write, address, bytes, value);  // otherwise on_unmapped() follows
}

/// The emulator does not tell its parts.
void RiscvCpu::store_across_pages(std::uint64_t address, unsigned int bytes, std::uint64_t value) {
  const auto first = static_cast<unsigned int>(kPage - address % kPage);
  MemoryWindow* const low = windows_.find(address) ? windows_.find(address) : open_window(address);
  if (low == nullptr) return;  // on_unmapped() says why
  access(*low, true, address, first, value);
  const std::uint64_t next = address + first;
  MemoryWindow* const high = windows_.find(next) ? windows_.find(next) : open_window(next);
  if (high == nullptr) return;
  access(*high, true, next, bytes - first, value >> (8 * first));
}

void RiscvCpu::access(MemoryWindow& window, bool write, std::uint64_t address, unsigned int bytes,
                      std::uint64_t value) {
  switch (window.kind) {
    case WindowKind::direct:
      keeper_.inc((write ? window.write_time_per_byte : window.read_time_per_byte) * bytes);
      break;
    case WindowKind::copied:
      copied_access(window, write, address, bytes, value);
      break;
    case WindowKind::device:
      if (write) std::memcpy(window.at(address), &value, std::min<std::size_t>(bytes, sizeof value));
      device_access(window, write, address, bytes);
      break;
  }
}

bool RiscvCpu::on_unmapped(uc_mem_type type, std::uint64_t address, unsigned int bytes, std::uint64_t value) {
  if (windows_.find(address) != nullptr) return true;  // opened by store_across_pages()
  const MemoryWindow* const window = open_window(address);
  const bool fetch = type == UC_MEM_FETCH_UNMAPPED;
  if (window == nullptr || (fetch && window->kind == WindowKind::device)) {
    if (fetch) current_ = address;
    fail(fmt::format("{} of {} bytes at {:#x}: {}", access_name(type), bytes, address,
                     window == nullptr
                         ? "the cached memory has no such bytes"
                         : "no memory that grants DMI, nor a cached range; code cannot run there"));
    return false;
  }
  if (!fetch) on_access(type, address, bytes, value);
  return failure_.empty();
}

void RiscvCpu::copied_access(MemoryWindow& window, bool write, std::uint64_t address, unsigned int bytes,
                             std::uint64_t value) {
  unsigned int moved = 0;
  if (write)
    moved = debug_write(*bus.operator->(), address, reinterpret_cast<const std::byte*>(&value), bytes);
  else
    moved = debug_read(*bus.operator->(), address, window.at(address), bytes);
  if (moved != bytes)
    fail(fmt::format("{} of {} bytes at {:#x}: the cached memory has no such bytes", write ? "store" : "load",
                     bytes, address));
}

void RiscvCpu::device_access(MemoryWindow& window, bool write, std::uint64_t address, unsigned int bytes) {
  const char* const name = write ? "store" : "load";
  if (address % bytes != 0 || (bytes & (bytes - 1)) != 0)
    return fail(
        fmt::format("{} of {} bytes at {:#x}: not aligned, which devices do not take", name, bytes, address));
  if (config_.device_access == DeviceAccess::synchronised) synchronise();
  tlm::tlm_generic_payload payload;
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(window.at(address)));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = keeper_.get_local_time();
  bus->b_transport(payload, delay);
  keeper_.set(delay);
  if (!payload.is_response_ok())
    fail(fmt::format("{} of {} bytes at {:#x}: {}", name, bytes, address, payload.get_response_string()));
}

const AddressRange* RiscvCpu::cached_range(std::uint64_t address) const {
  for (const AddressRange& range : config_.cached)
    if (range.contains(address)) return &range;
  return nullptr;
}

/// Makes the page of `address` visible to the emulator. Null if it lies in a cached range and nobody has its
/// bytes.
MemoryWindow* RiscvCpu::open_window(std::uint64_t address) {
  const std::uint64_t page = address / kPage * kPage;
  MemoryWindow window;
  if (!open_direct(page, window)) {
    window.range = {page, kPage};
    window.own = std::make_unique<std::byte[]>(kPage);
    window.bytes = window.own.get();
    window.kind = cached_range(page) != nullptr ? WindowKind::copied : WindowKind::device;
    if (window.kind == WindowKind::copied && !open_copy(window)) return nullptr;
  }
  const PageUse use = window.kind == WindowKind::device ? PageUse::data : PageUse::code_and_data;
  engine_.map(window.range, use, window.bytes);
  return &windows_.add(std::move(window));
}

bool RiscvCpu::open_copy(MemoryWindow& window) {
  return debug_read(*bus.operator->(), window.range.begin, window.bytes, static_cast<unsigned int>(kPage)) !=
         0;
}

bool RiscvCpu::open_direct(std::uint64_t page, MemoryWindow& window) {
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(page);
  payload.set_data_length(1);
  payload.set_streaming_width(1);
  tlm::tlm_dmi grant;
  if (!bus->get_direct_mem_ptr(payload, grant) || !grant.is_read_write_allowed()) return false;
  const std::uint64_t first = grant.get_start_address();
  const std::uint64_t length = grant.get_end_address() - first;
  AddressRange range{first, std::max(length, length + 1)};  // all 2^64 bytes count as one less
  if (!range.contains(page, kPage)) return false;
  const AddressRange* const cached = cached_range(page);
  if (cached != nullptr) range = range.intersection(*cached);
  for (const AddressRange& other : config_.cached)
    if (&other != cached) range = range.clear_of(other, page);
  range = whole_pages(windows_.free_part(range, page));
  if (!range.contains(page)) return false;
  window.kind = WindowKind::direct;
  window.range = range;
  window.bytes = reinterpret_cast<std::byte*>(grant.get_dmi_ptr()) + (range.begin - first);
  if (cached == nullptr) {
    window.read_time_per_byte = grant.get_read_latency();
    window.write_time_per_byte = grant.get_write_latency();
  }
  return true;
}

/// May be called from any process, also while the emulator is in the middle of an instruction that waits.
void RiscvCpu::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
  invalidated_.push_back({first, std::max(last - first, last - first + 1)});
}

void RiscvCpu::drop_invalid_windows() {
  for (const AddressRange& range : std::exchange(invalidated_, {}))
    while (const auto window = windows_.take_direct(range)) engine_.unmap(window->range);
}

}  // namespace petal::vp
