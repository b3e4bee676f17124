// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_text.hpp"

#include <fmt/format.h>

#include "petal/device/register_map.hpp"
#include "petal/device/register_structures.hpp"
#include "petal/device/register_words.hpp"

namespace petal {
std::string register_table_text() {
  std::string text = "Registers of PeDevice: 32 bits each, little endian, offsets in bytes\n\n";
  text += fmt::format("{:<6}  {:<24}  {:<9}  {:<10}  {}\n", "offset", "name", "access", "reset", "meaning");
  for (const RegisterInfo& info : kRegisterMap) {
    text += fmt::format("{:#05x}   {:<24}  {:<9}  {:<10}  {}\n", info.offset, info.name, access_text(info),
                        reset_text(info), info.text);
    if (is_one_number(info)) continue;
    for (const RegisterField& field : info.fields) {
      if (field.width == 0) break;
      const std::string line =
          fmt::format("{:<6}  {:>5}  {:<17}  {:<9}  {:<10}  {}", "", bits_text(field.low, field.width),
                      field.name, word_of(field.access), "", field.text);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
  }
  for (const NumberFamily& family : number_families()) {
    text += fmt::format("\n{}\n", family.title);
    for (const NamedNumber& number : family.numbers)
      text += fmt::format("  {:>2}  {:<24}  {}\n", number.value, number.name, number.text);
  }
  return text;
}

}  // namespace petal
