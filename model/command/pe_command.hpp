// SPDX-License-Identifier: Apache-2.0
//
// PeCommand: what crosses from PE_CPU to PE_SCHEDULER, and what each kind of it costs in logical bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "petal/command/op_spec.hpp"
#include "petal/command/tensor_handle.hpp"
#include "petal/command/units.hpp"

namespace petal {

/// What every command carries in its framing.
struct CommandFraming {
  CompletionId completion = kNoCompletion;
  bool data_op = true;  ///< false: timed, but not computed in data mode
};

/// HBM to TCM. The shapes of the two handles are equal; rows may be strided.
struct DmaReadCmd : CommandFraming {
  TensorHandle src;
  TensorHandle dst;
  std::uint32_t nbytes = 0;  ///< true data bytes
};

/// TCM to HBM.
struct DmaWriteCmd : CommandFraming {
  TensorHandle src;
  TensorHandle dst;
  std::uint32_t nbytes = 0;
};

/// out[m, n] = scale * a[m, k] * b[k, n], all in TCM.
struct GemmCmd : CommandFraming {
  TensorHandle a;
  TensorHandle b;
  TensorHandle out;
  std::uint32_t m = 0;
  std::uint32_t k = 0;
  std::uint32_t n = 0;
  std::optional<float> scale;
};

/// One MATH operation on tensors in TCM. Operands and scalars as in the opcode's schema.
struct MathCmd : CommandFraming {
  Opcode kind = Opcode::copy;
  OperandList operands;
  ScalarList extras;
  TensorHandle out;
};

/// Ordered ops that PE_SCHEDULER places by position and scope (ADR-0065 D1, D3).
struct CompositeCmd : CommandFraming {
  std::vector<OpSpec> ops;
  std::vector<TensorHandle> rw_handles;
};

/// `tl.cycles(n)`: the CPU spends n cycles. It never enters the queue and pays no dispatch.
struct OverheadCmd : CommandFraming {
  std::uint32_t cycles = 0;
};

/// The alternatives' order is the wire's kind byte, from 1.
using PeCommand = std::variant<DmaReadCmd, DmaWriteCmd, GemmCmd, MathCmd, CompositeCmd, OverheadCmd>;

/// "CompositeCmd", "DmaReadCmd", ...: the spelling of logs.
const char* kind_name(const PeCommand& command);
/// The opcode-like name of what the command does: "gemm" for one with a GEMM, else its first op's;
/// "dma_read", ....
std::string_view op_name(const PeCommand& command);
const CommandFraming& framing_of(const PeCommand& command);
CommandFraming& framing_of(PeCommand& command);

/// Index of the GEMM among `ops`, or nothing.
std::optional<std::size_t> gemm_index(const std::vector<OpSpec>& ops);

// --- logical_bytes (SPEC 1.1): what a command costs to issue is a property of its fields alone. ---

Bytes logical_bytes(const ScalarValue& value);
Bytes logical_bytes(const OpSpec& op);
Bytes logical_bytes(const PeCommand& command);
/// Framing, rw block and op count: the part of a composite that its first segment carries (SPEC 2.1).
Bytes header_bytes(const CompositeCmd& composite);

}  // namespace petal
