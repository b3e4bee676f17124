// SPDX-License-Identifier: Apache-2.0
//
// OpLog: the event stream as a CSV file (SPEC 10, 11.21, 12.3, 12.6). The same events give the same bytes on
// every machine, whatever order the PEs reported them in.
//
//     # petal op_log 1
//     # version: <program version>
//     # config: <the effective configuration, JSON on one line>
//     seq,pe,event,...
//
// Columns; one that does not apply to an event is empty:
//
//   seq            the row's number after sorting, from 0
//   pe             the PE's index
//   event          dispatch | queue_wait | hazard_wait | stage | complete
//   cmd            the slice's completion id
//   op             the opcode; in a hazard_wait row what held the slice first: hazard | window | segment
//   kind           of the command (CompositeCmd, ...), of a stage row the stage's (FETCH, ...)
//   engine         the port that executes a stage
//   tile_m..tile_k a stage's tile indices, not elements
//   bytes          dispatch: logical_bytes; stage: bytes moved
//   elements       a MATH stage's work
//   start_ps       a complete row is an instant: its start is its end
//   end_ps
//   busy_end_ps    of a stage: when its port was free again; before end_ps by a DMA's memory latency
//   op_index       of a stage: its op's index in the composite, 0 for a primitive
//   segment        `2/3` is the second slice of three; empty for a command that was not cut
//   logical_bytes  of a dispatch row; empty for an OverheadCmd, which enters no queue
//   cycles         of a dispatch row: what the CPU paid, the shortest decimal that reads back as the same
//   number reads, writes  of a dispatch row the slice's hazard ranges, of a stage row what it touched:
//                  `space:addr+len` with the address in hexadecimal and the length in decimal, `;` between
//   waits_on       of a hazard_wait row: completion ids, `;` between
//   macs           of a GEMM stage, without padding
//
// Rows stand in the order of start, PE, event (as listed above), command, and stage within the command.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "petal/command/hazard_ranges.hpp"
#include "petal/observe/name_table.hpp"
#include "petal/observe/observer.hpp"
#include "petal/observe/output_origin.hpp"

namespace petal {

using OpLogOrigin = OutputOrigin;

class OpLog : public Observer {
 public:
  void on_dispatch(const DispatchEvent& event) override;
  void on_queue_wait(const QueueWaitEvent& event) override;
  void on_hazard_wait(const HazardWaitEvent& event) override;
  void on_stage(const StageEvent& event) override;
  void on_complete(const CompleteEvent& event) override;

  std::size_t rows() const { return rows_.size(); }
  /// Writes all rows so far. Throws std::invalid_argument if `origin` holds a line break; the caller checks
  /// the stream.
  void write(std::ostream& out, const OpLogOrigin& origin) const;

 private:
  enum class Kind : std::uint8_t { dispatch, queue_wait, hazard_wait, stage, complete };

  /// `detail` indexes the vector that belongs to `kind`.
  struct Row {
    Picoseconds start;
    Picoseconds end;
    CompletionId command;
    std::size_t detail;
    PeIndex pe;
    std::uint32_t segment;
    std::uint32_t segments;
    NameTable::Id op;
    NameTable::Id command_kind;
    Kind kind;
  };
  struct DispatchDetail {
    Cycles cycles;
    Bytes logical_bytes;
    std::size_t first_range;
    std::uint32_t reads;
    std::uint32_t writes;
    bool queued;
  };
  struct WaitDetail {
    std::size_t first_id;
    std::size_t ids;
  };
  struct StageDetail {
    std::uint64_t stage;
    TileIndex tile;
    std::uint64_t bytes;
    std::uint64_t elements;
    std::uint64_t macs;
    Picoseconds busy_end;
    std::size_t first_range;
    std::uint32_t op_index;
    std::uint8_t reads;
    std::uint8_t writes;
    StageKind kind;
    bool has_tile;
  };

  class Writer;

  Row row_of(Kind kind, PeIndex pe, const CommandSlice& slice, Picoseconds start, Picoseconds end);
  std::uint64_t stage_number(const Row& row) const;
  std::vector<std::size_t> sorted() const;

  NameTable names_;
  std::vector<Row> rows_;
  std::vector<DispatchDetail> dispatches_;
  std::vector<WaitDetail> waits_;
  std::vector<StageDetail> stages_;
  std::vector<ByteRange> ranges_;
  HazardRanges hazards_;  // of the command at hand; kept for its memory
  std::vector<CompletionId> ids_;
};

}  // namespace petal
