// SPDX-License-Identifier: Apache-2.0
#include "petal/check/check_report.hpp"

#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "petal/check/command_timeline.hpp"
#include "petal/check/log_config.hpp"
#include "petal/check/log_file.hpp"
#include "petal/check/rules.hpp"
#include "petal/check/violation_list.hpp"

namespace petal {
namespace {

using check::PeRules;
using check::PeTimeline;
using check::ViolationList;

/// The rules that need nothing but the rows.
void check_rows(const PeTimeline& pe, ViolationList& violations) {
  check::check_cpu_serial(pe, violations);
  check::check_order(pe, violations);
  check::check_completion(pe, violations);
  check::check_segment_chain(pe, violations);
  check::check_stage_order(pe, violations);
}

/// The rules that need the PE's parameters.
void check_against_config(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  check::check_dispatch(pe, rules, violations);
  check::check_queue_capacity(pe, rules, violations);
  check::check_window(pe, rules, violations);
  check::check_engine_exclusive(pe, rules, violations);
  check::check_dma_outstanding(pe, rules, violations);
  check::check_hazards(pe, rules, violations);
  check::check_ranges(pe, rules, violations);
  check::check_staging(pe, rules, violations);
  check::check_durations(pe, rules, violations);
}

}  // namespace

CheckReport check_op_log(std::istream& log) {
  CheckReport report;
  ViolationList violations(report);
  const check::LogFile file = check::read_log(log, violations);
  const check::LogConfig config(file.config, violations);
  std::vector<PeTimeline> pes = check::timelines_of(file, violations);
  report.rows = file.rows.size();
  report.pes = pes.size();
  for (PeTimeline& pe : pes) {
    report.commands += pe.commands.size();
    const std::optional<PeRules> rules = config.rules_of(pe.pe, violations);
    check::derive_times(pe, rules ? &*rules : nullptr);
    check_rows(pe, violations);
    if (rules) check_against_config(pe, *rules, violations);
  }
  return report;
}

std::string report_text(const CheckReport& report) {
  std::string text;
  for (const CheckViolation& violation : report.listed) {
    text += violation.rule;
    if (!violation.rows.empty())
      text +=
          fmt::format(" (row{} {})", violation.rows.size() > 1 ? "s" : "", fmt::join(violation.rows, ", "));
    text += fmt::format(": {}\n", violation.text);
  }
  if (report.violations > report.listed.size())
    text += fmt::format("... and {} more\n", report.violations - report.listed.size());
  const std::string read =
      fmt::format("{} rows, {} commands, {} PEs", report.rows, report.commands, report.pes);
  if (report.ok()) return text + fmt::format("{}: no violations\n", read);
  text += fmt::format("{}: {} violation{} (", read, report.violations, report.violations == 1 ? "" : "s");
  const char* separator = "";
  for (const auto& [rule, count] : report.by_rule) {
    text += fmt::format("{}{}: {}", separator, rule, count);
    separator = ", ";
  }
  return text + ")\n";
}

}  // namespace petal
