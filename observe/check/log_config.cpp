// SPDX-License-Identifier: Apache-2.0
#include "petal/check/log_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace petal::check {
namespace {

using Json = nlohmann::json;

constexpr const char* kRule = "config";

/// The nearest picosecond, or a time later than any in a log.
Time rounded(double time) {
  return time < 4e18 ? std::llround(time) : std::numeric_limits<Time>::max() / 2;
}

/// Reads typed values by key path and remembers the paths of those that are missing or of another type.
class Values {
 public:
  explicit Values(const Json& root) : root_(root) {}

  /// A finite number from 0 on.
  void real(const char* path, double& into) {
    const Json* const value = find(path);
    if (value != nullptr && value->is_number() && std::isfinite(value->get<double>()) &&
        value->get<double>() >= 0)
      into = value->get<double>();
    else
      bad_.emplace_back(path);
  }

  /// The same above 0.
  void positive(const char* path, double& into) {
    const std::size_t bad_before = bad_.size();
    real(path, into);
    if (into == 0 && bad_.size() == bad_before) bad_.emplace_back(path);
  }

  /// A number, or `unlimited` for 0.
  void rate(const char* path, double& into) {
    const Json* const value = find(path);
    if (value != nullptr && value->is_string() && *value == "unlimited")
      into = 0;
    else
      real(path, into);
  }

  void count(const char* path, std::uint64_t& into, std::uint64_t least = 0) {
    const Json* const value = find(path);
    if (value != nullptr && value->is_number_unsigned() && value->get<std::uint64_t>() >= least)
      into = value->get<std::uint64_t>();
    else
      bad_.emplace_back(path);
  }

  std::string word(const char* path) {
    const Json* const value = find(path);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
    bad_.emplace_back(path);
    return "";
  }

  /// One of `words`, or the first after a report.
  std::string one_of(const char* path, std::initializer_list<const char*> words) {
    const std::size_t bad_before = bad_.size();
    std::string text = word(path);
    if (std::find(words.begin(), words.end(), text) != words.end()) return text;
    if (bad_.size() == bad_before) bad_.emplace_back(path);
    return *words.begin();
  }

  const std::vector<std::string>& bad() const { return bad_; }

 private:
  const Json* find(std::string_view path) const {
    const Json* at = &root_;
    while (!path.empty()) {
      const std::size_t dot = path.find('.');
      const std::string key(path.substr(0, dot));
      if (!at->is_object() || !at->contains(key)) return nullptr;
      at = &at->at(key);
      path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
    }
    return at;
  }

