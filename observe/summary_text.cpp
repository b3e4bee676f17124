// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/summary_text.hpp"

#include <fmt/format.h>

#include "petal/observe/quantity_text.hpp"

namespace petal {
namespace {

constexpr const char* kCpuLabels[] = {"dispatching", "stalled on queue", "waiting on data", "kernel cycles",
                                      "idle"};
constexpr const char* kPortLabels[] = {"DMA read", "DMA write", "FETCH", "STORE", "GEMM", "MATH"};

class Page {
 public:
  explicit Page(const Summary& summary) : summary_(summary) {}

  void head() {
    line("kernel", summary_.kernel);
    line("time", fmt::format("{}  ({} ps)", time_text(summary_.time),
                             grouped(static_cast<std::uint64_t>(summary_.time.count()))));
    line("PEs", grouped(std::uint64_t{summary_.pes.size()}));
    if (summary_.tiles > 0) line("KV tiles", grouped(summary_.tiles));
    line("verdict", summary_.verdict.sentence);
  }

  void dispatch() {
    const DispatchTotals& dispatch = summary_.total.dispatch;
    line("dispatch",
         fmt::format("{} commands, {} bytes, {} cycles", grouped(dispatch.commands),
                     grouped(dispatch.logical_bytes.count()), grouped(dispatch.cycles.count(), 3)));
    if (const auto tile = summary_.per_tile())
      line("  a tile",
           fmt::format("{} commands, {} bytes, {} cycles{}", real(tile->commands), real(tile->logical_bytes),
                       real(tile->cycles), summary_.steady_state ? " (steady state)" : " (mean)"));
    if (const auto mean = summary_.mean_per_tile(); mean && summary_.steady_state)
      line("  total / tiles", fmt::format("{} commands, {} bytes, {} cycles", real(mean->commands),
                                          real(mean->logical_bytes), real(mean->cycles)));
  }

  void cpu() {
    section("PE_CPU" + over_pes());
    for (std::size_t index = 0; index < kCpuStates; ++index)
      share(kCpuLabels[index], summary_.total.cpu[index]);
  }

  void engines() {
    section("engines, busy" + over_pes());
    for (std::size_t index = 0; index < kEnginePorts; ++index) {
      const EngineTotals& engine = summary_.total.engines[index];
      share(kPortLabels[index], engine.busy, grouped(engine.stages) + " stages");
    }
    line("  moved",
         fmt::format("{} bytes read, {} bytes written by DMA", grouped(summary_.total.dma_read.count()),
                     grouped(summary_.total.dma_write.count())));
    line("  work", grouped(summary_.total.macs) + " MACs");
  }

  void queue() {
    section("command queue's head" + over_pes());
    for (std::size_t index = 0; index < summary_.total.head_wait.size(); ++index)
      share(fmt::format("waiting: {}", name_of(static_cast<HeadWait>(index))),
            summary_.total.head_wait[index]);
    if (summary_.total.staging_bytes > 0)
      line("  staging", grouped(summary_.total.staging_bytes) + " bytes of TCM");
  }

  void critical_path() {
    if (!summary_.critical_pe) return;
    section(fmt::format("critical path of {}", summary_.pes[*summary_.critical_pe].name));
    const double total = static_cast<double>(summary_.critical_path.total().count());
    for (std::size_t index = 0; index < kPathCauses; ++index) {
      const auto cause = static_cast<PathCause>(index);
      const Picoseconds spent = summary_.critical_path.spent(cause);
      if (spent.count() != 0)
        row(name_of(cause), time_text(spent), percent(static_cast<double>(spent.count()) / total), "");
    }
  }

  void attribution() {
    const double total = static_cast<double>(summary_.attribution.total().count());
    if (total == 0) return;
    section(fmt::format("where {}'s time went", summary_.pes[*summary_.critical_pe].name));
    for (std::size_t index = 0; index < kTimeCauses; ++index) {
      const auto cause = static_cast<TimeCause>(index);
      const Picoseconds spent = summary_.attribution.spent(cause);
      if (spent.count() != 0)
        row(label_of(cause), time_text(spent), percent(static_cast<double>(spent.count()) / total), "");
    }
  }

  void what_if() {
    if (summary_.what_if.empty() || summary_.time.count() == 0) return;
    section("what if");
    for (const WhatIf& what_if : summary_.what_if)
      line("  " + std::string(label_of(what_if.free)),
           what_if.at_least.count() == 0
               ? std::string("nothing else takes time")
               : fmt::format("at least {}, at most {:.2f} x as fast", time_text(what_if.at_least),
                             static_cast<double>(summary_.time.count()) /
                                 static_cast<double>(what_if.at_least.count())));
  }

  void pes() {
    constexpr std::size_t kMostPes = 16;
    if (summary_.pes.size() < 2) return;
    section("PE finished at");
    for (std::size_t index = 0; index < summary_.pes.size() && index < kMostPes; ++index) {
      const PeSummary& pe = summary_.pes[index];
      row(pe.name, pe.finished ? time_text(*pe.finished) : "never", "",
          grouped(pe.totals.dispatch.commands) + " commands");
    }
    if (summary_.pes.size() > kMostPes)
      line("  ...", fmt::format("{} more in the JSON summary", summary_.pes.size() - kMostPes));
  }

  void data() {
    if (summary_.data.empty()) return;
    section("results against a double-precision reference");
    for (const TensorError& error : summary_.data)
      line("  " + error.tensor,
           fmt::format("max error {:.3g}, relative {:.3g} (tolerance {:.3g}) over {} elements{}",
                       error.max_absolute, error.max_relative, error.tolerance, grouped(error.elements),
                       error.within_tolerance() ? "" : ": FAILED"));
  }

  std::string finish() {
    text_ += fmt::format("\n{}\n", kProvisionalNote);
    if (!summary_.version.empty()) text_ += fmt::format("petal {}\n", summary_.version);
    return std::move(text_);
  }

 private:
  /// Up to four decimals, without trailing zeros.
  static std::string real(double value) {
    std::string text = grouped(value, 4);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }

  std::string over_pes() const {
    return summary_.pes.size() > 1 ? fmt::format(" (sum over {} PEs)", summary_.pes.size()) : std::string();
  }
  void section(const std::string& title) { text_ += fmt::format("\n{}\n", title); }
  void line(const std::string& label, const std::string& value) {
    text_ += fmt::format("{:<18} {}\n", label, value);
  }
  void row(const std::string& label, const std::string& time, const std::string& part,
           const std::string& more) {
    std::string row = fmt::format("  {:<18} {:>14} {:>8}  {:>16}", label, time, part, more);
    row.erase(row.find_last_not_of(' ') + 1);
    text_ += row + "\n";
  }
  void share(const std::string& label, Picoseconds time, const std::string& more = "") {
    row(label, time_text(time), percent(summary_.utilisation(time)), more);
  }

  const Summary& summary_;
  std::string text_;
};

}  // namespace

std::string summary_text(const Summary& summary) {
  Page page(summary);
  page.head();
  page.dispatch();
  page.cpu();
  page.engines();
  page.queue();
  page.critical_path();
  page.attribution();
  page.what_if();
  page.pes();
  page.data();
  return page.finish();
}

}  // namespace petal
