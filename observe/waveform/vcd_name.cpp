// SPDX-License-Identifier: Apache-2.0
#include "petal/waveform/vcd_name.hpp"

#include <set>

namespace petal {
namespace {

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

bool stays(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         is_digit(character) || character == '_';
}

/// The bytes of UTF-8 that go on with a character.
bool continues(char character) {
  return (static_cast<unsigned char>(character) & 0xC0U) == 0x80U;
}

}  // namespace

std::string vcd_name(std::string_view name) {
  std::string legal;
  if (name.empty() || is_digit(name.front())) legal = "_";
  for (const char character : name) {
    if (stays(character))
      legal += character;
    else if (!continues(character))
      legal += '_';
  }
  return legal;
}

// A name that is legal as it stands keeps it, whoever comes first.
std::vector<std::string> distinct_vcd_names(const std::vector<std::string>& names) {
  std::set<std::string> taken;
  std::vector<std::string> legal(names.size());
  for (std::size_t index = 0; index < names.size(); ++index)
    if (vcd_name(names[index]) == names[index] && taken.insert(names[index]).second)
      legal[index] = names[index];
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (!legal[index].empty()) continue;
    const std::string name = vcd_name(names[index]);
    legal[index] = name;
    for (std::size_t copy = 2; !taken.insert(legal[index]).second; ++copy)
      legal[index] = name + "_" + std::to_string(copy);
  }
  return legal;
}

}  // namespace petal
