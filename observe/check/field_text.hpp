// SPDX-License-Identifier: Apache-2.0
//
// Readers of single CSV fields. Each takes the whole field or nothing: no signs, blanks or trailing text.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "petal/check/log_row.hpp"

namespace petal::check {

/// The pieces of `text` between `separator`s; one empty piece for an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

std::optional<std::uint64_t> whole_number(std::string_view field);
/// Up to 2^61, so that sums of two times cannot overflow.
std::optional<Time> time_of(std::string_view field);
/// Finite and not negative.
std::optional<double> real_number(std::string_view field);
/// `space:0xaddr+len;...` with no empty range; an empty field is an empty list.
std::optional<std::vector<LogRange>> ranges_of(std::string_view field);
/// `id;id;...`; an empty field is an empty list.
std::optional<std::vector<std::uint64_t>> ids_of(std::string_view field);
/// Lower-case letters, digits and underscores, at least one.
bool is_name(std::string_view field);

}  // namespace petal::check
