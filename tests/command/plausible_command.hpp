// SPDX-License-Identifier: Apache-2.0
//
// Commands drawn at random that come close to making sense: sizes, strides, dtypes and places mostly go
// together, and then one of them does not. What a device accepts of them has to run.
#pragma once

#include "petal/command/pe_command.hpp"
#include "random_command.hpp"

namespace petal::test {

class PlausibleCommands {
 public:
  /// Tensors lie mostly below `arena` in TCM and always below 2^24 in HBM.
  PlausibleCommands(std::uint32_t seed, std::uint64_t arena) : random_(seed), arena_(arena) {}

  PeCommand command();
  /// An integer of [0, limit).
  std::uint64_t below(std::uint64_t limit) { return random_.below(limit); }

 private:
  bool one_in(std::uint64_t count) { return random_.below(count) == 0; }
  std::uint64_t size();
  Dims shape(std::size_t rank);
  /// `shape` as it is, or one that can be repeated to it, or one that cannot.
  Dims shape_beside(const Dims& shape);
  Dims strides(const Dims& shape);
  DType dtype();
  DType dtype_beside(DType dtype);
  TensorHandle tensor(const Dims& shape, DType dtype, Space space);
  Space math_space(bool may_stream) { return may_stream && one_in(3) ? Space::hbm : Space::tcm; }

  PeCommand dma();
  PeCommand gemm();
  PeCommand math();
  PeCommand composite();
  OpSpec math_op(bool may_stream);
  OpSpec gemm_op();
  OpSpec tile_op(const TensorHandle& accumulator);
  ScalarList scalars(const OpcodeSchema& schema);
  const OpcodeSchema& math_schema();

  RandomCommands random_;
  std::uint64_t arena_;
};

}  // namespace petal::test
