// SPDX-License-Identifier: Apache-2.0
#include "petal/check/log_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>

#include "petal/check/field_text.hpp"

namespace petal::check {
namespace {

constexpr const char* kRule = "format";
constexpr std::string_view kFirstLine = "# petal op_log 1";
constexpr std::string_view kVersion = "# version: ";
constexpr std::string_view kConfig = "# config: ";
constexpr std::string_view kColumns =
    "seq,pe,event,cmd,op,kind,engine,tile_m,tile_n,tile_k,bytes,elements,start_ps,end_ps,busy_end_ps,op_"
    "index,"
    "segment,logical_bytes,cycles,reads,writes,waits_on,macs";

enum Column : std::size_t {
  kSeq,
  kPe,
  kEvent,
  kCmd,
  kOp,
  kKind,
  kEngine,
  kTileM,
  kTileN,
  kTileK,
  kBytes,
  kElements,
  kStart,
  kEnd,
  kBusyEnd,
  kOpIndex,
  kSegment,
  kLogicalBytes,
  kCycles,
  kReads,
  kWrites,
  kWaitsOn,
  kMacs,
  kColumnCount
};

constexpr std::string_view kEvents[] = {"dispatch", "queue_wait", "hazard_wait", "stage", "complete"};
constexpr std::string_view kStageKinds[] = {"DMA_READ", "FETCH", "GEMM", "MATH", "STORE", "DMA_WRITE"};
constexpr std::string_view kPorts[] = {"dma_read", "fetch", "gemm", "math", "store", "dma_write"};
constexpr std::string_view kCommandKinds[] = {"DmaReadCmd", "DmaWriteCmd",  "GemmCmd",
                                              "MathCmd",    "CompositeCmd", "OverheadCmd"};
constexpr std::string_view kWaitReasons[] = {"hazard", "window", "segment"};

template <std::size_t N>
std::optional<std::size_t> index_of(const std::string_view (&names)[N], std::string_view name) {
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) return std::nullopt;
  return static_cast<std::size_t>(found - std::begin(names));
}

/// Turns the fields of one line into a row; remembers the first thing that is wrong.
class RowParser {
 public:
  explicit RowParser(const std::vector<std::string_view>& fields) : fields_(fields) {}

  LogRow parse() {
    whole(kSeq, row_.seq);
    whole(kPe, row_.pe);
    whole(kCmd, row_.cmd);
    const auto event = index_of(kEvents, fields_[kEvent]);
    if (!event) return fail(kEvent, "an event"), row_;
    row_.event = static_cast<LogEvent>(*event);
    if (is_name(fields_[kOp]))
      row_.op = std::string(fields_[kOp]);
    else
      fail(kOp, "a name");
    take(kStart, row_.start, time_of(fields_[kStart]), "a time in ps");
    take(kEnd, row_.end, time_of(fields_[kEnd]), "a time in ps");
    if (row_.end < row_.start) fail(kEnd, "at or after start_ps");
    segment();
    take(kReads, row_.reads, ranges_of(fields_[kReads]), "ranges space:0xaddr+len");
    take(kWrites, row_.writes, ranges_of(fields_[kWrites]), "ranges space:0xaddr+len");
    take(kWaitsOn, row_.waits_on, ids_of(fields_[kWaitsOn]), "completion ids");
    if (row_.event == LogEvent::stage)
      stage();
    else
      command();
    return row_;
  }

  const std::string& problem() const { return problem_; }

 private:
  void fail(Column column, const char* allowed) {
    if (!problem_.empty()) return;
    problem_ = fmt::format("{} is '{:.60}', not {}", split(kColumns, ',')[column], fields_[column], allowed);
  }

  template <typename T>
  void take(Column column, T& into, std::optional<T> value, const char* allowed) {
    if (value)
      into = std::move(*value);
    else
      fail(column, allowed);
  }

  void whole(Column column, std::uint64_t& into) {
    take(column, into, whole_number(fields_[column]), "a whole number");
  }

  void segment() {
    const std::string_view field = fields_[kSegment];
    if (field.empty()) return;
    const std::size_t slash = field.find('/');
    if (slash == std::string_view::npos) return fail(kSegment, "i/n");
    const auto index = whole_number(field.substr(0, slash));
    const auto count = whole_number(field.substr(slash + 1));
    if (!index || !count || *index < 1 || *index > *count || *count < 2 || *count > UINT32_MAX)
      return fail(kSegment, "i/n with 1 <= i <= n and n > 1");
    row_.segment = static_cast<std::uint32_t>(*index);
    row_.segments = static_cast<std::uint32_t>(*count);
  }

