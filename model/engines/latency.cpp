// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/latency.hpp"

#include "petal/command/integer_math.hpp"
#include "petal/engines/systolic_array.hpp"

namespace petal {
namespace {

Picoseconds port_duration(const Bandwidth& port, double setup_cycles, ClockFrequency clock, Bytes bytes) {
  return clock.duration_of(Cycles(setup_cycles)) + port.duration_of(bytes);
}

double throughput_cycles(const GemmConfig& config, const GemmShape& tile, DType dtype) {
  const double rate = macs_per_cycle(config, dtype);
  if (rate == 0.0) return 0.0;
  const std::uint64_t rows = config.m_quantum == 1 ? tile.m : round_up(tile.m, config.m_quantum);
  return static_cast<double>(rows) * static_cast<double>(tile.k) * static_cast<double>(tile.n) / rate;
}

}  // namespace

Picoseconds fetch_duration(const FetchStoreConfig& config, ClockFrequency clock, Bytes bytes) {
  return port_duration(config.read, config.setup_cycles, clock, bytes);
}

Picoseconds store_duration(const FetchStoreConfig& config, ClockFrequency clock, Bytes bytes) {
  return port_duration(config.write, config.setup_cycles, clock, bytes);
}

double macs_per_cycle(const GemmConfig& config, DType dtype) {
  switch (size_of(dtype)) {
    case 4:
      return config.macs_per_cycle_f32;
    case 2:
      return config.macs_per_cycle_f16;
    default:
      return config.macs_per_cycle_8bit;
  }
}

Picoseconds gemm_duration(const GemmConfig& config, ClockFrequency clock, const GemmShape& tile,
                          DType dtype) {
  const double cycles = config.model == GemmModel::systolic
                            ? static_cast<double>(systolic_cycles(config.array, tile))
                            : throughput_cycles(config, tile, dtype);
  return clock.duration_of(Cycles(cycles));
}

Picoseconds math_duration(const MathConfig& config, ClockFrequency clock, Opcode opcode,
                          std::uint64_t elements) {
  const double vector_cycles =
      schema_of(opcode).cost == MathCost::slow ? config.slow_cycles : config.fast_cycles;
  const auto vectors = static_cast<double>(divide_up(elements, config.lanes));
  return clock.duration_of(Cycles(config.startup_cycles + vectors * vector_cycles));
}

}  // namespace petal
