// SPDX-License-Identifier: Apache-2.0
//
// The types a configuration key can have. A type knows how to read a value, what it allows, in words, and how
// to write a value back so that it reads as the same.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "petal/config/yaml_tree.hpp"

namespace petal {

/// A value of any type. monostate: an optional key that has none.
using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string, std::vector<std::string>,
                           std::int64_t>;

/// A value, or why the text is none (then `problem` is not empty).
struct ParsedValue {
  Value value;
  std::string problem;
};

/// One type with its limits.
struct ValueType {
  std::string name;     ///< "real", "integer", "bytes", "rate", "boolean", "word", "text", "list"
  std::string allowed;  ///< the limits, in words: "from 1 to 64"
  std::function<ParsedValue(const YamlNode&)> parse;
  std::string none_word{};  ///< how "no value" is written; empty: it is not
};

/// A finite real number, `low` to `high`, both allowed.
ValueType real_type(double low, double high);
/// A finite real number above 0 and up to `high`.
ValueType share_type(double high);
/// A real number, `low` to `high`, or the word `unlimited`, which is the value 0.
ValueType rate_type(double low, double high);
/// A whole number, `low` to `high`.
ValueType integer_type(std::uint64_t low, std::uint64_t high);
/// A whole number that may be negative, `low` to `high`.
ValueType signed_integer_type(std::int64_t low, std::int64_t high);
/// What `type` reads, or the word `none` for no value.
ValueType or_none(ValueType type);
/// A number of bytes, `low` to `high`, with or without a unit KiB, MiB, GiB.
ValueType bytes_type(std::uint64_t low, std::uint64_t high);
/// The same, and a power of two.
ValueType power_of_two_bytes_type(std::uint64_t low, std::uint64_t high);
/// Exactly `true` or `false`: no other spelling, no quotes.
ValueType boolean_type();
/// 0 or 1, as ONNX writes a flag, or false or true.
ValueType flag_type();
/// One of `words`.
ValueType word_type(std::vector<std::string> words);
/// Any text that is not empty.
ValueType text_type();
/// A list of words, each at most once; it may be empty.
ValueType word_list_type(std::vector<std::string> words);
/// A list of texts, none empty, at least one.
ValueType text_list_type();
/// A list of finite real numbers, `low` to `high`, at least one; kept as they are written.
ValueType number_list_type(double low, double high);

/// The value as JSON; a rate of 0 is "unlimited". Nothing (null) for an optional key without a value, unless
/// the type has a word for that.
nlohmann::ordered_json json_of(const ValueType& type, const Value& value);
/// The value as it is written in a scenario file.
std::string text_of(const ValueType& type, const Value& value);

}  // namespace petal
