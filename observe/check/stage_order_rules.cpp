// SPDX-License-Identifier: Apache-2.0
//
// The order of stages within a command. A command is a sequence of parts that do not overlap: each op of the
// prologue, the tile loop with the ops that ride on it, each op after it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "petal/check/rules.hpp"

namespace petal::check {
namespace {

constexpr const char* kRule = "stage-order";

using Stages = std::vector<const LogRow*>;

bool is_kind(const LogRow& row, LogStage kind) {
  return row.stage == kind;
}

Time last_end(const Stages& stages) {
  Time latest = 0;
  for (const LogRow* const stage : stages) latest = std::max(latest, stage->end);
  return latest;
}

/// Reports `later` if it starts before `earlier` has ended.
void must_follow(const LogRow& earlier, const LogRow& later, const char* what, ViolationList& violations) {
  if (later.start >= earlier.end) return;
  violations.add(kRule, {earlier.seq, later.seq}, [&] {
    return fmt::format("command {}: {}: one ends at {} ps, the other starts at {} ps", later.cmd, what,
                       earlier.end, later.start);
  });
}

void all_must_follow(const Stages& earlier, const Stages& later, const char* what,
                     ViolationList& violations) {
  if (later.empty()) return;
  const auto by_start = [](const LogRow* a, const LogRow* b) { return a->start < b->start; };
  const LogRow& first = **std::min_element(later.begin(), later.end(), by_start);
  for (const LogRow* const stage : earlier) must_follow(*stage, first, what, violations);
}

/// The operands of one step or op: as many of the last FETCHes as there are DMA_READs each wait for one of
/// them.
void check_reads_before_fetches(const Stages& reads, const Stages& fetches, ViolationList& violations) {
  if (fetches.empty()) return;
  const std::size_t pinned = fetches.size() > reads.size() ? fetches.size() - reads.size() : 0;
  for (std::size_t index = 0; index < reads.size(); ++index)
    must_follow(*reads[index], *fetches[std::min(pinned + index, fetches.size() - 1)],
                "a FETCH needs the data of its DMA_READ", violations);
}

/// The stages of one part by kind, in start order.
struct ByKind {
  Stages reads, fetches, gemms, maths, stores, writes;

  void add(const LogRow& row) {
    Stages* const lists[] = {&reads, &fetches, &gemms, &maths, &stores, &writes};
    lists[static_cast<std::size_t>(row.stage)]->push_back(&row);
  }
};

/// DMA_READ, FETCH, MATH, STORE, DMA_WRITE of one op, or of one chunk of it.
void check_op(const ByKind& op, ViolationList& violations) {
  check_reads_before_fetches(op.reads, op.fetches, violations);
  all_must_follow(op.fetches, op.maths, "MATH needs its FETCH", violations);
  all_must_follow(op.maths, op.stores, "STORE needs the MATH before it", violations);
  all_must_follow(op.stores, op.writes, "DMA_WRITE needs the STORE before it", violations);
}

/// The steps and the out tiles of a GEMM.
class TileLoopCheck {
 public:
  TileLoopCheck(std::uint32_t gemm, ViolationList& violations) : gemm_(gemm), violations_(violations) {}

  void add(const LogRow& row) {
    OutTile& out = outs_[{row.tile.m, row.tile.n}];
    const bool is_operand = is_kind(row, LogStage::dma_read) || is_kind(row, LogStage::fetch);
    if (row.op_index == gemm_ && (is_operand || is_kind(row, LogStage::gemm)))
      steps_[{row.tile.m, row.tile.n, row.tile.k}].add(row);
    else if (is_kind(row, LogStage::fetch) || is_kind(row, LogStage::math))
      out.ops[row.op_index].add(row);
    else
      out.result.add(row);
    if (is_kind(row, LogStage::gemm)) out.result.add(row);
  }

  void check() {
    check_steps();
    for (auto& [tile, out] : outs_) check_out(out);
  }

 private:
  struct OutTile {
    ByKind result;                        ///< its GEMMs, STORE and DMA_WRITE
    std::map<std::uint32_t, ByKind> ops;  ///< the tile-scoped ops
  };

  void check_steps() {
    const LogRow* before = nullptr;  // GEMM of the step before
    const LogRow* before_that = nullptr;
    for (const auto& [tile, step] : steps_) {
      check_reads_before_fetches(step.reads, step.fetches, violations_);
      all_must_follow(step.fetches, step.gemms, "GEMM needs its FETCHes", violations_);
      if (step.gemms.size() != 1) {
        const LogRow& any = step.gemms.empty() ? *(step.fetches.empty() ? step.reads : step.fetches).front()
                                               : *step.gemms.front();
        violations_.add(kRule, {any.seq}, [&, count = step.gemms.size()] {
          return fmt::format("command {}: tile {}/{}/{} has {} GEMM stages, must have one", any.cmd,
                             any.tile.m, any.tile.n, any.tile.k, count);
        });
        continue;
      }
      if (before != nullptr)
        must_follow(*before, *step.gemms[0], "GEMMs go in tile order, m, n, k", violations_);
      if (before_that != nullptr)
        all_must_follow({before_that}, step.fetches, "FETCHes are at most one step ahead of the GEMM",
                        violations_);
      before_that = before;
      before = step.gemms[0];
    }
  }

