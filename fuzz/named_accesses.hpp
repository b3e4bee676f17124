// SPDX-License-Identifier: Apache-2.0
//
// NamedAccesses: what a device may access, told from outside it: the rings and the table that its registers
// named while it was enabled, and the tensors that it has read of. Shares no code with the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace petal::fuzz {

/// Ends of ranges that reach past 64 bits.
__extension__ using Wide = unsigned __int128;

/// Where software put its rings and its table.
struct NamedLayout {
  std::uint64_t ring_base = 0;
  std::uint64_t ring_bytes = 0;
  std::uint64_t table_base = 0;
  std::uint64_t table_entries = 0;
  std::uint64_t completion_base = 0;
  std::uint64_t completion_bytes = 0;

  friend bool operator==(const NamedLayout& a, const NamedLayout& b);
};

class NamedAccesses {
 public:
  void clear();
  /// The device was enabled with `layout`.
  void add(const NamedLayout& layout);
  /// The device has read these bytes of memory.
  void saw(std::uint64_t address, const unsigned char* data, std::size_t bytes);
  /// True if software has given the device reason to read, or write, these bytes.
  bool allow_read(std::uint64_t address, std::uint64_t bytes) const;
  bool allow_write(std::uint64_t address, std::uint64_t bytes) const;

 private:
  /// Bytes [begin, end), which may reach past the end of the address space.
  struct Interval {
    Wide begin = 0;
    Wide end = 0;
  };
  /// A burst that was read, behind what was read before it of the bytes in front of it.
  struct Run {
    std::uint64_t address = 0;
    std::vector<unsigned char> bytes;
  };
  /// A tensor's index in the table, and an offset in bytes.
  using Reference = std::pair<std::uint32_t, std::uint32_t>;

  /// What was seen of the bytes that end at `address`, as far as an entry may reach back.
  std::vector<unsigned char> seen_before(std::uint64_t address) const;
  static bool lies_within(std::uint64_t address, std::uint64_t bytes, const Interval& interval);
  bool is_of_a_tensor(std::uint64_t address, std::uint64_t bytes) const;
  void look_for_references(const Run& run, std::size_t known);
  void look_for_tensors(const Run& run, std::size_t known, const NamedLayout& layout);
  void allow(const Interval& tensor, std::uint32_t offset);

  std::vector<NamedLayout> layouts_;
  std::deque<Run> runs_;  // the latest, oldest first
  std::set<Reference> references_;
  std::multimap<std::uint32_t, Interval> tensors_;  // by index, as the device has read them
  std::vector<Interval> allowed_;                   // tensors that references name
};

}  // namespace petal::fuzz
