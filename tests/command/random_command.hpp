// SPDX-License-Identifier: Apache-2.0
//
// Commands drawn at random: every kind, opcode and scope, any number of optional scalars, floats of any bits.
// They fit on the wire; they need not make sense.
#pragma once

#include <random>

#include "petal/command/pe_command.hpp"

namespace petal::test {

class RandomCommands {
 public:
  explicit RandomCommands(std::uint32_t seed) : random_(seed) {}

  PeCommand command();
  TensorHandle tensor();
  /// An integer of [0, below).
  std::uint64_t below(std::uint64_t limit);

 private:
  PeCommand dma(bool read);
  PeCommand gemm();
  PeCommand math();
  PeCommand composite();
  OpSpec op();
  void fill(const OpcodeSchema& schema, OperandList& operands, ScalarList& extras);
  ScalarValue scalar(const OpcodeSchema& schema, ScalarType type);
  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
  float any_float();

  std::mt19937 random_;
};

}  // namespace petal::test
