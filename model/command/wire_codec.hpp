// SPDX-License-Identifier: Apache-2.0
//
// The wire format of commands (SPEC 1.2, 11.1): what crosses the queue, byte for byte as logical_bytes counts
// it. Everything is little endian.
//
//     framing     1 kind: the variant's index + 1, top bit = data_op; 3 completion id modulo 2^24
//     reference   8 index into the tensor table (low half), byte offset (high half; 0 in what is encoded
//     here) Dma*Cmd     framing, src, dst, 4 nbytes GemmCmd     framing, a, b, out, 4 m, 4 k, 4 n, [4 scale]
//     MathCmd     framing, 1 opcode, operands, out, scalars
//     Composite   framing, 1 count, rw references, 1 count, ops
//     OpSpec      1 opcode, 1 scope (top bit: an out follows), 1 count, operands, [out], 1 count, scalars
//     Overhead    framing, 4 cycles
//
// Scalars stand in their schema's order without names or types. The scalars that a MathCmd or GemmCmd may
// leave off are told by the length of the command, which its queue or ring entry carries.
#pragma once

#include <cstddef>
#include <vector>

#include "petal/command/pe_command.hpp"
#include "petal/command/tensor_table.hpp"
#include "petal/command/wire_buffer.hpp"

namespace petal {

/// The bytes of `command`, exactly logical_bytes(command) of them. Tensors it names are entered into `table`,
/// except for what they are pending on. Throws EmitError for a command that does not fit: more than 255 ops
/// or rw handles, operands or scalars that are not the opcode's, or a GEMM opcode in a MathCmd.
std::vector<std::byte> encode(const PeCommand& command, TensorTable& table);

/// The command that `bytes` are: equal to the one encoded, but for its completion id, of which the low 24
/// bits are left, and with no tensor pending. The bytes may be anything. Throws DecodeError, naming the byte,
/// for whatever `encode` could not have written (offsets apart) and for references that `tensors` refuses.
/// Whether the command makes sense is not asked: see find_command_error.
PeCommand decode(ByteView bytes, const TensorResolver& tensors);

/// The tensor table indices that the references of `bytes` name, ascending, each once: what a device has to
/// read before it can decode. Throws DecodeError, as `decode` does, for what is no command whatever the table
/// holds.
std::vector<std::uint32_t> referenced_tensors(ByteView bytes);

}  // namespace petal
