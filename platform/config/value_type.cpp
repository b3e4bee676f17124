// SPDX-License-Identifier: Apache-2.0
#include "petal/config/value_type.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "petal/config/nearest_name.hpp"
#include "petal/config/number_text.hpp"

namespace petal {

namespace {

constexpr const char* kUnlimited = "unlimited";
constexpr const char* kNone = "none";

ParsedValue refuse(std::string problem) {
  return {Value{}, std::move(problem)};
}

// A number in quotes is text to YAML; taking it would make the file mean something else to other readers.
bool is_plain(const YamlNode& node) {
  return node.kind == YamlNode::Kind::scalar && !node.quoted;
}

// Wraps a parser of plain text; `demand` is what every refusal says.
template <typename T>
std::function<ParsedValue(const YamlNode&)> plain_parser(
    std::string demand, std::function<std::optional<T>(const std::string&)> read) {
  return [demand = std::move(demand), read = std::move(read)](const YamlNode& node) {
    if (is_plain(node))
      if (const std::optional<T> value = read(node.text)) return ParsedValue{Value{*value}, {}};
    return refuse("must be " + demand + (node.quoted ? ", without quotes" : ""));
  };
}

std::optional<std::int64_t> parse_signed(const std::string& text) {
  const bool is_negative = !text.empty() && text.front() == '-';
  const std::optional<std::uint64_t> magnitude = parse_unsigned(is_negative ? text.substr(1) : text);
  if (!magnitude || *magnitude > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return std::nullopt;
  const auto value = static_cast<std::int64_t>(*magnitude);
  return is_negative ? -value : value;
}

std::optional<double> real_between(const std::string& text, double low, double high) {
  const std::optional<double> value = parse_real(text);
  return value && *value >= low && *value <= high ? value : std::nullopt;
}

ValueType byte_type(std::uint64_t low, std::uint64_t high, bool power_of_two) {
  const std::string allowed =
      fmt::format("{}from {} to {}", power_of_two ? "a power of two, " : "", low, high);
  return {
      "bytes", allowed,
      plain_parser<std::uint64_t>(fmt::format("a number of bytes, {} (KiB, MiB, GiB may follow)", allowed),
                                  [=](const std::string& text) {
                                    std::optional<std::uint64_t> value = parse_byte_size(text);
                                    if (!value || *value < low || *value > high) value.reset();
                                    if (value && power_of_two && (*value & (*value - 1)) != 0) value.reset();
                                    return value;
                                  })};
}

std::string problem_with_word(const YamlNode& node, const std::vector<std::string>& words) {
  if (node.kind != YamlNode::Kind::scalar) return fmt::format("must be one of {}", fmt::join(words, ", "));
  if (std::find(words.begin(), words.end(), node.text) != words.end()) return {};
  return fmt::format("must be one of {}; nearest valid value '{}'", fmt::join(words, ", "),
                     nearest_name(node.text, words));
}

std::string problem_with_item(const YamlNode& item, const std::vector<std::string>& words,
                              const std::vector<std::string>& before) {
  if (std::string problem = problem_with_word(item, words); !problem.empty())
    return fmt::format("its entry {} {}", brief(item), problem);
  if (std::find(before.begin(), before.end(), item.text) != before.end())
    return fmt::format("its entry '{}' comes twice", item.text);
  return {};
}

}  // namespace

ValueType real_type(double low, double high) {
  const std::string allowed = fmt::format("from {} to {}", low, high);
  return {"real", allowed, plain_parser<double>("a real number " + allowed, [=](const std::string& text) {
            return real_between(text, low, high);
          })};
}

ValueType share_type(double high) {
  const std::string allowed = fmt::format("above 0, up to {}", high);
  return {"real", allowed, plain_parser<double>("a real number " + allowed, [=](const std::string& text) {
            const std::optional<double> value = real_between(text, 0.0, high);
            return value && *value > 0.0 ? value : std::nullopt;
          })};
}

ValueType rate_type(double low, double high) {
  const std::string allowed = fmt::format("from {} to {}, or {}", low, high, kUnlimited);
  const auto parse_number = plain_parser<double>(
      "a real number " + allowed, [=](const std::string& text) { return real_between(text, low, high); });
  return {"rate", allowed, [parse_number](const YamlNode& node) {
            // JSON, which a dump may be, can only write the word in quotes.
            if (node.kind == YamlNode::Kind::scalar && node.text == kUnlimited)
              return ParsedValue{Value{0.0}, {}};
            return parse_number(node);
          }};
}

ValueType integer_type(std::uint64_t low, std::uint64_t high) {
  const std::string allowed = fmt::format("from {} to {}", low, high);
  return {"integer", allowed,
          plain_parser<std::uint64_t>("a whole number " + allowed, [=](const std::string& text) {
            const std::optional<std::uint64_t> value = parse_unsigned(text);
            return value && *value >= low && *value <= high ? value : std::nullopt;
          })};
}

ValueType signed_integer_type(std::int64_t low, std::int64_t high) {
  const std::string allowed = fmt::format("from {} to {}", low, high);
  return {"integer", allowed,
          plain_parser<std::int64_t>("a whole number " + allowed, [=](const std::string& text) {
            const std::optional<std::int64_t> value = parse_signed(text);
            return value && *value >= low && *value <= high ? value : std::nullopt;
          })};
}

ValueType or_none(ValueType type) {
  type.allowed += fmt::format(", or {}", kNone);
  type.none_word = kNone;
  type.parse = [parse = type.parse](const YamlNode& node) {
    if (node.kind == YamlNode::Kind::scalar && node.text == kNone) return ParsedValue{};
    ParsedValue parsed = parse(node);
    if (!parsed.problem.empty()) parsed.problem += fmt::format(", or {}", kNone);
    return parsed;
  };
  return type;
}

ValueType bytes_type(std::uint64_t low, std::uint64_t high) {
  return byte_type(low, high, false);
}

ValueType power_of_two_bytes_type(std::uint64_t low, std::uint64_t high) {
  return byte_type(low, high, true);
}

ValueType boolean_type() {
  return {"boolean", "true or false",
          plain_parser<bool>("exactly true or false", [](const std::string& text) {
            std::optional<bool> value;
            if (text == "true" || text == "false") value = text == "true";
            return value;
          })};
}

ValueType flag_type() {
  return {"flag", "0 or 1, or false or true",
          plain_parser<bool>("0 or 1, or false or true", [](const std::string& text) {
            std::optional<bool> value;
            if (text == "1" || text == "true") value = true;
            if (text == "0" || text == "false") value = false;
            return value;
          })};
}

ValueType word_type(std::vector<std::string> words) {
  std::string allowed = fmt::format("{}", fmt::join(words, " | "));
  return {"word", std::move(allowed), [words = std::move(words)](const YamlNode& node) {
            std::string problem = problem_with_word(node, words);
            return problem.empty() ? ParsedValue{Value{node.text}, {}} : refuse(std::move(problem));
          }};
}

ValueType text_type() {
  return {"text", "not empty", [](const YamlNode& node) {
            const bool good = node.kind == YamlNode::Kind::scalar && !node.text.empty();
            return good ? ParsedValue{Value{node.text}, {}} : refuse("must be a text that is not empty");
          }};
}

ValueType word_list_type(std::vector<std::string> words) {
  std::string allowed = fmt::format("of {}", fmt::join(words, ", "));
  return {"list", std::move(allowed), [words = std::move(words)](const YamlNode& node) {
            if (node.kind != YamlNode::Kind::list)
              return refuse(fmt::format("must be a list of {}", fmt::join(words, ", ")));
            std::vector<std::string> list;
            for (const YamlNode* item : node.items) {
              if (std::string problem = problem_with_item(*item, words, list); !problem.empty())
                return refuse(std::move(problem));
              list.push_back(item->text);
            }
            return ParsedValue{Value{std::move(list)}, {}};
          }};
}

ValueType text_list_type() {
  return {"list", "of texts", [](const YamlNode& node) {
            std::vector<std::string> list;
            for (const YamlNode* item : node.items)
              if (item->kind == YamlNode::Kind::scalar && !item->text.empty()) list.push_back(item->text);
            const bool good =
                node.kind == YamlNode::Kind::list && !list.empty() && list.size() == node.items.size();
            return good ? ParsedValue{Value{std::move(list)}, {}}
                        : refuse("must be a list of texts, at least one, none empty");
          }};
}

ValueType number_list_type(double low, double high) {
  const std::string allowed = fmt::format("of real numbers from {} to {}", low, high);
  return {"list", allowed, [=](const YamlNode& node) {
            std::vector<std::string> list;
            for (const YamlNode* item : node.items)
              if (is_plain(*item) && real_between(item->text, low, high)) list.push_back(item->text);
            const bool good =
                node.kind == YamlNode::Kind::list && !list.empty() && list.size() == node.items.size();
            return good ? ParsedValue{Value{std::move(list)}, {}}
                        : refuse(fmt::format("must be a list {}, at least one", allowed));
          }};
}

nlohmann::ordered_json json_of(const ValueType& type, const Value& value) {
  if (type.name == "rate" && value == Value{0.0}) return kUnlimited;
  if (std::holds_alternative<std::monostate>(value) && !type.none_word.empty()) return type.none_word;
  return std::visit(
      [](const auto& v) -> nlohmann::ordered_json {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>)
          return nullptr;
        else
          return v;
      },
      value);
}

std::string text_of(const ValueType& type, const Value& value) {
  if (type.name == "rate" && value == Value{0.0}) return kUnlimited;
  if (const double* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* list = std::get_if<std::vector<std::string>>(&value))
    return fmt::format("[{}]", fmt::join(*list, ", "));
  return std::holds_alternative<std::monostate>(value) ? type.none_word : json_of(type, value).dump();
}

}  // namespace petal
