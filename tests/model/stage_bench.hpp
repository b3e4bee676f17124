// SPDX-License-Identifier: Apache-2.0
//
// StageBench: stands in for the engines. It keeps the stages that a command in flight has made ready, and a
// test ends them by hand, in any order it likes.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "petal/pe_scheduler/stage_outlet.hpp"

namespace petal::test {

/// "DMA_READ b 0/1/2", "GEMM 0/1/2", "MATH add 0/1/0", "FETCH rmax": the stage, the op unless it is the GEMM,
/// the operand where a stage has one, and the tile m/n/k (for a streamed MATH op: chunk/0/0).
inline std::string text_of(const Stage& stage) {
  std::string text = name_of(stage.kind);
  const bool is_dma = stage.kind == StageKind::dma_read || stage.kind == StageKind::dma_write;
  if (is_dma && !stage.has_tile) return text;
  const bool is_gemm = stage.opcode == Opcode::gemm;
  const bool has_operand = stage.kind == StageKind::dma_read || (stage.kind == StageKind::fetch && is_gemm);
  if (!is_gemm) text += " " + std::string(name_of(stage.opcode));
  if (has_operand)
    text += (is_gemm ? " " : ".") + std::string(schema_of(stage.opcode).operands[stage.operand]);
  if (!stage.has_tile) return text;
  return text + " " + std::to_string(stage.tile.m) + "/" + std::to_string(stage.tile.n) + "/" +
         std::to_string(stage.tile.k);
}

class StageBench : public StageOutlet {
 public:
  Stage& prepare() override { return prepared_ = Stage{}; }
  void submit(const CriticalPath&) override {
    waiting_.push_back(prepared_);
    history_.push_back(prepared_);
  }

  /// The stages that are ready and have not ended, in the order in which they became so.
  std::string waiting() const { return join(waiting_); }
  const std::vector<Stage>& waiting_stages() const { return waiting_; }
  /// All stages so far, in the order in which they became ready.
  std::string all() const { return join(history_); }
  const std::vector<Stage>& history() const { return history_; }
  /// All stages so far of one kind.
  std::vector<Stage> all_of(StageKind kind) const {
    std::vector<Stage> found;
    std::copy_if(history_.begin(), history_.end(), std::back_inserter(found),
                 [kind](const Stage& stage) { return stage.kind == kind; });
    return found;
  }
  /// The first stage with that text.
  const Stage& stage(const std::string& text) const {
    const auto found = std::find_if(history_.begin(), history_.end(),
                                    [&](const Stage& stage) { return text_of(stage) == text; });
    BOOST_REQUIRE_MESSAGE(found != history_.end(), "no stage '" << text << "' among: " << all());
    return *found;
  }

  /// Ends the stage with that text, which must be waiting.
  template <typename Run>
  void end(Run& run, const std::string& text) {
    const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                    [&](const Stage& stage) { return text_of(stage) == text; });
    BOOST_REQUIRE_MESSAGE(found != waiting_.end(), "'" << text << "' is not ready; ready are: " << waiting());
    end_at(run, static_cast<std::size_t>(found - waiting_.begin()));
  }
  /// Ends waiting stage number `index`.
  template <typename Run>
  void end_at(Run& run, std::size_t index) {
    const Stage stage = waiting_[index];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
    run.stage_ended(stage, CriticalPath{});
  }
  /// Ends stages in the order in which they became ready until none is left.
  template <typename Run>
  void end_all(Run& run) {
    while (!waiting_.empty()) end_at(run, 0);
  }

 private:
  static std::string join(const std::vector<Stage>& stages) {
    std::string text;
    for (const Stage& stage : stages) text += (text.empty() ? "" : ", ") + text_of(stage);
    return text;
  }

  Stage prepared_;
  std::vector<Stage> waiting_;
  std::vector<Stage> history_;
};

inline std::uint64_t bytes_of(const std::vector<Stage>& stages) {
  std::uint64_t sum = 0;
  for (const Stage& stage : stages) sum += stage.bytes;
  return sum;
}

}  // namespace petal::test
