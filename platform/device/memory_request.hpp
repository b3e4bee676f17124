// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "petal/bus/bus_initiator.hpp"
#include "petal/command/wire_buffer.hpp"

namespace petal {

/// One contiguous access of the device's own, beside those of its DMA: it keeps the bytes, and calls back
/// when they have been read or written.
class MemoryRequest final : public BusTransfer {
 public:
  using Done = std::function<void(const MemoryRequest&)>;

  /// Reads `bytes` bytes at `address`. Precondition: no access is under way.
  void read(BusInitiator& bus, std::uint64_t address, std::uint64_t bytes, Done done);
  /// Writes `bytes` to `address`. Precondition: no access is under way.
  void write(BusInitiator& bus, std::uint64_t address, std::vector<std::byte> bytes, Done done);

  bool succeeded() const { return status == tlm::TLM_OK_RESPONSE; }
  ByteView bytes() const { return ByteView(bytes_); }

  void accepted() override {}
  void answered() override;

 private:
  void submit(BusInitiator& bus, std::uint64_t address, Done done);

  std::vector<std::byte> bytes_;
  Done done_;
};

}  // namespace petal
