// SPDX-License-Identifier: Apache-2.0
//
// ScratchArena: the TCM that a kernel's tensors are allocated in (SPEC 3). A bump allocator: memory is given
// back by ending the scope it was allocated in, or never. Giving back is a matter of emit time only; that a
// later command may not overwrite what an earlier one still reads is left to the device's hazard rules
// (SPEC 11.7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petal/command/tensor_handle.hpp"
#include "petal/command/units.hpp"

namespace petal {

class ScratchArena {
 public:
  static constexpr std::uint64_t kAlignment = 64;  ///< bytes (SPEC 12.4)

  /// A slot of the arena.
  struct Allocation {
    std::uint64_t begin;
    std::uint64_t end;  ///< with no less than one byte between the two
    std::uint32_t lease;
  };

  /// Arena of `capacity` bytes at TCM address 0.
  explicit ScratchArena(Bytes capacity) : capacity_(capacity) {}

  /// A dense tensor whose contents are undefined. A tensor of no bytes still takes a slot of its own. Throws
  /// EmitError, in the name of `op`, if it does not fit: asked, free and total bytes are in the message.
  TensorHandle allocate(std::string_view op, const Dims& shape, DType dtype);

  /// Takes a slot of `bytes` bytes, at least 1, where `allocate` would, and returns its lease. Precondition:
  /// it fits.
  std::uint32_t take_slot(std::uint64_t bytes);

  /// Starts a scope and names it; ids are never used twice.
  std::uint64_t open_scope();
  /// Ends scope `id` with all scopes opened after it, and frees what was allocated since. A scope that has
  /// ended already is left alone.
  void close_scope(std::uint64_t id) noexcept;
  bool in_scope() const { return !scopes_.empty(); }

  /// Why `handle`, which lies in TCM, names no memory of this arena that is in use now; nothing if it does.
  std::optional<std::string> find_problem(const TensorHandle& handle) const;

  Bytes capacity() const { return capacity_; }
  /// What is allocated now, with the gaps that alignment makes.
  Bytes used() const;
  /// The most that `used()` has been.
  Bytes peak() const { return peak_; }

  std::size_t allocations() const { return live_.size(); }
  /// The slots in use, by address.
  const std::vector<Allocation>& slots() const { return live_; }
  /// Frees all but the first `count` allocations: undoes what a refused call had allocated.
  void rollback(std::size_t count) noexcept;

 private:
  struct Scope {
    std::uint64_t id;
    std::size_t outer_allocations;
  };

  Bytes capacity_;
  Bytes peak_{0};
  std::vector<Allocation> live_;  ///< by address
  std::vector<Scope> scopes_;     ///< outermost first
  std::uint64_t next_scope_ = 1;
  std::uint32_t next_lease_ = 1;
};

/// Gives back on destruction what was allocated during its life, unless `commit` was called: a call that is
/// refused leaves no trace in the arena.
class ScratchTransaction {
 public:
  explicit ScratchTransaction(ScratchArena& arena) : arena_(arena), allocations_(arena.allocations()) {}
  ~ScratchTransaction() {
    if (!committed_) arena_.rollback(allocations_);
  }
  ScratchTransaction(const ScratchTransaction&) = delete;
  ScratchTransaction& operator=(const ScratchTransaction&) = delete;
  void commit() { committed_ = true; }

 private:
  ScratchArena& arena_;
  std::size_t allocations_;
  bool committed_ = false;
};

}  // namespace petal
