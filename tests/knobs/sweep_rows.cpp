// SPDX-License-Identifier: Apache-2.0
//
// Keys of the section `sweep`. They change what `petal sweep` does, and nothing of a run.
#include "knobs/knob_rows.hpp"

namespace petal::test {
namespace {

/// A study with `keys` in its section.
std::string study(const std::string& keys) {
  return std::string(kDecode) + "sweep: {set: ['fixed_per_cmd_cycles=0,40', byte_cycles_recip=0.25], " +
         keys + "}\n";
}

std::string crossover(const std::string& keys) {
  return study(
      "kernels: [opt3, opt2], plots: [{name: p, title: t, style: crossover, between: [opt3, opt2], "
      "y: [fixed_per_cmd_cycles], " +
      keys + "}]");
}

std::string lines(const std::string& keys) {
  return study("plots: [{name: p, title: t" + keys + "}]");
}

KnobRow sweep_row(const std::string& path, const std::string& text, const std::string& other_text,
                  const Quantities& changes, const Quantities& follows = {}) {
  return row_of_texts("sweep." + path, text, other_text, changes, follows);
}

KnobRow plot(const std::string& key, const std::string& text, const std::string& other_text) {
  return sweep_row("plots[]." + key, text, other_text, {"plots"});
}

}  // namespace

std::vector<KnobRow> sweep_rows() {
  const std::string between = "between: [opt3, opt2]";
  std::string swapped = crossover("x: byte_cycles_recip");
  swapped.replace(swapped.find(between), between.size(), "between: [opt2, opt3]");
  const Quantities grid{"points", "table", "plots"};
  return {
      sweep_row("set", std::string(kDecode) + "sweep: {set: ['tile=8,16']}\n",
                std::string(kDecode) + "sweep: {set: ['tile=8,16', 'kv_len=1,2']}\n", grid),
      sweep_row("kernels", study("kernels: [opt2]"), study("kernels: [opt1, opt2]"), {"points"}, {"plots"}),
      sweep_row("columns", study("columns: [head_dim]"), study("columns: [tile]"), {"table"}),
      sweep_row("cases[].name", study("cases: [{name: a}]"), study("cases: [{name: b}]"), {"points"}),
      sweep_row("cases[].set", study("cases: [{name: a}]"), study("cases: [{name: a, set: [tile=8]}]"),
                {"points"}),
      plot("name", lines(""), study("plots: [{name: q, title: t}]")),
      plot("title", lines(""), study("plots: [{name: p, title: u}]")),
      plot("style", lines(""), lines(", style: bars")),
      plot("x", lines(", x: fixed_per_cmd_cycles"), lines(", x: byte_cycles_recip")),
      plot("y", lines(""), lines(", y: [dma_read_bytes]")),
      plot("series", lines(""), lines(", series: [byte_cycles_recip]")),
      plot("log", lines(""), lines(", log: [x]")),
      plot("between", crossover("x: byte_cycles_recip"), swapped),
      plot("metric", crossover("x: byte_cycles_recip"), crossover("x: byte_cycles_recip, metric: time_ps")),
      plot("at", crossover("x: byte_cycles_recip"), crossover("x: byte_cycles_recip, at: [1, 2]")),
      plot("slopes", lines(""), lines(", slopes: [2]")),
  };
}

}  // namespace petal::test
