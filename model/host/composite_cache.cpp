// SPDX-License-Identifier: Apache-2.0
#include "petal/host/composite_cache.hpp"

#include <algorithm>
#include <utility>

#include "petal/host/tensor_checks.hpp"

namespace petal {
namespace {

/// Of one lowering: more than a PE has outstanding. Where commands are kept, as a recording keeps them,
/// looking at more would not help.
constexpr std::size_t kMostIssued = 256;

CompositeCmd& command_of(const LoweredComposite& composite) {
  return std::get<CompositeCmd>(*composite.command);
}

bool is_live(const TensorHandle& handle, const ScratchArena& arena) {
  return handle.space == Space::hbm || !arena.find_problem(handle);
}

/// A tensor without elements may lie at the edge of a slot, where it depends on what is allocated next.
bool is_plain(const TensorHandle& handle) {
  return handle.elements() != 0;
}

bool lies_in_hbm(const TensorHandle& handle) {
  return handle.space == Space::hbm;
}

/// The slot that `result` was allocated in since `before`; nothing if it is not one of those.
std::optional<std::size_t> new_slot_of(const TensorHandle& result, const CompositeCache::ArenaLevel& before,
                                       const ScratchArena& arena) {
  const std::vector<ScratchArena::Allocation>& slots = arena.slots();
  for (std::size_t index = before.slots; index < slots.size(); ++index)
    if (slots[index].lease == result.lease) return index - before.slots;
  return std::nullopt;
}

}  // namespace

std::optional<CompositeCache::Served> CompositeCache::serve(const CompositeRequest& request,
                                                            ScratchArena& arena) {
  if (!arena.in_scope()) return std::nullopt;
  Entry* const found = find(request, arena);
  if (!found) return std::nullopt;
  ++served_;
  renew_command(*found);
  if (found->b_may_move) {
    command_of(found->composite).ops[found->gemm].operands[1].address = request.b->address;
    found->composite.inputs[found->b_input] = request.b->range();
  }
  return Served{found->composite, take_scratch(*found, request, arena)};
}

// Commands complete in the order of their issue, or nearly so: the oldest is the first to be let go of.
void CompositeCache::renew_command(Entry& entry) {
  std::shared_ptr<PeCommand>& command = entry.composite.command;
  if (command.use_count() == 1) return;
  entry.issued.push_back(std::move(command));
  std::shared_ptr<PeCommand>& oldest = entry.issued.front();
  if (oldest.use_count() == 1)
    command = std::move(oldest);
  else
    command = std::make_shared<PeCommand>(*entry.issued.back());
  if (!oldest || entry.issued.size() > kMostIssued) entry.issued.pop_front();
}

CompositeCache::Entry* CompositeCache::find(const CompositeRequest& request, const ScratchArena& arena) {
  for (std::size_t tried = 0; tried < entries_.size(); ++tried) {
    const std::size_t index = (expected_ + tried) % entries_.size();
    if (!serves(entries_[index], request, arena)) continue;
    expected_ = index + 1;
    return &entries_[index];
  }
  return nullptr;
}

bool CompositeCache::serves(const Entry& entry, const CompositeRequest& request, const ScratchArena& arena) {
  if (entry.arena_used != arena.used() || !same_but_for_address_of_b(entry.request, request)) return false;
  const bool b_fits = entry.b_may_move ? is_representable(*request.b)
                                       : !request.b || request.b->address == entry.request.b->address;
  return b_fits && all_handles(request, [&](const TensorHandle& handle) { return is_live(handle, arena); });
}

TensorHandle CompositeCache::take_scratch(const Entry& entry, const CompositeRequest& request,
                                          ScratchArena& arena) {
  TensorHandle result = entry.result_slot ? entry.result : *request.out;
  for (std::size_t index = 0; index < entry.slots.size(); ++index) {
    const std::uint32_t lease = arena.take_slot(entry.slots[index]);
    if (index == entry.result_slot) result.lease = lease;
  }
  return result;
}

void CompositeCache::keep(const CompositeRequest& request, const ArenaLevel& before,
                          LoweredComposite composite, const TensorHandle& result, const ScratchArena& arena) {
  // Outside of all scopes the intermediates of recipes have slots of their own (RecipeScratch).
  if (capacity_ == 0 || !arena.in_scope() || !all_handles(request, is_plain)) return;
  Entry entry;
  if (!request.out) {
    // An `out` in HBM that was given as an address alone is not among the slots either.
    entry.result_slot = new_slot_of(result, before, arena);
    if (!entry.result_slot) return;
  }
  entry.request = request;
  entry.arena_used = before.used;
  for (std::size_t index = before.slots; index < arena.slots().size(); ++index)
    entry.slots.push_back(arena.slots()[index].end - arena.slots()[index].begin);
  entry.result = result;
  entry.composite = std::move(composite);
  allow_b_to_move(entry);
  if (entries_.size() < capacity_) {
    entries_.push_back(std::move(entry));
  } else {
    entries_[oldest_] = std::move(entry);
    oldest_ = (oldest_ + 1) % capacity_;
  }
}

void CompositeCache::allow_b_to_move(Entry& entry) {
  const CompositeRequest& request = entry.request;
  if (!request.b || !lies_in_hbm(*request.b)) return;
  std::size_t in_hbm = 0;
  all_handles(request, [&](const TensorHandle& handle) {
    in_hbm += lies_in_hbm(handle) ? 1 : 0;
    return true;
  });
  const std::optional<std::size_t> gemm = gemm_index(command_of(entry.composite).ops);
  if (in_hbm != 1 || !gemm) return;
  const std::vector<ByteRange>& inputs = entry.composite.inputs;
  const auto b_input = std::find(inputs.begin(), inputs.end(), request.b->range());
  if (b_input == inputs.end()) return;
  entry.b_may_move = true;
  entry.gemm = *gemm;
  entry.b_input = static_cast<std::size_t>(b_input - inputs.begin());
}

}  // namespace petal