  void check_out(const OutTile& out) {
    const Stages& gemms = out.result.gemms;
    const Stages* ops_before = nullptr;
    for (const auto& [index, op] : out.ops) {
      const bool each_k = gemms.size() > 1 && op.maths.size() == gemms.size();
      for (std::size_t step = 0; step < op.maths.size(); ++step) {
        const LogRow& math = *op.maths[step];
        if (op.fetches.size() == op.maths.size())
          must_follow(*op.fetches[step], math, "MATH needs its FETCH", violations_);
        if (each_k) {
          must_follow(*gemms[step], math, "a K_TILE op follows its K step's GEMM", violations_);
          if (step + 1 < gemms.size())
            must_follow(math, *gemms[step + 1], "the next K step's GEMM follows the K_TILE ops", violations_);
        } else {
          all_must_follow(gemms, {&math}, "an OUTPUT_TILE op follows the last K step's GEMM", violations_);
        }
        if (ops_before != nullptr && ops_before->size() == op.maths.size())
          must_follow(*(*ops_before)[step], math, "the ops of a tile go in order", violations_);
      }
      ops_before = &op.maths;
      all_must_follow(op.maths, out.result.stores, "STORE follows the ops of its tile", violations_);
    }
    all_must_follow(gemms, out.result.stores, "STORE follows the last K step's GEMM", violations_);
    all_must_follow(out.result.stores, out.result.writes, "DMA_WRITE needs the STORE before it", violations_);
    if (out.result.stores.size() > 1)
      violations_.add(kRule, {out.result.stores[0]->seq, out.result.stores[1]->seq}, [&] {
        return fmt::format("command {}: an out tile is stored more than once", out.result.stores[0]->cmd);
      });
  }

  std::uint32_t gemm_;
  ViolationList& violations_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, ByKind> steps_;  ///< in tile order
  std::map<std::pair<std::uint64_t, std::uint64_t>, OutTile> outs_;
};

class CommandCheck {
 public:
  CommandCheck(const CommandTimeline& command, ViolationList& violations)
      : command_(command), violations_(violations) {}

  void check() {
    for (const LogRow* const stage : command_.stages)
      if (stage->has_tile && stage->op == "gemm") gemm_ = stage->op_index;
    for (const LogRow* const stage : command_.stages) parts_[part_of(*stage)].push_back(stage);
    const Stages* before = nullptr;
    for (const auto& [index, stages] : parts_) {
      if (before != nullptr) check_parts(*before, stages);
      before = &stages;
      if (gemm_ && index == *gemm_)
        check_tile_loop(stages);
      else
        check_chunks(stages);
    }
  }

 private:
  std::uint32_t part_of(const LogRow& stage) const {
    return gemm_ && stage.has_tile && stage.op_index > *gemm_ ? *gemm_ : stage.op_index;
  }

  void check_parts(const Stages& earlier, const Stages& later) {
    const Time end = last_end(earlier);
    for (const LogRow* const stage : later)
      if (stage->start < end)
        return violations_.add(kRule, {earlier.front()->seq, stage->seq}, [&] {
          return fmt::format("command {}: op {} starts at {} ps, before op {} has ended at {} ps",
                             command_.id, stage->op_index, stage->start, earlier.front()->op_index, end);
        });
  }

  void check_tile_loop(const Stages& stages) {
    TileLoopCheck loop(*gemm_, violations_);
    for (const LogRow* const stage : stages) loop.add(*stage);
    loop.check();
  }

  void check_chunks(const Stages& stages) {
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, ByKind> chunks;
    for (const LogRow* const stage : stages)
      chunks[{stage->tile.m, stage->tile.n, stage->tile.k}].add(*stage);
    for (const auto& [tile, chunk] : chunks) check_op(chunk, violations_);
  }

  const CommandTimeline& command_;
  ViolationList& violations_;
  std::optional<std::uint32_t> gemm_;
  std::map<std::uint32_t, Stages> parts_;
};

}  // namespace

void check_stage_order(const PeTimeline& pe, ViolationList& violations) {
  for (const CommandTimeline& command : pe.commands)
    if (!command.failed()) CommandCheck(command, violations).check();
}

}  // namespace petal::check
