// SPDX-License-Identifier: Apache-2.0
//
// ByteMemory: the contents of a memory in data mode, apart from its timing. Reading and writing take no
// simulated time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace petal {

class ByteMemory {
 public:
  /// `name` is what errors call it; addresses run from 0 to `capacity` bytes.
  ByteMemory(std::string name, std::uint64_t capacity) : name_(std::move(name)), capacity_(capacity) {}
  virtual ~ByteMemory() = default;
  ByteMemory(const ByteMemory&) = delete;
  ByteMemory& operator=(const ByteMemory&) = delete;

  const std::string& name() const { return name_; }
  std::uint64_t capacity() const { return capacity_; }

  /// Copies bytes [address, address + bytes) to `to`. Throws AddressError, having copied nothing, unless all
  /// are below the capacity; no bytes are within it at any address.
  void read(std::uint64_t address, std::byte* to, std::uint64_t bytes) const;
  /// The same in the other direction.
  void write(std::uint64_t address, const std::byte* from, std::uint64_t bytes);
  /// Those bytes where they lie, if they lie together in host memory, until the next write: a copy saved.
  /// Null if they do not. Throws as `read`.
  const std::byte* view(std::uint64_t address, std::uint64_t bytes) const;
  std::byte* view_for_writing(std::uint64_t address, std::uint64_t bytes);

 protected:
  /// Precondition: as below.
  virtual const std::byte* view_within(std::uint64_t, std::uint64_t) const { return nullptr; }
  virtual std::byte* view_for_writing_within(std::uint64_t, std::uint64_t) { return nullptr; }
  /// The access itself. Precondition: at least one byte, all below the capacity.
  virtual void read_within(std::uint64_t address, std::byte* to, std::uint64_t bytes) const = 0;
  virtual void write_within(std::uint64_t address, const std::byte* from, std::uint64_t bytes) = 0;

 private:
  void require_within(std::uint64_t address, std::uint64_t bytes) const;

  const std::string name_;
  const std::uint64_t capacity_;
};

}  // namespace petal
