// SPDX-License-Identifier: Apache-2.0
//
// CompositeCache: recently lowered requests, so that a loop that asks for the same composite tile after tile
// pays for its checks and its lowering once.
//
// A lowering depends on the request and on how far the scratch arena is filled, not on leases or pending
// data. It is used again for a request that is the same tensor by tensor. One difference is allowed: the `b`
// that a GEMM streams from HBM may lie elsewhere, if no other tensor lies in HBM, so that nothing can overlap
// it. What is not certain to be the same is not served, and the caller lowers it anew: every error comes from
// there.
//
// Commands that were issued and have been let go of since are issued again: a long loop makes no more of them
// than there are outstanding at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "petal/command/units.hpp"
#include "petal/host/composite_request.hpp"
#include "petal/host/lowered_composite.hpp"
#include "petal/host/scratch_arena.hpp"

namespace petal {

class CompositeCache {
 public:
  /// How far `arena` was filled before a request was lowered.
  struct ArenaLevel {
    explicit ArenaLevel(const ScratchArena& arena) : used(arena.used()), slots(arena.allocations()) {}
    Bytes used;
    std::size_t slots;
  };

  /// A request that was served.
  struct Served {
    const LoweredComposite& composite;  ///< until the next call
    TensorHandle result;
  };

  /// Keeps `capacity` lowerings, the oldest giving way to a new one.
  explicit CompositeCache(std::size_t capacity) : capacity_(capacity) {}

  /// The lowering that `request` would get now, its scratch taken from `arena`; nothing if it is not known.
  std::optional<Served> serve(const CompositeRequest& request, ScratchArena& arena);

  /// Remembers that `request` was lowered to `composite` and `result` with `arena` filled to `before`.
  void keep(const CompositeRequest& request, const ArenaLevel& before, LoweredComposite composite,
            const TensorHandle& result, const ScratchArena& arena);

  /// Requests served.
  std::uint64_t served() const { return served_; }

 private:
  struct Entry {
    CompositeRequest request;
    Bytes arena_used{0};
    std::vector<std::uint64_t> slots;        ///< bytes of the scratch it takes, in order
    std::optional<std::size_t> result_slot;  ///< the one that the result lies in; none: the request's out
    TensorHandle result;
    bool b_may_move = false;
    std::size_t gemm = 0;     ///< index of the GEMM among the ops, if b may move
    std::size_t b_input = 0;  ///< index of b's range among the inputs, if b may move
    LoweredComposite composite;
    std::deque<std::shared_ptr<PeCommand>> issued;  ///< copies of its command, the oldest first
  };

  Entry* find(const CompositeRequest& request, const ScratchArena& arena);
  static bool serves(const Entry& entry, const CompositeRequest& request, const ScratchArena& arena);
  static void allow_b_to_move(Entry& entry);
  static void renew_command(Entry& entry);
  static TensorHandle take_scratch(const Entry& entry, const CompositeRequest& request, ScratchArena& arena);

  std::size_t capacity_;
  std::vector<Entry> entries_;
  std::size_t oldest_ = 0;
  std::size_t expected_ = 0;  ///< after the entry that served last: loops repeat the order of their requests
  std::uint64_t served_ = 0;
};

}  // namespace petal
