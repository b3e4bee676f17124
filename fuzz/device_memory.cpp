// SPDX-License-Identifier: Apache-2.0
#include "device_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace petal::fuzz {
namespace {

constexpr std::uint64_t kPage = 4096;

bool has_all_bytes_disabled(const tlm::tlm_generic_payload& payload) {
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  return std::all_of(enables, enables + payload.get_byte_enable_length(),
                     [](unsigned char enable) { return enable == TLM_BYTE_DISABLED; });
}

}  // namespace

void broken(const char* rule) {
  std::fprintf(stderr, "broken at %s: %s\n", sc_core::sc_time_stamp().to_string().c_str(), rule);
  std::abort();
}

DeviceMemory::DeviceMemory(const sc_core::sc_module_name& name, const DeviceMemoryConfig& config,
                           Loopback loopback)
    : sc_module(name),
      socket("socket"),
      config_(config),
      loopback_(std::move(loopback)),
      bytes_(kMemoryBytes, 0) {
  socket.register_b_transport(this, &DeviceMemory::b_transport);
  if (config.grants_direct_access)
    socket.register_get_direct_mem_ptr(this, &DeviceMemory::get_direct_mem_ptr);
}

void DeviceMemory::clear() {
  std::fill(bytes_.begin(), bytes_.end(), static_cast<unsigned char>(0));
  named_.clear();
  good_ = failing_ = 0;
}

void DeviceMemory::fail_after(std::uint32_t good, std::uint32_t count, tlm::tlm_response_status status) {
  good_ = good;
  failing_ = count;
  failure_ = status;
}

void DeviceMemory::move_memory() {
  if (!config_.grants_direct_access) return;
  socket->invalidate_direct_mem_ptr(0, kMemoryBytes - 1);
  std::vector<unsigned char> moved(bytes_);
  bytes_ = std::move(moved);
}

bool DeviceMemory::fails(tlm::tlm_generic_payload& payload) {
  if (failing_ == 0) return false;
  if (good_ != 0) {
    --good_;
    return false;
  }
  --failing_;
  if (failure_ != tlm::TLM_INCOMPLETE_RESPONSE) payload.set_response_status(failure_);
  return true;
}

void DeviceMemory::check(const tlm::tlm_generic_payload& payload) const {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t bytes = payload.get_data_length();
  require(payload.is_read() || payload.is_write(), "an access reads or writes");
  require(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "a request has no response yet");
  require(bytes >= 1 && bytes <= config_.burst_bytes, "a burst is not too long");
  require(address <= UINT64_MAX - (bytes - 1), "a burst does not wrap");
  require(address / kPage == (address + bytes - 1) / kPage, "a burst does not cross 4 KiB");
  require(payload.get_data_ptr() != nullptr, "a burst has data");
  require(payload.get_streaming_width() == bytes, "a burst does not stream");
  require(payload.get_byte_enable_ptr() == nullptr || has_all_bytes_disabled(payload),
          "bytes are enabled, or none is");
  if (config_.grants_direct_access) return;  // what the device has read is not known
  if (payload.is_read())
    require(named_.allow_read(address, bytes), "the device reads what was named");
  else
    require(named_.allow_write(address, bytes), "the device writes what was named");
}

void DeviceMemory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  ++accesses_;
  if (payload.is_write()) ++writes_;
  check(payload);
  if (!fails(payload)) serve(payload, delay);
  delay += config_.latency;
  if (!config_.waits) return;
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
}

void DeviceMemory::serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t bytes = payload.get_data_length();
  if (address >= kLoopback && address - kLoopback < kLoopbackBytes) {
    serve_by_loopback(payload, delay);
  } else if (address < kMemoryBytes && bytes <= kMemoryBytes - address) {
    if (payload.is_read())
      std::memcpy(payload.get_data_ptr(), bytes_.data() + address, bytes);
    else if (payload.get_byte_enable_ptr() == nullptr)
      std::memcpy(bytes_.data() + address, payload.get_data_ptr(), bytes);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    payload.set_dmi_allowed(config_.grants_direct_access);
  } else {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  if (payload.is_read() && payload.is_response_ok()) named_.saw(address, payload.get_data_ptr(), bytes);
}

void DeviceMemory::serve_by_loopback(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  payload.set_address(address - kLoopback);
  loopback_(payload, delay);
  payload.set_address(address);
  payload.set_dmi_allowed(false);
}

bool DeviceMemory::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant) {
  if (payload.get_address() >= kMemoryBytes) return false;
  grant.set_dmi_ptr(bytes_.data());
  grant.set_start_address(0);
  grant.set_end_address(kMemoryBytes - 1);
  grant.allow_read_write();
  grant.set_read_latency(config_.latency);
  grant.set_write_latency(config_.latency);
  return true;
}

}  // namespace petal::fuzz
