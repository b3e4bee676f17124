// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "petal/device/register_structures.hpp"
#include "petal/device/register_text.hpp"
#include "petal/device/register_words.hpp"

namespace petal {
namespace {

constexpr std::string_view kHead = R"(# Registers of the device

*Made from the register map by `petal registers --markdown`. `firmware/petal_registers.h` is the same for C, made by
`petal registers --c-header`.*

The device's target socket has 64 data bits and two parts in its address space:

| bytes | |
|---|---|
| 0x0 to 0xFFF | the registers, 32 bits each, little endian |
| 0x100000 and on, CAP_TCM bytes | the TCM, in data mode; without data mode there is nothing |

Everything else answers `TLM_ADDRESS_ERROR_RESPONSE`. All 64 bits of an address count.
)";

constexpr std::string_view kRules = R"(
## Rules

- No read has a side effect.
- RO: a write is ignored. RW: reads give what was written. RW1C: a 1 written clears the bit, a 0 leaves it. WO: reads give 0.
  Bits that belong to no field read 0, and what is written to them is ignored. An ignored write answers OK.
- locked: writable while CONTROL.ENABLE is 0. While it is 1 a write changes nothing and raises INT_STATUS.ERROR with cause
  LOCKED_REGISTER. It answers OK.
- The ring registers take any value. They are checked when ENABLE goes from 0 to 1, with cause RING_CONFIG.
- INT_ENABLE: 1 is enabled, and after reset nothing is. The interrupt line is a level: high while INT_PENDING is not 0. It
  rises when a bit that is set already is enabled, and stays up until no enabled bit is set.
- INT_STATUS.THRESHOLD: a 1 written to it clears it and counts completions from 0 again; those that came while it was set
  are not carried over. A smaller INT_THRESHOLD that the count has reached already sets it at once.
- A 1 written to INT_STATUS.ERROR also clears ERROR_CAUSE, ERROR_TAG and ERROR_ADDRESS. They tell of the first error since.
- The halves of a 64-bit counter read by one access of 8 bytes belong together. With accesses of 4 bytes: read the upper,
  the lower, the upper again, until both uppers agree.

## Accesses

| access | answer |
|---|---|
| 4 bytes at a multiple of 4 | that register |
| 8 bytes at a multiple of 8 | both registers, the lower first, with nothing between |
| read of 1 byte, or 2 bytes at a multiple of 2 | those bytes of the register |
| write of 1 or 2 bytes | `TLM_BURST_ERROR_RESPONSE` |
| another length, not aligned, streaming width below the length | `TLM_BURST_ERROR_RESPONSE` |
| a register is missing at the offset (with 8 bytes: one of the two) | `TLM_ADDRESS_ERROR_RESPONSE` |
| byte enables that take part of a register's bytes in the access | `TLM_BYTE_ENABLE_ERROR_RESPONSE` |
| byte enables that leave a register out | it is not written; its bytes of a read stay as they are |
| `TLM_IGNORE_COMMAND` | OK |
| no data pointer | `TLM_GENERIC_ERROR_RESPONSE` |

The rows are judged from the most general to the particular: the part of the address space, length and alignment, the
register, the byte enables. An access that is not answered OK has done nothing.

An access never waits, so it may come from an `SC_METHOD`. With `b_transport` a DOORBELL written with an annotated delay
of 100 ns rings 100 ns from now; all else takes effect at the call. The time an access takes is added to the delay.
With `nb_transport` it takes effect when the request begins, and that time passes before the response begins. Requests are
taken as they come; responses are given one at a time, in the order in which they are ready. Phases other than the four
are ignored. The socket is for one initiator: a second one bound to it ends elaboration with SystemC's error about the
number of bound interfaces. Several hosts need an interconnect between.

`transport_dbg` reads as above, without time; it moves all bytes or none. A debug write to a register moves 0 bytes and does
nothing: a debugger cannot start the device. `get_direct_mem_ptr` is refused for registers.

The TCM takes any length, alignment and byte enables within it, has debug transport in both directions and grants direct
memory access to the whole.

## Map
)";

/// A cell of a table: a bar would end it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

std::string registers() {
  std::string text = "\n| offset | name | access | reset | meaning |\n|---|---|---|---|---|\n";
  for (const RegisterInfo& info : kRegisterMap)
    text += fmt::format("| {:#05x} | {} | {} | {} | {} |\n", info.offset, info.name, access_text(info),
                        reset_text(info), cell(info.text));
  return text;
}

std::string fields() {
  std::string text = "\n## Fields\n\nRegisters that are not here are one number.\n\n";
  text += "| register | bits | field | access | meaning |\n|---|---|---|---|---|\n";
  for (const RegisterInfo& info : kRegisterMap) {
    if (is_one_number(info)) continue;
    for (const RegisterField& field : info.fields)
      if (field.width != 0)
        text += fmt::format("| {} | {} | {} | {} | {} |\n", info.name, bits_text(field.low, field.width),
                            field.name, word_of(field.access), cell(field.text));
  }
  return text;
}

std::string bytes_text(const StructureMember& member) {
  if (member.count == 1) return fmt::format("{}", member.bytes);
  return member.count == 0 ? "LENGTH" : fmt::format("{} x {}", member.count, member.bytes);
}

std::string structure(const MemoryStructure& layout) {
  std::string text = fmt::format("\n### {}\n\n{}\n\n", layout.title, layout.text);
  text += "| offset | bytes | member | bits | meaning |\n|---|---|---|---|---|\n";
  for (const StructureMember& member : layout.members) {
    const std::string_view name = member.name.empty() ? "reserved" : member.name;
    if (member.bits.empty())
      text += fmt::format("| {} | {} | {} | | {} |\n", member.offset, bytes_text(member), name,
                          cell(member.text));
    for (const StructureBits& bits : member.bits)
      text += fmt::format("| {} | {} | {}.{} | {} | {} |\n", member.offset, bytes_text(member), name,
                          bits.name, bits_text(bits.low, bits.width), cell(bits.text));
  }
  return text;
}

std::string numbers(const NumberFamily& family) {
  std::string text = fmt::format("\n### {}\n\n| number | name | meaning |\n|---|---|---|\n", family.title);
  for (const NamedNumber& number : family.numbers)
    text += fmt::format("| {} | {} | {} |\n", number.value, number.name, cell(number.text));
  return text;
}

}  // namespace

std::string register_markdown() {
  std::string text(kHead);
  text.append(kRules) += registers() + fields();
  text += "\n## Structures in memory\n\nLittle endian. Reserved bytes and bits must be 0.\n";
  for (const MemoryStructure& layout : memory_structures()) text += structure(layout);
  text += "\n## Numbers\n";
  for (const NumberFamily& family : number_families()) text += numbers(family);
  return text;
}

}  // namespace petal
