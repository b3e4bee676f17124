// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "petal/engines/stage.hpp"

namespace petal {

/// Where a command in flight sends the stages that have become ready.
class StageOutlet {
 public:
  virtual ~StageOutlet() = default;
  /// `path` leads to the present instant.
  virtual void ready(const Stage& stage, const CriticalPath& path) = 0;
};

/// The bytes a stage reads and writes outside its engine, for logs and checks.
struct StageRanges {
  std::array<ByteRange, 3> reads{};
  std::uint32_t read_count = 0;
  std::array<ByteRange, 1> writes{};
  std::uint32_t write_count = 0;

  void add_read(const ByteRange& range) {
    if (!range.empty() && read_count < reads.size()) reads[read_count++] = range;
  }
  void add_write(const ByteRange& range) {
    if (!range.empty()) {
      writes[0] = range;
      write_count = 1;
    }
  }
};

/// What the parts of a command in flight share.
struct RunContext {
  CompletionId command = kNoCompletion;
  std::uint32_t run = 0;  ///< index among the commands in flight
};

/// An op and its index within its command.
struct PlacedOp {
  const OpSpec* op = nullptr;
  std::uint32_t index = 0;
};

}  // namespace petal
