// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/summary.hpp"

namespace petal {

Totals& Totals::operator+=(const Totals& other) {
  dispatch.commands += other.dispatch.commands;
  dispatch.logical_bytes += other.dispatch.logical_bytes;
  dispatch.cycles += other.dispatch.cycles;
  for (std::size_t index = 0; index < cpu.size(); ++index) cpu[index] += other.cpu[index];
  for (std::size_t index = 0; index < engines.size(); ++index) {
    engines[index].busy += other.engines[index].busy;
    engines[index].stages += other.engines[index].stages;
  }
  dma_read += other.dma_read;
  dma_write += other.dma_write;
  macs += other.macs;
  for (std::size_t index = 0; index < head_wait.size(); ++index) head_wait[index] += other.head_wait[index];
  staging_bytes += other.staging_bytes;
  return *this;
}

std::optional<PerTile> Summary::mean_per_tile() const {
  if (tiles == 0) return std::nullopt;
  const auto count = static_cast<double>(tiles);
  return PerTile{static_cast<double>(total.dispatch.commands) / count,
                 static_cast<double>(total.dispatch.logical_bytes.count()) / count,
                 total.dispatch.cycles.count() / count};
}

double Summary::utilisation(Picoseconds busy) const {
  const double available = static_cast<double>(time.count()) * static_cast<double>(pes.size());
  return available > 0 ? static_cast<double>(busy.count()) / available : 0.0;
}

}  // namespace petal
