// SPDX-License-Identifier: Apache-2.0
#include "petal/platform/platform.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "petal/command/error.hpp"

namespace petal {

namespace {

/// When a burst is answered is not known ahead of its time.
Pacing pacing_for(const PlatformConfig& config, Pacing wanted) {
  const bool has_bursts = std::any_of(config.pes.begin(), config.pes.end(), [](const PeConfig& pe) {
    return pe.dma.interface == DmaInterface::bursts;
  });
  return has_bursts ? Pacing::lockstep : wanted;
}

}  // namespace

Platform::Platform(const sc_core::sc_module_name& name, const PlatformConfig& config,
                   const PlatformOptions& options)
    : sc_module(name) {
  const bool shared = config.hbm.scope == HbmScope::shared;
  const Pacing pacing = pacing_for(config, options.pacing);
  const bool one_driver = shared || options.event_order == EventOrder::by_time;
  for (std::size_t index = 0; index < config.pes.size(); ++index) {
    if (index == 0 || !one_driver)
      drivers_.push_back(std::make_unique<CalendarDriver>(fmt::format("calendar_{}", index).c_str(), pacing));
    if (index == 0 || !shared)
      memories_.push_back(
          std::make_unique<Hbm>(fmt::format("hbm_{}", index).c_str(), config.hbm, options.hbm_image));
    pes_.push_back(std::make_unique<Pe>(
        fmt::format("pe_{}", index).c_str(), static_cast<PeIndex>(index), config.pes[index], *drivers_.back(),
        [this, index](const CriticalPath& path) { pe_finished(index, path); },
        PeOptions{options.build_order, options.hbm_image ? DataMode::on : DataMode::off}));
    if (auto* const socket = pes_.back()->memory_socket()) socket->bind(memories_.back()->socket);
  }
}

void Platform::attach(Observer& observer) {
  for (const auto& pe : pes_) pe->events().attach(observer);
}

void Platform::add_launch(std::vector<PeProgram> programs) {
  if (programs.size() != pes_.size())
    throw SimulationError(
        fmt::format("a launch has {} programs for {} PEs; give each PE one", programs.size(), pes_.size()));
  launches_.push_back(std::move(programs));
}

void Platform::start_of_simulation() {
  start_next_launch();
}

void Platform::start_next_launch() {
  if (next_launch_ == launches_.size()) return;
  std::vector<PeProgram>& programs = launches_[next_launch_++];
  running_ = pes_.size();
  const Picoseconds start = end_time_;
  const CriticalPath path = critical_path_;
  for (std::size_t index = 0; index < pes_.size(); ++index)
    pes_[index]->launch(std::move(programs[index]), start, path);
}

void Platform::pe_finished(std::size_t index, const CriticalPath& path) {
  const Picoseconds at = path.total();
  if (at > end_time_ || (at == end_time_ && index < last_pe_)) {
    end_time_ = at;
    critical_path_ = path;
    last_pe_ = index;
  }
  if (--running_ == 0) start_next_launch();
}

void Platform::read_hbm(std::uint64_t address, std::byte* to, std::uint64_t bytes) const {
  memories_.front()->contents()->read(address, to, bytes);
  for (const auto& memory : memories_)
    memory->written().for_each_within(address, address + bytes, [&](std::uint64_t begin, std::uint64_t end) {
      memory->contents()->read(begin, to + (begin - address), end - begin);
    });
}

void Platform::finish() const {
  for (const auto& pe : pes_) pe->rethrow_failure();
  std::vector<std::string> lines;
  for (const auto& pe : pes_)
    for (std::string& line : pe->describe_outstanding()) lines.push_back(std::move(line));
  if (!lines.empty())
    throw SimulationError(fmt::format("the run ended with commands outstanding: {}", fmt::join(lines, "; ")));
}

}  // namespace petal
