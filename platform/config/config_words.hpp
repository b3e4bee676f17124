// SPDX-License-Identifier: Apache-2.0
//
// The spelling, in scenario files, of every enumeration that a key can take.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "petal/command/dtype.hpp"
#include "petal/config/workload_config.hpp"
#include "petal/engines/engine_config.hpp"
#include "petal/memory/memory_config.hpp"
#include "petal/pe_cpu/pe_cpu_config.hpp"

namespace petal {

/// Words and what they mean, in the order they are shown.
template <typename E>
using WordTable = std::vector<std::pair<std::string, E>>;

inline const WordTable<ComputeSlot>& words_of(ComputeSlot /*which*/) {
  static const WordTable<ComputeSlot> table = {{"separate", ComputeSlot::separate},
                                               {"shared", ComputeSlot::shared}};
  return table;
}

inline const WordTable<AutoAwait>& words_of(AutoAwait /*which*/) {
  static const WordTable<AutoAwait> table = {
      {"primitive", AutoAwait::primitive}, {"all", AutoAwait::all}, {"none", AutoAwait::none}};
  return table;
}

inline const WordTable<GemmModel>& words_of(GemmModel /*which*/) {
  static const WordTable<GemmModel> table = {{"throughput", GemmModel::throughput},
                                             {"systolic", GemmModel::systolic}};
  return table;
}

inline const WordTable<Dataflow>& words_of(Dataflow /*which*/) {
  static const WordTable<Dataflow> table = {{"os", Dataflow::output_stationary},
                                            {"ws", Dataflow::weight_stationary},
                                            {"is", Dataflow::input_stationary}};
  return table;
}

inline const WordTable<Preload>& words_of(Preload /*which*/) {
  static const WordTable<Preload> table = {{"exposed", Preload::exposed},
                                           {"overlapped", Preload::overlapped}};
  return table;
}

inline const WordTable<DmaInterface>& words_of(DmaInterface /*which*/) {
  static const WordTable<DmaInterface> table = {{"closed_form", DmaInterface::closed_form},
                                                {"bursts", DmaInterface::bursts}};
  return table;
}

inline const WordTable<BusProtocol>& words_of(BusProtocol /*which*/) {
  static const WordTable<BusProtocol> table = {{"lt", BusProtocol::lt}, {"at", BusProtocol::at}};
  return table;
}

inline const WordTable<DmiUse>& words_of(DmiUse /*which*/) {
  static const WordTable<DmiUse> table = {
      {"off", DmiUse::off}, {"timed", DmiUse::timed}, {"always", DmiUse::always}};
  return table;
}

inline const WordTable<RaggedBursts>& words_of(RaggedBursts /*which*/) {
  static const WordTable<RaggedBursts> table = {{"one_burst", RaggedBursts::one_burst},
                                                {"power_of_two", RaggedBursts::power_of_two}};
  return table;
}

inline const WordTable<HbmScope>& words_of(HbmScope /*which*/) {
  static const WordTable<HbmScope> table = {{"per_pe", HbmScope::per_pe}, {"shared", HbmScope::shared}};
  return table;
}

inline const WordTable<HbmInterleave>& words_of(HbmInterleave /*which*/) {
  static const WordTable<HbmInterleave> table = {{"xor_fold", HbmInterleave::xor_fold},
                                                 {"modulo", HbmInterleave::modulo}};
  return table;
}

inline const WordTable<AttentionMask>& words_of(AttentionMask /*which*/) {
  static const WordTable<AttentionMask> table = {{"none", AttentionMask::none},
                                                 {"boolean", AttentionMask::boolean},
                                                 {"additive", AttentionMask::additive}};
  return table;
}

inline const WordTable<AttentionMaskAxes>& words_of(AttentionMaskAxes /*which*/) {
  static const WordTable<AttentionMaskAxes> table = {{"k", AttentionMaskAxes::k},
                                                     {"qk", AttentionMaskAxes::qk},
                                                     {"hqk", AttentionMaskAxes::hqk},
                                                     {"b1qk", AttentionMaskAxes::b1qk},
                                                     {"bhqk", AttentionMaskAxes::bhqk}};
  return table;
}

/// The element types a tensor of a workload can have: all but booleans, which only masks are made of.
inline const WordTable<DType>& words_of(DType /*which*/) {
  static const WordTable<DType> table = [] {
    WordTable<DType> rows;
    for (const DType dtype : kAllDTypes)
      if (dtype != DType::boolean) rows.emplace_back(std::string(name_of(dtype)), dtype);
    return rows;
  }();
  return table;
}

/// The words alone.
template <typename E>
std::vector<std::string> word_list() {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : words_of(E{})) words.push_back(word);
  return words;
}

}  // namespace petal
