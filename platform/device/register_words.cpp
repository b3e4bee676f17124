// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_words.hpp"

#include <fmt/format.h>

namespace petal {

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

std::string bits_text(unsigned low, unsigned width) {
  return width == 1 ? fmt::format("{}", low) : fmt::format("{}:{}", low + width - 1, low);
}

}  // namespace petal
