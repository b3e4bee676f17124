// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "petal/command/command_sink.hpp"

namespace petal {

/// Counts what a kernel issues, without a PE.
class CountingSink : public CommandSink {
 public:
  void issue(const IssueRequest& request) override {
    ++commands_;
    bytes_ += request.slice.logical_bytes;
  }
  void wait(const std::vector<CompletionId>&) override {}
  void overhead(const OverheadCmd&) override {}

  std::uint64_t commands() const { return commands_; }
  Bytes bytes() const { return bytes_; }

 private:
  std::uint64_t commands_ = 0;
  Bytes bytes_{0};
};

}  // namespace petal