  const Json& root_;
  std::vector<std::string> bad_;
};

void read_command_side(Values& pe, PeRules& rules) {
  pe.positive("attrs.clock_freq_ghz", rules.clock_ghz);
  pe.real("attrs.pe_cost_model.fixed_per_cmd_cycles", rules.fixed_cycles);
  pe.real("attrs.pe_cost_model.byte_cycles_recip", rules.cycles_per_byte);
  pe.count("attrs.pe_cost_model.max_composite_logical_bytes", rules.cap);
  pe.count("attrs.pe_cpu.queue_bytes", rules.queue_bytes);
  pe.count("attrs.pe_scheduler.max_in_flight", rules.max_in_flight);
  pe.count("attrs.pe_scheduler.tile_buffers", rules.tile_buffers);
  pe.real("attrs.pe_scheduler.plan_cycles_per_op", rules.plan_cycles_per_op);
  pe.count("attrs.tcm.arena_bytes", rules.arena_bytes);
  rules.shares_compute_slot = pe.word("compute_slot") == "shared";
}

void read_engines(Values& pe, PeRules& rules) {
  pe.real("attrs.pe_dma.setup_cycles", rules.dma_setup_cycles);
  pe.count("attrs.pe_dma.outstanding", rules.dma_outstanding);
  rules.dma_makes_bursts = pe.one_of("attrs.pe_dma.interface", {"closed_form", "bursts"}) == "bursts";
  pe.rate("attrs.pe_fetch_store.read_gb_per_s", rules.fetch_gb_per_s);
  pe.rate("attrs.pe_fetch_store.write_gb_per_s", rules.store_gb_per_s);
  pe.real("attrs.pe_fetch_store.setup_cycles", rules.port_setup_cycles);
  pe.count("attrs.pe_math.lanes", rules.lanes);
  pe.real("attrs.pe_math.startup_cycles", rules.math_startup_cycles);
  pe.real("attrs.pe_math.fast_cycles", rules.fast_cycles);
  pe.real("attrs.pe_math.slow_cycles", rules.slow_cycles);
}

SystolicRules systolic_rules(Values& pe) {
  SystolicRules array;
  pe.count("attrs.pe_gemm.rows", array.rows, 1);
  pe.count("attrs.pe_gemm.cols", array.cols, 1);
  array.dataflow = pe.one_of("attrs.pe_gemm.dataflow", {"os", "ws", "is"});
  array.preload_is_overlapped = pe.one_of("attrs.pe_gemm.preload", {"exposed", "overlapped"}) == "overlapped";
  pe.count("attrs.pe_scheduler.gemm_tile.m", array.tile_m, 1);
  pe.count("attrs.pe_scheduler.gemm_tile.k", array.tile_k, 1);
  pe.count("attrs.pe_scheduler.gemm_tile.n", array.tile_n, 1);
  return array;
}

/// A log has the keys of the model that it was made with, and no others.
void read_gemm(Values& pe, PeRules& rules) {
  if (pe.one_of("attrs.pe_gemm.model", {"throughput", "systolic"}) == "systolic") {
    rules.systolic = systolic_rules(pe);
    return;
  }
  pe.rate("attrs.pe_gemm.macs_per_cycle_f32", rules.macs_per_cycle[0]);
  pe.rate("attrs.pe_gemm.macs_per_cycle_f16", rules.macs_per_cycle[1]);
  pe.rate("attrs.pe_gemm.macs_per_cycle_8bit", rules.macs_per_cycle[2]);
  pe.count("attrs.pe_gemm.m_quantum", rules.m_quantum);
}

void read_memory(Values& hbm, PeRules& rules) {
  std::uint64_t channels = 0;
  double rate = 0;
  double efficiency = 0;
  double latency_ns = 0;
  hbm.count("channels", channels);
  hbm.rate("gb_per_s_per_channel", rate);
  hbm.real("efficiency", efficiency);
  hbm.real("latency_ns", latency_ns);
  rules.hbm_gb_per_s = static_cast<double>(channels) * rate * efficiency;
  rules.hbm_latency = rounded(latency_ns * 1000.0);
}

/// The merged configuration of one PE; null if there is none.
Json pe_of(const Json& platform, std::uint64_t pe) {
  Json merged = platform.value("pe", Json::object());
  const Json pes = platform.value("pes", Json(1));
  if (pes.is_array()) {
    if (pe >= pes.size()) return nullptr;
    merged.merge_patch(pes[pe]);
  } else if (!pes.is_number_unsigned() || pe >= pes.get<std::uint64_t>()) {
    return nullptr;
  }
  return merged;
}

}  // namespace

Time PeRules::time_of_cycles(double cycles) const {
  return rounded(cycles * 1000.0 / clock_ghz);
}

Time PeRules::time_of_bytes(std::uint64_t bytes, double gb_per_s) {
  return gb_per_s == 0 ? 0 : rounded(static_cast<double>(bytes) * 1000.0 / gb_per_s);
}

LogConfig::LogConfig(const std::string& text, ViolationList& violations) {
  // Values nested deeper than any configuration are dropped: copying them would exhaust the stack.
  constexpr int kDeepest = 32;
  const auto keep = [](int depth, Json::parse_event_t, Json&) { return depth <= kDeepest; };
  Json json = Json::parse(text, keep, false);
  if (json.is_object() && json.contains("platform") && json["platform"].is_object()) {
    platform_ = std::make_unique<Json>(std::move(json["platform"]));
    return;
  }
  violations.add(kRule, {}, [&] {
    return text.empty()
               ? std::string("there is no '# config:' line; only rules that need no parameter were checked")
               : std::string(
                     "the '# config:' line is not a JSON object with a platform; only rules that "
                     "need no parameter were checked");
  });
}

LogConfig::~LogConfig() = default;

std::optional<PeRules> LogConfig::rules_of(std::uint64_t pe, ViolationList& violations) const {
  if (!platform_) return std::nullopt;
  const Json pe_json = pe_of(*platform_, pe);
  if (!pe_json.is_object()) {
    violations.add(kRule, {}, [&] { return fmt::format("platform.pes has no PE {}", pe); });
    return std::nullopt;
  }
  PeRules rules;
  Values pe_values(pe_json);
  read_command_side(pe_values, rules);
  read_engines(pe_values, rules);
  read_gemm(pe_values, rules);
  const Json hbm = platform_->value("hbm", Json::object());
  Values hbm_values(hbm);
  read_memory(hbm_values, rules);
  for (const std::string& path : pe_values.bad())
    violations.add(kRule, {},
                   [&] { return fmt::format("PE {}: {} is missing or no usable value", pe, path); });
  for (const std::string& path : hbm_values.bad())
    violations.add(kRule, {},
                   [&] { return fmt::format("platform.hbm.{} is missing or no usable value", path); });
  if (!pe_values.bad().empty() || !hbm_values.bad().empty()) return std::nullopt;
  return rules;
}

}  // namespace petal::check
