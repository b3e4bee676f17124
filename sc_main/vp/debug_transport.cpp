// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/debug_transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "petal/command/error.hpp"

namespace petal::vp {
namespace {

unsigned int move(tlm::tlm_transport_dbg_if<>& bus, tlm::tlm_command command, std::uint64_t address,
                  unsigned char* data, unsigned int bytes) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  return bus.transport_dbg(payload);
}

constexpr std::size_t kChunk = 4096;

void write_all(tlm::tlm_transport_dbg_if<>& bus, std::uint64_t address, const std::byte* from,
               std::size_t bytes) {
  if (debug_write(bus, address, from, static_cast<unsigned int>(bytes)) != bytes)
    throw ConfigError(fmt::format(
        "the firmware has bytes at {:#x}, where the platform has no memory for them; link it to the RAM",
        address));
}

void load_segment(const ElfSegment& segment, tlm::tlm_transport_dbg_if<>& bus) {
  constexpr std::array<std::byte, kChunk> kZeros{};
  std::uint64_t done = 0;
  while (done < segment.memory_bytes) {
    const bool in_file = done < segment.bytes.size();
    const std::uint64_t left = (in_file ? segment.bytes.size() : segment.memory_bytes) - done;
    const std::size_t bytes = std::min<std::uint64_t>(left, kChunk);
    write_all(bus, segment.address + done, in_file ? segment.bytes.data() + done : kZeros.data(), bytes);
    done += bytes;
  }
}

}  // namespace

unsigned int debug_read(tlm::tlm_transport_dbg_if<>& bus, std::uint64_t address, std::byte* into,
                        unsigned int bytes) {
  return move(bus, tlm::TLM_READ_COMMAND, address, reinterpret_cast<unsigned char*>(into), bytes);
}

unsigned int debug_write(tlm::tlm_transport_dbg_if<>& bus, std::uint64_t address, const std::byte* from,
                         unsigned int bytes) {
  // A payload's pointer is not const; a write does not change what it points at.
  auto* const data = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(from));
  return move(bus, tlm::TLM_WRITE_COMMAND, address, data, bytes);
}

void load(const ElfImage& image, tlm::tlm_transport_dbg_if<>& bus) {
  for (const ElfSegment& segment : image.segments()) load_segment(segment, bus);
}

}  // namespace petal::vp
