// SPDX-License-Identifier: Apache-2.0
//
// Numbers as people write them in a scenario file: decimal, with a point and an exponent if they like.
//
// Read here, strictly, and not by the YAML library, which takes `010` for eight and falls back to a default
// on text it cannot convert. Leading zeros are refused because YAML readers disagree on them; so are NaN,
// infinity, hexadecimal, digit separators, surrounding text and numbers beyond the range of the type.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace petal {

/// "8e1", "-0.5", ".5", "+3": a finite real number; nothing for any other text.
std::optional<double> parse_real(std::string_view text);

/// A real number that is whole and not negative: "80", "8e1" and "80.0" are 80. Nothing for any other text.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// A number of bytes: a whole number, or a number and one of the units KiB, MiB, GiB that make a whole number
/// of bytes ("1.5 KiB" is 1536). Nothing for any other text.
std::optional<std::uint64_t> parse_byte_size(std::string_view text);

}  // namespace petal
