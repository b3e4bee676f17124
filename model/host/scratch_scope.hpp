// SPDX-License-Identifier: Apache-2.0
//
// ScratchScope: while it lives, what a kernel allocates belongs to it; when it ends, all of that is free
// again.
#pragma once

#include <cstdint>
#include <memory>

#include "petal/host/scratch_arena.hpp"

namespace petal {

/// Scopes nest. One that ends before a scope inside it ends that one too; a scope may outlive its TlContext.
/// Neither throws: the mistake shows when a freed handle is used.
class ScratchScope {
 public:
  explicit ScratchScope(const std::shared_ptr<ScratchArena>& arena)
      : arena_(arena), id_(arena->open_scope()) {}
  ~ScratchScope() { end(); }
  ScratchScope(ScratchScope&& other) noexcept : arena_(std::move(other.arena_)), id_(other.id_) {
    other.arena_.reset();
  }
  ScratchScope& operator=(ScratchScope&&) = delete;
  ScratchScope(const ScratchScope&) = delete;
  ScratchScope& operator=(const ScratchScope&) = delete;

  /// Ends the scope before its destructor does. Harmless if it has ended.
  void end() noexcept {
    if (const std::shared_ptr<ScratchArena> arena = arena_.lock()) arena->close_scope(id_);
    arena_.reset();
  }

 private:
  std::weak_ptr<ScratchArena> arena_;
  std::uint64_t id_;
};

}  // namespace petal