  void stage() {
    const auto kind = index_of(kStageKinds, fields_[kKind]);
    if (!kind) return fail(kKind, "a stage's kind");
    row_.stage = static_cast<LogStage>(*kind);
    if (fields_[kEngine] != kPorts[*kind]) fail(kEngine, "the port that executes this kind of stage");
    whole(kBytes, row_.bytes);
    whole(kElements, row_.elements);
    whole(kMacs, row_.macs);
    std::uint64_t op_index = 0;
    whole(kOpIndex, op_index);
    row_.op_index = static_cast<std::uint32_t>(std::min<std::uint64_t>(op_index, UINT32_MAX));
    take(kBusyEnd, row_.busy_end, time_of(fields_[kBusyEnd]), "a time in ps");
    if (row_.busy_end < row_.start || row_.busy_end > row_.end) fail(kBusyEnd, "between start_ps and end_ps");
    if (fields_[kTileM].empty() && fields_[kTileN].empty() && fields_[kTileK].empty()) return;
    row_.has_tile = true;
    whole(kTileM, row_.tile.m);
    whole(kTileN, row_.tile.n);
    whole(kTileK, row_.tile.k);
  }

  void command() {
    const auto kind = index_of(kCommandKinds, fields_[kKind]);
    if (!kind) return fail(kKind, "a command's kind");
    row_.is_composite = kCommandKinds[*kind] == "CompositeCmd";
    row_.is_overhead = kCommandKinds[*kind] == "OverheadCmd";
    if (!fields_[kEngine].empty()) fail(kEngine, "empty, as only stages have an engine");
    if (row_.event == LogEvent::dispatch) return dispatch();
    if (row_.is_overhead) return fail(kKind, "a command that enters the queue");
    if (row_.event == LogEvent::hazard_wait && !index_of(kWaitReasons, row_.op))
      fail(kOp, "hazard, window or segment");
    if (row_.event == LogEvent::complete && row_.start != row_.end)
      fail(kEnd, "start_ps: completion is an instant");
  }

  void dispatch() {
    take(kCycles, row_.cycles, real_number(fields_[kCycles]), "a number of cycles");
    if (row_.is_overhead) {
      if (!fields_[kLogicalBytes].empty()) fail(kLogicalBytes, "empty, as an OverheadCmd enters no queue");
      return;
    }
    whole(kLogicalBytes, row_.logical_bytes);
    if (fields_[kBytes] != fields_[kLogicalBytes]) fail(kBytes, "the row's logical_bytes");
  }

  const std::vector<std::string_view>& fields_;
  LogRow row_;
  std::string problem_;
};

class LogReader {
 public:
  LogReader(std::istream& log, ViolationList& violations) : log_(log), violations_(violations) {}

  LogFile read() {
    head();
    while (next_line()) row();
    return std::move(file_);
  }

 private:
  bool next_line() {
    ++line_number_;
    return static_cast<bool>(std::getline(log_, line_));
  }

  void bad(const std::string& text) {
    violations_.add(kRule, {}, [&] { return fmt::format("line {}: {}", line_number_, text); });
  }

  /// The `#` lines and the column names. Without the latter, the first other line is taken for them.
  void head() {
    bool is_first = true;
    bool has_version = false;
    while (next_line() && line_.rfind('#', 0) == 0) {
      if (is_first && line_ != kFirstLine) bad(fmt::format("the first line must be '{}'", kFirstLine));
      is_first = false;
      if (line_.rfind(kVersion, 0) == 0) has_version = true;
      if (line_.rfind(kConfig, 0) == 0) file_.config = line_.substr(kConfig.size());
    }
    if (is_first) bad(fmt::format("the first line must be '{}'", kFirstLine));
    if (!has_version) bad("there is no '# version:' line before the column names");
    if (line_ != kColumns) bad(fmt::format("the column names must be '{}'", kColumns));
  }

  void row() {
    const std::vector<std::string_view> fields = split(line_, ',');
    if (fields.size() != kColumnCount)
      return bad(fmt::format("{} columns, must be {}", fields.size(), std::size_t{kColumnCount}));
    RowParser parser(fields);
    LogRow row = parser.parse();
    if (!parser.problem().empty()) return bad(parser.problem());
    if (row.seq != next_seq_) bad(fmt::format("seq is {}, must be {}", row.seq, next_seq_));
    next_seq_ = row.seq + 1;
    if (!file_.rows.empty() && key_of(row) < key_of(file_.rows.back()))
      violations_.add(kRule, {file_.rows.back().seq, row.seq},
                      [] { return "rows must be sorted by start, pe, event and command"; });
    file_.rows.push_back(std::move(row));
  }

  static std::tuple<Time, std::uint64_t, LogEvent, std::uint64_t> key_of(const LogRow& row) {
    return {row.start, row.pe, row.event, row.cmd};
  }

  std::istream& log_;
  ViolationList& violations_;
  LogFile file_;
  std::string line_;
  std::uint64_t line_number_ = 0;
  std::uint64_t next_seq_ = 0;
};

}  // namespace

LogFile read_log(std::istream& log, ViolationList& violations) {
  return LogReader(log, violations).read();
}

}  // namespace petal::check
