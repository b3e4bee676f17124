// SPDX-License-Identifier: Apache-2.0
#include "petal/host/scratch_arena.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "petal/command/error.hpp"
#include "petal/command/integer_math.hpp"
#include "petal/host/tensor_checks.hpp"

namespace petal {

TensorHandle ScratchArena::allocate(std::string_view op, const Dims& shape, DType dtype) {
  const std::uint64_t bytes = checked_bytes(op, shape, dtype).count();
  const std::uint64_t taken = std::max<std::uint64_t>(bytes, 1);
  const std::uint64_t begin = used().count();
  const std::uint64_t free = capacity_.count() - std::min(begin, capacity_.count());
  if (taken > free)
    throw EmitError(
        std::string(op), "",
        fmt::format("a {}{} tensor asks for {} bytes of scratch, but {} of the arena's {} bytes are free",
                    name_of(dtype), shape.to_string(), taken, free, capacity_.count()),
        "use a smaller tile, end scratch scopes earlier, or give the PE a larger TCM arena");
  TensorHandle handle = dense_tensor(Space::tcm, begin, shape, dtype);
  handle.lease = take_slot(taken);
  return handle;
}

std::uint32_t ScratchArena::take_slot(std::uint64_t bytes) {
  const std::uint64_t begin = used().count();
  const std::uint32_t lease = next_lease_++;
  if (next_lease_ == 0) next_lease_ = 1;
  live_.push_back({begin, begin + bytes, lease});
  peak_ = std::max(peak_, used());
  return lease;
}

std::uint64_t ScratchArena::open_scope() {
  scopes_.push_back({next_scope_, live_.size()});
  return next_scope_++;
}

void ScratchArena::close_scope(std::uint64_t id) noexcept {
  const auto scope =
      std::find_if(scopes_.begin(), scopes_.end(), [id](const Scope& entry) { return entry.id == id; });
  if (scope == scopes_.end()) return;
  rollback(scope->outer_allocations);
  scopes_.erase(scope, scopes_.end());
}

void ScratchArena::rollback(std::size_t count) noexcept {
  if (count < live_.size()) live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(count), live_.end());
}

std::optional<std::string> ScratchArena::find_problem(const TensorHandle& handle) const {
  const ByteRange range = handle.range();
  auto after =
      std::upper_bound(live_.begin(), live_.end(), range.begin,
                       [](std::uint64_t address, const Allocation& entry) { return address < entry.begin; });
  if (after == live_.begin() || range.end > std::prev(after)->end)
    return fmt::format("{} lies in no scratch that is allocated now", handle.to_string());
  if (handle.lease != 0 && handle.lease != std::prev(after)->lease)
    return fmt::format("{} was freed when its scratch scope ended, and the memory is in use again",
                       handle.to_string());
  return std::nullopt;
}

Bytes ScratchArena::used() const {
  return Bytes(live_.empty() ? 0 : round_up(live_.back().end, kAlignment));
}

}  // namespace petal
