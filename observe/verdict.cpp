// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace petal {
namespace {

constexpr const char* kReasons[] = {"PE_CPU paying for commands", "DMA channels moving bytes",
                                    "GEMM and MATH work", "the memory's latency",
                                    "work that waits for other work while the engines have time to spare"};
constexpr const char* kShortNames[] = {"dispatch", "memory bandwidth", "compute", "memory latency",
                                       "dependency"};

using PortTimes = std::array<Picoseconds, kEnginePorts>;

bool is_busy_enough(const PortTimes& busy, EnginePort port, Picoseconds run_time) {
  return static_cast<double>(busy[static_cast<std::size_t>(port)].count()) >=
         kBoundingUtilisation * static_cast<double>(run_time.count());
}

/// The group that time on `cause` counts for.
Bound bound_of(PathCause cause, const PortTimes& busy, Picoseconds run_time) {
  const auto if_busy = [&](Bound bound, EnginePort port) {
    return is_busy_enough(busy, port, run_time) ? bound : Bound::dependency;
  };
  switch (cause) {
    case PathCause::dispatch:
      return Bound::dispatch;
    case PathCause::dma_busy:
      return is_busy_enough(busy, EnginePort::dma_read, run_time)
                 ? Bound::memory_bandwidth
                 : if_busy(Bound::memory_bandwidth, EnginePort::dma_write);
    case PathCause::dma_latency:
    case PathCause::staging_slot:
      return Bound::memory_latency;
    case PathCause::gemm:
      return if_busy(Bound::compute, EnginePort::gemm);
    case PathCause::math:
      return if_busy(Bound::compute, EnginePort::math);
    case PathCause::overhead:
    case PathCause::host:
    case PathCause::plan:
    case PathCause::fetch_store:
      return Bound::dependency;
  }
  return Bound::dependency;
}

std::string sentence_of(const Verdict& verdict) {
  const auto bound = static_cast<std::size_t>(verdict.bound);
  std::string text = fmt::format("{}: {:.1f} % of the critical path is {}", name_of(verdict.bound),
                                 100.0 * verdict.shares[bound], kReasons[bound]);
  const char* separator = "; the rest is ";
  for (std::size_t other = 0; other < kBounds; ++other) {
    if (other == bound || verdict.shares[other] == 0.0) continue;
    text += fmt::format("{}{} {:.1f} %", separator, kShortNames[other], 100.0 * verdict.shares[other]);
    separator = ", ";
  }
  return text + ".";
}

}  // namespace

const char* name_of(Bound bound) {
  constexpr const char* kNames[] = {"dispatch-bound", "memory-bandwidth-bound", "compute-bound",
                                    "memory-latency-bound", "dependency-bound"};
  return kNames[static_cast<std::size_t>(bound)];
}

Verdict verdict_of(const CriticalPath& path, Picoseconds run_time, const PortTimes& busy) {
  Verdict verdict;
  const Picoseconds total = path.total();
  if (total.count() <= 0) {
    verdict.sentence = fmt::format("{}: no PE did any work to its end.", name_of(verdict.bound));
    return verdict;
  }
  std::array<Picoseconds, kBounds> spent{};
  for (std::size_t index = 0; index < kPathCauses; ++index) {
    const auto cause = static_cast<PathCause>(index);
    spent[static_cast<std::size_t>(bound_of(cause, busy, run_time))] += path.spent(cause);
  }
  for (std::size_t index = 0; index < kBounds; ++index)
    verdict.shares[index] = static_cast<double>(spent[index].count()) / static_cast<double>(total.count());
  const auto largest = std::max_element(spent.begin(), spent.end());  // the first of equals
  verdict.bound = static_cast<Bound>(largest - spent.begin());
  verdict.sentence = sentence_of(verdict);
  return verdict;
}

}  // namespace petal
