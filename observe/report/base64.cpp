// SPDX-License-Identifier: Apache-2.0
#include "petal/report/base64.hpp"

namespace petal {

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t index = 0; index < bytes.size(); index += 3) {
    const std::size_t count = bytes.size() - index < 3 ? bytes.size() - index : 3;
    std::uint32_t group = 0;
    for (std::size_t byte = 0; byte < 3; ++byte)
      group = group << 8U | (byte < count ? bytes[index + byte] : 0U);
    for (std::size_t digit = 0; digit < 4; ++digit)
      text += digit <= count ? kDigits[group >> (18U - 6U * digit) & 63U] : '=';
  }
  return text;
}

}  // namespace petal
