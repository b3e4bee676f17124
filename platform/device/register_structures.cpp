// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_structures.hpp"

namespace petal {
namespace {

MemoryStructure slot() {
  return {"SLOT",
          "Ring slot",
          0,
          "RING_STRIDE bytes. Entry n lies in slot (n - RING_START) modulo "
          "RING_SIZE, counted entry by entry. Write bytes 0 to 7 last, with one 64-bit store.",
          {
              {"SEQUENCE", 0, 4, 1, "number of the entry, as RING_HEAD counts"},
              {"CONTROL",
               4,
               4,
               1,
               "",
               {
                   {"LENGTH", 0, 16,
                    "bytes of the command in this slot, 1 to RING_STRIDE - 16 and at most CAP_COMMAND_BYTES"},
                   {"FIRST", 16, 1, "the first slice of a command"},
                   {"LAST", 17, 1, "the last slice of a command"},
                   {"VALID", 31, 1, "the slot is complete"},
               }},
              {"COMPLETION_ID", 8, 4, 1, "completion id of this slice, below 2^24"},
              {"", 12, 4, 1, "0"},
              {"COMMAND", 16, 1, 0, "the slice's bytes, in the wire format"},
          }};
}

MemoryStructure tensor() {
  return {
      "TENSOR",
      "Tensor table entry",
      80,
      "What a reference in a command names: its low 32 bits are the index, its high 32 bits a byte offset.",
      {
          {"ADDRESS", 0, 8, 1, "byte address of element 0 in its space"},
          {"DTYPE", 8, 1, 1, "a dtype below"},
          {"SPACE", 9, 1, 1, "a space below"},
          {"RANK", 10, 1, 1, "number of axes, 0 to 4"},
          {"", 11, 1, 5, "0"},
          {"SHAPE", 16, 8, 4, "elements of each axis; unused axes 0"},
          {"STRIDE", 48, 8, 4, "elements between neighbours of each axis; unused axes 0"},
      }};
}

MemoryStructure completion() {
  return {"COMPLETION",
          "Completion record",
          16,
          "One for each entry, in the order of completion.",
          {
              {"NUMBER", 0, 4, 1, "number of the record, counted from 1 since ENABLE; modulo 2^32"},
              {"RESULT",
               4,
               4,
               1,
               "",
               {
                   {"ID", 0, 24, "completion id of the entry"},
                   {"STATUS", 24, 8, "a cause below; 0: it succeeded"},
               }},
              {"ADDRESS", 8, 8, 1, "faulting address, 0 if there is none"},
          }};
}

NumberFamily causes() {
  return {"CAUSE",
          "Causes and statuses",
          {
              {"OK", 0, "no error"},
              {"DESCRIPTOR_NOT_VALID", 1, "the slot does not hold the entry it should; stops the ring"},
              {"DESCRIPTOR_MALFORMED", 2, "the slot, the table entries it names or its bytes are no command"},
              {"COMMAND_REFUSED", 3, "a command that this device cannot execute"},
              {"FETCH_ERROR", 4, "reading a slot or a table entry failed; stops the ring if it was a slot"},
              {"TRANSFER_ERROR", 5, "a DMA burst was answered with an error"},
              {"DEPENDENCY_FAILED", 6, "it depends on an entry that failed, so it was not executed"},
              {"RING_OVERRUN", 7, "a doorbell beyond what the ring can hold; belongs to no entry"},
              {"RING_CONFIG", 8, "the ring registers make no ring; belongs to no entry"},
              {"LOCKED_REGISTER", 9, "a locked register was written while enabled; belongs to no entry"},
              {"COMPLETION_WRITE_ERROR", 10, "writing a completion record failed; stops the ring"},
              {"EXECUTION_ERROR", 11, "the device could not carry the command out"},
          }};
}

NumberFamily dtypes() {
  return {"DTYPE",
          "Dtypes",
          {
              {"F32", 0, "4 bytes"},
              {"F16", 1, "2 bytes"},
              {"BF16", 2, "2 bytes"},
              {"I8", 3, "1 byte"},
              {"I32", 4, "4 bytes"},
              {"F8E4M3", 5, "1 byte"},
              {"F8E5M2", 6, "1 byte"},
              {"BOOLEAN", 7, "1 byte"},
          }};
}

NumberFamily spaces() {
  return {"SPACE", "Spaces", {{"HBM", 0, "memory outside the PE"}, {"TCM", 1, "the PE's own memory"}}};
}

}  // namespace

const std::vector<MemoryStructure>& memory_structures() {
  static const std::vector<MemoryStructure> structures{slot(), tensor(), completion()};
  return structures;
}

const std::vector<NumberFamily>& number_families() {
  static const std::vector<NumberFamily> families{causes(), dtypes(), spaces()};
  return families;
}

}  // namespace petal
