// SPDX-License-Identifier: Apache-2.0
//
// ElfImage: what a 64-bit RISC-V ELF file says is to stand in memory. The file may hold any bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "petal/command/wire_buffer.hpp"
#include "petal/vp/address_range.hpp"

namespace petal::vp {

/// One PT_LOAD segment: its bytes of the file, then zeros.
struct ElfSegment {
  std::uint64_t address = 0;       ///< physical, where it is loaded
  std::vector<std::byte> bytes;    ///< from the file
  std::uint64_t memory_bytes = 0;  ///< in memory; bytes.size() at least
};

class ElfImage {
 public:
  /// Reads an image from the contents of a file called `name`. Throws ConfigError, which names the file and
  /// what is wrong with it, for anything but an executable for RISC-V of 64 bits, little endian.
  static ElfImage parse(ByteView file, const std::string& name);
  /// As parse, of the file at `path`. Throws ConfigError too if it cannot be read.
  static ElfImage read(const std::string& path);

  std::uint64_t entry() const { return entry_; }  ///< where execution starts
  const std::vector<ElfSegment>& segments() const { return segments_; }

 private:
  std::uint64_t entry_ = 0;
  std::vector<ElfSegment> segments_;
};

}  // namespace petal::vp
