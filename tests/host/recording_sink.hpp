// SPDX-License-Identifier: Apache-2.0
//
// A CommandSink that keeps what it is given, and a context that writes to one. Whatever is issued in any test
// must be a command that a device would accept.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "petal/command/command_limits.hpp"
#include "petal/command/command_sink.hpp"
#include "petal/command/error.hpp"
#include "petal/host/tl_context.hpp"

namespace petal::test {

class RecordingSink final : public CommandSink {
 public:
  void issue(const IssueRequest& request) override {
    BOOST_TEST(find_limit_error(*request.slice.command, limits).value_or("") == "");
    issued.push_back(request);
  }
  void wait(const std::vector<CompletionId>& completions) override { waits.push_back(completions); }
  void overhead(const OverheadCmd& command) override { overheads.push_back(command); }

  const PeCommand& command(std::size_t index) const { return *issued.at(index).slice.command; }
  template <typename Command>
  const Command& get(std::size_t index) const {
    return std::get<Command>(command(index));
  }
  std::uint64_t bytes(std::size_t first, std::size_t last) const {
    std::uint64_t sum = 0;
    for (std::size_t index = first; index < last; ++index)
      sum += issued.at(index).slice.logical_bytes.count();
    return sum;
  }
  /// The opcode-like names of issues [first, last), joined by spaces.
  std::string names(std::size_t first, std::size_t last) const {
    std::string text;
    for (std::size_t index = first; index < last; ++index)
      text += (text.empty() ? "" : " ") + std::string(op_name(command(index)));
    return text;
  }

  CommandLimits limits;
  std::vector<IssueRequest> issued;
  std::vector<std::vector<CompletionId>> waits;
  std::vector<OverheadCmd> overheads;
};

/// A context with its sink: `tl` issues, `sink` remembers.
struct Bench {
  explicit Bench(const TlOptions& options = {}) : tl(sink, options) {
    sink.limits.arena = options.arena;
    sink.limits.math_head_streaming = options.math_head_streaming;
    sink.limits.gemm_tile = options.gemm_tile;
  }
  RecordingSink sink;
  TlContext tl;
};

/// The EmitError that `call` throws; fails the test if it throws none. Nothing may have been issued
/// meanwhile, and no scratch may have been lost.
template <typename Call>
EmitError emit_error_of(Bench& bench, const Call& call) {
  const std::size_t issued_before = bench.sink.issued.size();
  const CompletionId next_before = bench.tl.next_completion();
  const std::size_t allocations_before = bench.tl.scratch().allocations();
  try {
    call();
  } catch (const EmitError& error) {
    BOOST_TEST(bench.sink.issued.size() == issued_before);
    BOOST_TEST(bench.tl.next_completion() == next_before);
    BOOST_TEST(bench.tl.scratch().allocations() == allocations_before);
    BOOST_TEST(std::string(error.what()).find('\n') == std::string::npos);
    return error;
  }
  BOOST_ERROR("no EmitError was thrown");
  return EmitError("none", "none", "none", "none");
}

inline bool mentions(const std::exception& error, const std::string& text) {
  return std::string(error.what()).find(text) != std::string::npos;
}

}  // namespace petal::test
