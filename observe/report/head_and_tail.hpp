// SPDX-License-Identifier: Apache-2.0
//
// HeadAndTail: of a list that may become long, the first entries and the latest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace petal {

template <typename T>
class HeadAndTail {
 public:
  /// Keeps up to `limit` entries: half of them from the beginning.
  explicit HeadAndTail(std::size_t limit) : head_limit_(limit - limit / 2), tail_limit_(limit / 2) {}

  /// Appends `entry`; returns the one that is left out for it, if one is.
  std::optional<T> push(T entry) {
    if (head_.size() < head_limit_) {
      head_.push_back(std::move(entry));
      return std::nullopt;
    }
    tail_.push_back(std::move(entry));
    if (tail_.size() <= tail_limit_) return std::nullopt;
    std::optional<T> left_out = std::move(tail_.front());
    tail_.pop_front();
    ++left_out_;
    return left_out;
  }

  /// The last entry of all, or null.
  T* last() { return !tail_.empty() ? &tail_.back() : head_.empty() ? nullptr : &head_.back(); }
  const std::vector<T>& head() const { return head_; }
  const std::deque<T>& tail() const { return tail_; }
  std::uint64_t left_out() const { return left_out_; }

  /// Calls `visit` on each kept entry, in order.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const T& entry : head_) visit(entry);
    for (const T& entry : tail_) visit(entry);
  }

 private:
  std::size_t head_limit_;
  std::size_t tail_limit_;
  std::vector<T> head_;
  std::deque<T> tail_;
  std::uint64_t left_out_ = 0;
};

}  // namespace petal
