// SPDX-License-Identifier: Apache-2.0
//
// Slices made by hand for the tests of the observers.
#pragma once

#include <memory>
#include <utility>

#include "petal/command/command_sink.hpp"

namespace petal::test {

/// A whole command with that completion.
template <typename Command>
CommandSlice slice_of(Command command, CompletionId completion) {
  CommandSlice slice;
  command.completion = completion;
  if constexpr (std::is_same_v<Command, CompositeCmd>)
    slice.last_op = static_cast<std::uint32_t>(command.ops.size());
  slice.logical_bytes = logical_bytes(PeCommand(command));
  slice.completion = completion;
  slice.command = std::make_shared<const PeCommand>(std::move(command));
  return slice;
}

inline TensorHandle tcm(std::uint64_t address, const Dims& shape, DType dtype = DType::f32) {
  return dense_tensor(Space::tcm, address, shape, dtype);
}

inline TensorHandle hbm(std::uint64_t address, const Dims& shape, DType dtype = DType::f16) {
  return dense_tensor(Space::hbm, address, shape, dtype);
}

/// Loads 64 bytes: 4 + 8 + 8 + 4 = 24 logical bytes.
inline DmaReadCmd load_64_bytes() {
  DmaReadCmd command;
  command.src = hbm(0x1000, {4, 8});
  command.dst = tcm(0x40, {4, 8}, DType::f16);
  command.nbytes = 64;
  return command;
}

}  // namespace petal::test
