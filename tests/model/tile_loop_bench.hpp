// SPDX-License-Identifier: Apache-2.0
//
// A TileLoop with a StageBench in place of the engines.
#pragma once

#include <vector>

#include "command/sample_commands.hpp"
#include "model/stage_bench.hpp"
#include "petal/pe_scheduler/tile_loop.hpp"

namespace petal::test {

/// out[m, n] = a[m, k] * b[k, n], the sizes taken from the operands.
inline OpSpec gemm_op(const TensorHandle& a, const TensorHandle& b, const TensorHandle& out) {
  const auto size = [](std::uint64_t value) { return static_cast<std::int32_t>(value); };
  return op(Opcode::gemm, {a, b}, out, {size(a.shape[0]), size(a.shape[1]), size(b.shape[1])});
}

inline PeSchedulerConfig tiles_of(const GemmTile& tile, std::uint32_t tile_buffers = 4) {
  PeSchedulerConfig config;
  config.gemm_tile = tile;
  config.tile_buffers = tile_buffers;
  return config;
}

class TileLoopBench {
 public:
  /// `ops`: the GEMM, then the tile-scoped ops. The GEMM's index in its command is 0.
  TileLoopBench(const PeSchedulerConfig& scheduler, std::vector<OpSpec> command_ops)
      : config(scheduler),
        ops(std::move(command_ops)),
        staging(config, TcmConfig{}),
        loop(config, staging, bench) {
    std::vector<PlacedOp> tile_ops;
    for (std::uint32_t index = 1; index < ops.size(); ++index) tile_ops.push_back({&ops[index], index});
    loop.load({kCommand, kRun}, {&ops[0], 0}, tile_ops, kFirstNumber);
  }
  TileLoopBench(const TileLoopBench&) = delete;
  TileLoopBench& operator=(const TileLoopBench&) = delete;

  void begin() { loop.begin({}); }
  void end(const std::string& text) { bench.end(loop, text); }
  void end(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) end(text);
  }
  void run() {
    begin();
    bench.end_all(loop);
  }
  std::string waiting() const { return bench.waiting(); }

  static constexpr CompletionId kCommand = 7;
  static constexpr std::uint32_t kRun = 1;
  static constexpr std::uint64_t kFirstNumber = 100;

  const PeSchedulerConfig config;
  const std::vector<OpSpec> ops;
  const StagingLayout staging;
  StageBench bench;
  TileLoop loop;
};

}  // namespace petal::test
