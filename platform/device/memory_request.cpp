// SPDX-License-Identifier: Apache-2.0
#include "petal/device/memory_request.hpp"

#include <utility>

namespace petal {

void MemoryRequest::read(BusInitiator& bus, std::uint64_t address, std::uint64_t bytes, Done done) {
  command = tlm::TLM_READ_COMMAND;
  bytes_.assign(bytes, std::byte{0});
  submit(bus, address, std::move(done));
}

void MemoryRequest::write(BusInitiator& bus, std::uint64_t address, std::vector<std::byte> bytes, Done done) {
  command = tlm::TLM_WRITE_COMMAND;
  bytes_ = std::move(bytes);
  submit(bus, address, std::move(done));
}

void MemoryRequest::submit(BusInitiator& bus, std::uint64_t address, Done done) {
  done_ = std::move(done);
  pattern = AccessPattern();
  pattern.address = address;
  pattern.run_bytes = bytes_.size();
  data = bytes_.data();
  status = tlm::TLM_INCOMPLETE_RESPONSE;
  fault_address = 0;
  bus.submit(BusChannel::control, *this);
}

// The callback may use this request for the next access.
void MemoryRequest::answered() {
  const Done done = std::move(done_);
  done(*this);
}

}  // namespace petal
