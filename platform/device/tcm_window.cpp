// SPDX-License-Identifier: Apache-2.0
#include "petal/device/tcm_window.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/device/byte_enables.hpp"

namespace petal {

TcmWindow::TcmWindow(std::uint64_t base, std::uint64_t bytes, ByteMemory* memory)
    : base_(base), bytes_(memory == nullptr ? 0 : bytes), memory_(memory) {
  if (memory != nullptr && bytes > memory->capacity())
    throw ConfigError(
        fmt::format("{}: a window of {} bytes does not fit its {} bytes; make the window smaller",
                    memory->name(), bytes, memory->capacity()));
}

bool TcmWindow::contains(std::uint64_t address, std::uint64_t bytes) const {
  return address >= base_ && address - base_ < bytes_ && bytes <= bytes_ - (address - base_);
}

void TcmWindow::move(const tlm::tlm_generic_payload& payload, std::size_t from, std::size_t to) {
  auto* const data = reinterpret_cast<std::byte*>(payload.get_data_ptr()) + from;
  const std::uint64_t address = payload.get_address() - base_ + from;
  if (payload.is_read())
    memory_->read(address, data, to - from);
  else
    memory_->write(address, data, to - from);
}

tlm::tlm_response_status TcmWindow::access(const tlm::tlm_generic_payload& payload) {
  const std::size_t bytes = payload.get_data_length();
  if (bytes == 0 || payload.get_streaming_width() < bytes) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  const ByteEnables enables(payload);
  if (!enables.valid_for(bytes)) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  for (std::size_t from = 0; from < bytes;) {
    const bool enabled = enables.enabled(from);
    std::size_t to = enables.used() ? from + 1 : bytes;
    while (to < bytes && enables.enabled(to) == enabled) ++to;
    if (enabled) move(payload, from, to);
    from = to;
  }
  return tlm::TLM_OK_RESPONSE;
}

unsigned int TcmWindow::debug_access(const tlm::tlm_generic_payload& payload) {
  if (payload.get_data_ptr() == nullptr) return 0;
  move(payload, 0, payload.get_data_length());
  return payload.get_data_length();
}

// Of the whole memory, so that none of it has to grow, and so move, later.
std::byte* TcmWindow::direct() {
  return memory_ == nullptr ? nullptr : memory_->view_for_writing(0, memory_->capacity());
}

}  // namespace petal
