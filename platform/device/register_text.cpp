// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_text.hpp"

#include <fmt/format.h>

#include "petal/device/register_map.hpp"

namespace petal {
namespace {

std::string_view word_of(RegisterAccessKind access) {
  switch (access) {
    case RegisterAccessKind::read_only:
      return "RO";
    case RegisterAccessKind::read_write:
      return "RW";
    case RegisterAccessKind::write_one_to_clear:
      return "RW1C";
    case RegisterAccessKind::write_only:
      return "WO";
  }
  return "";
}

/// The access of the register as a whole: that of its first field.
std::string access_text(const RegisterInfo& info) {
  std::string text(word_of(info.fields.front().access));
  if (info.lock == RegisterLock::while_enabled) text += " locked";
  return text;
}

std::string reset_text(const RegisterInfo& info) {
  return info.source == RegisterSource::configured ? "configured" : fmt::format("{:#x}", info.reset);
}

bool is_one_number(const RegisterInfo& info) {
  return info.fields.front().width == 32;
}

std::string bits_text(const RegisterField& field) {
  return field.width == 1 ? fmt::format("{}", field.low)
                          : fmt::format("{}:{}", field.low + field.width - 1, field.low);
}

}  // namespace

std::string register_table_text() {
  std::string text = "Registers of PeDevice: 32 bits each, little endian, offsets in bytes\n\n";
  text += fmt::format("{:<6}  {:<24}  {:<9}  {:<10}  {}\n", "offset", "name", "access", "reset", "meaning");
  for (const RegisterInfo& info : kRegisterMap) {
    text += fmt::format("{:#05x}   {:<24}  {:<9}  {:<10}  {}\n", info.offset, info.name, access_text(info),
                        reset_text(info), info.text);
    if (is_one_number(info)) continue;
    for (const RegisterField& field : info.fields) {
      if (field.width == 0) break;
      const std::string line = fmt::format("{:<6}  {:>5}  {:<17}  {:<9}  {:<10}  {}", "", bits_text(field),
                                           field.name, word_of(field.access), "", field.text);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
  }
  return text;
}

}  // namespace petal
