// SPDX-License-Identifier: Apache-2.0
//
// Parameters of the four engines of a PE. Cycles are of the PE's own clock.
#pragma once

#include <cstdint>

#include "petal/bus/bus_config.hpp"
#include "petal/command/dtype.hpp"
#include "petal/command/units.hpp"

namespace petal {

/// How a DMA reaches its memory. `closed_form`: a stage is one transaction with the MemoryAccess extension,
/// which PETAL's own memory understands. `bursts`: a stage is bursts of the TLM-2.0 base protocol, for any
/// memory.
enum class DmaInterface : std::uint8_t { closed_form, bursts };

/// YAML: platform.pe.attrs.pe_dma; the keys of the bus stand beside the others.
struct DmaConfig {
  double setup_cycles = 0.0;      ///< spent by the channel before each transfer
  std::uint32_t outstanding = 8;  ///< transfers of one channel whose data has not arrived
  DmaInterface interface = DmaInterface::closed_form;
  BusConfig bus;  ///< of `bursts`
};

/// YAML: platform.pe.attrs.pe_fetch_store.
struct FetchStoreConfig {
  Bandwidth read{512.0};      ///< TCM read port
  Bandwidth write{512.0};     ///< TCM write port
  double setup_cycles = 0.0;  ///< spent before each FETCH or STORE
};

/// How the duration of a GEMM stage is worked out: MACs over a rate, or the folds of a systolic array.
enum class GemmModel : std::uint8_t { throughput, systolic };

/// What of C = A . B stays in the processing elements of a systolic array during a fold: partial sums of C
/// (YAML: os), a part of B, the weights (ws), or a part of A, the inputs (is).
enum class Dataflow : std::uint8_t { output_stationary, weight_stationary, input_stationary };

/// When the stationary part of a fold is loaded: before the fold, or, but for the first fold of a stage,
/// while the fold before streams (each processing element then has a second register for it).
enum class Preload : std::uint8_t { exposed, overlapped };

/// The array of the `systolic` model. Its time does not depend on the operands' types.
struct SystolicArray {
  std::uint64_t rows = 64;  ///< at least 1
  std::uint64_t cols = 64;  ///< at least 1
  Dataflow dataflow = Dataflow::output_stationary;
  Preload preload = Preload::exposed;  ///< output_stationary loads nothing ahead, so it has no effect there
};

/// YAML: platform.pe.attrs.pe_gemm; the keys of the array stand beside the others.
struct GemmConfig {
  GemmModel model = GemmModel::throughput;
  double macs_per_cycle_f32 = 1024.0;  ///< this and the next three: of `throughput`; 0 stands for `unlimited`
  double macs_per_cycle_f16 = 4096.0;  ///< f16 and bf16
  double macs_per_cycle_8bit = 8192.0;  ///< i8, f8e4m3, f8e5m2
  std::uint64_t m_quantum = 1;          ///< rows a pass is rounded up to (the time, not the MACs reported)
  SystolicArray array;                  ///< of `systolic`
};

/// YAML: platform.pe.attrs.pe_math.
struct MathConfig {
  std::uint64_t lanes = 64;     ///< elements a vector
  double startup_cycles = 4.0;  ///< before the first vector
  double fast_cycles = 1.0;     ///< a vector of a simple opcode
  double slow_cycles = 4.0;     ///< a vector of an exp-like opcode, div, tanh, rsqrt
};

/// Whether GEMM and MATH of one PE may run at the same time. YAML: platform.pe.compute_slot.
enum class ComputeSlot : std::uint8_t { separate, shared };

}  // namespace petal
