// SPDX-License-Identifier: Apache-2.0
//
// What find_limit_error accepts runs to its end in data mode, and touches nothing but the tensors it names
// and the scheduler's staging. The commands are drawn at random; PETAL_TEST_SEED=N repeats a failure.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <map>
#include <optional>

#include "../command/plausible_command.hpp"
#include "petal/command/command_limits.hpp"
#include "petal/command/error.hpp"
#include "petal/command/tensor_table.hpp"
#include "petal/command/wire_codec.hpp"
#include "support/data_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr std::uint64_t kArena = 16384;
constexpr std::uint64_t kHbmBytes = std::uint64_t{1} << 25U;

std::uint32_t seed_or(std::uint32_t seed) {
  const char* const text = std::getenv("PETAL_TEST_SEED");
  return text == nullptr ? seed : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

PlatformConfig small_tcm(bool streaming) {
  PlatformConfig config = with_free_dispatch();
  PeConfig& pe = config.pes.front();
  config.hbm.capacity = Bytes(kHbmBytes);
  pe.tcm.arena = Bytes(kArena);
  pe.scheduler.math_head_streaming = streaming;
  pe.scheduler.gemm_tile = {8, 16, 8};  // several tiles and chunks for tensors of some dozen elements
  return config;
}

CommandLimits limits_of(const PeConfig& pe) {
  CommandLimits limits;
  limits.arena = pe.tcm.arena;
  limits.math_head_streaming = pe.scheduler.math_head_streaming;
  limits.gemm_tile = pe.scheduler.gemm_tile;
  return limits;
}

/// The tensors of a command, or nothing if they could not be entries of a table: a device decodes no others.
std::optional<TensorTable> tensors_of(const PeCommand& command) {
  try {
    TensorTable table;
    encode(command, table);
    return table;
  } catch (const EmitError&) {
    return std::nullopt;
  }
}

/// True if a device can decode the command and its memory answers wherever the command asks.
bool is_addressable(const PeCommand& command) {
  const auto table = tensors_of(command);
  return table &&
         std::all_of(table->entries().begin(), table->entries().end(), [](const TensorHandle& tensor) {
           return tensor.space == Space::tcm || tensor.range().end <= kHbmBytes;
         });
}

/// Every range that a command's tensors have.
std::vector<ByteRange> named_ranges(const PeCommand& command) {
  const auto table = tensors_of(command);
  std::vector<ByteRange> ranges;
  for (const TensorHandle& tensor : table->entries()) ranges.push_back(tensor.range());
  return ranges;
}

std::string text_of(const ByteRange& range) {
  return std::string(name_of(range.space)) + ":" + std::to_string(range.begin) + ".." +
         std::to_string(range.end);
}

/// Checks, stage by stage, that only what the command names is accessed.
class AccessChecker : public Observer {
 public:
  void expect(CompletionId id, const PeCommand& command) { named_[id] = named_ranges(command); }

  void on_stage(const StageEvent& event) override {
    for (std::uint32_t index = 0; index < event.read_count; ++index) check(event, event.reads[index]);
    for (std::uint32_t index = 0; index < event.write_count; ++index) check(event, event.writes[index]);
  }
  void on_complete(const CompleteEvent& event) override { named_.erase(event.slice.completion); }

  std::size_t outstanding() const { return named_.size(); }

 private:
  void check(const StageEvent& event, const ByteRange& range) const {
    if (range.space == Space::tcm && range.begin >= kArena) return;  // staging
    for (const ByteRange& named : named_.at(event.command))
      if (range.space == named.space && range.begin >= named.begin && range.end <= named.end) return;
    std::string all;
    for (const ByteRange& named : named_.at(event.command)) all += " " + text_of(named);
    BOOST_ERROR("command " << event.command << ", " << name_of(event.kind) << " of " << event.op
                           << ", accesses " << text_of(range) << ", but the command names" << all);
  }

  std::map<CompletionId, std::vector<ByteRange>> named_;
};

struct Accepted {
  std::map<std::string, std::size_t> by_op;
  std::size_t total = 0;

  void count(const PeCommand& command) {
    ++total;
    const auto* const composite = std::get_if<CompositeCmd>(&command);
    if (composite == nullptr) {
      ++by_op[std::string(op_name(command))];
      return;
    }
    for (const OpSpec& op : composite->ops)
      ++by_op[std::string(name_of(op.kind)) + (op.scope == Scope::kernel ? "" : " on a tile")];
  }
};

/// Issues what is accepted of `tries` random commands.
void run(bool streaming, std::uint32_t seed, int tries) {
  const PlatformConfig config = small_tcm(streaming);
  DataBench bench(config);
  AccessChecker checker;
  bench.platform().attach(checker);
  Accepted accepted;
  bench.launch_program([&](CommandSink& sink) {
    PlausibleCommands random(seed, kArena);
    const CommandLimits limits = limits_of(config.pes.front());
    for (int round = 0; round < tries; ++round) {
      PeCommand command = random.command();
      if (!is_addressable(command) || find_limit_error(command, limits)) continue;
      accepted.count(command);
      IssueRequest request;
      request.slice.completion = accepted.total;
      framing_of(command).completion = accepted.total;
      if (const auto* const composite = std::get_if<CompositeCmd>(&command))
        request.slice.last_op = static_cast<std::uint32_t>(composite->ops.size());
      request.slice.logical_bytes = logical_bytes(command);
      checker.expect(accepted.total, command);
      request.slice.command = std::make_shared<const PeCommand>(std::move(command));
      sink.issue(request);
    }
  });
  BOOST_TEST_CONTEXT("seed " << seed) {
    simulate();
    bench.platform().finish();
    BOOST_TEST(checker.outstanding() == 0U);
    for (const OpcodeSchema* schema = begin_of_schemas(); schema != end_of_schemas(); ++schema) {
      const std::string name(schema->name);
      BOOST_TEST(accepted.by_op[name] > 20U, name);
      if (schema->engine == EngineClass::math && !schema->reduces && schema->operands.size() > 0)
        BOOST_TEST(accepted.by_op[name + " on a tile"] > 20U, name);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(accepted_commands)

BOOST_AUTO_TEST_CASE(run_to_their_end_and_touch_what_they_name) {
  run(false, seed_or(20261204), 100000);
}

BOOST_AUTO_TEST_CASE(run_to_their_end_with_streamed_heads_too) {
  run(true, seed_or(20261205), 100000);
}

BOOST_AUTO_TEST_SUITE_END()
