// SPDX-License-Identifier: Apache-2.0
#include "petal/command/json_fields.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "petal/command/error.hpp"

namespace petal {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxDepth = 32;

Json parse(const std::string& line) {
  std::set<std::string> keys;
  const Json::parser_callback_t look = [&keys](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kMaxDepth)
      throw DecodeError(fmt::format("JSON nested deeper than {}; flatten it", kMaxDepth));
    if (event == Json::parse_event_t::key && depth == 1 && !keys.insert(parsed.get<std::string>()).second)
      throw DecodeError(fmt::format("field '{}' stands twice; keep one", parsed.get<std::string>()));
    return true;
  };
  try {
    return Json::parse(line, look);
  } catch (const Json::exception&) {
    throw DecodeError("the line is not JSON; it may be cut off or damaged");
  }
}

unsigned digit_of(char character) {
  constexpr unsigned kTen = 10;
  if (character >= '0' && character <= '9') return static_cast<unsigned>(character - '0');
  if (character >= 'a' && character <= 'f') return static_cast<unsigned>(character - 'a') + kTen;
  if (character >= 'A' && character <= 'F') return static_cast<unsigned>(character - 'A') + kTen;
  throw DecodeError(fmt::format("byte {:#04x} is no hex digit; use 0 to 9 and a to f",
                                static_cast<unsigned>(static_cast<unsigned char>(character))));
}

[[noreturn]] void refuse(const char* key, const Json& value, const char* expected) {
  throw DecodeError(fmt::format("field '{}' is a JSON {}; it must be {}", key, value.type_name(), expected));
}

}  // namespace

JsonFields::JsonFields(const std::string& line) : object_(std::make_unique<Json>(parse(line))) {
  if (!object_->is_object()) throw DecodeError("the line is not a JSON object; write {\"key\":value,...}");
}

JsonFields::~JsonFields() = default;

bool JsonFields::has(const char* key) const {
  return object_->contains(key);
}

const Json& JsonFields::value(const char* key) {
  const auto found = object_->find(key);
  if (found == object_->end()) throw DecodeError(fmt::format("field '{}' is missing", key));
  asked_.insert(key);
  return *found;
}

std::uint64_t JsonFields::number(const char* key, std::uint64_t most) {
  const Json& number = value(key);
  if (!number.is_number_unsigned()) refuse(key, number, "an integer of 0 or more");
  const auto result = number.get<std::uint64_t>();
  if (result > most)
    throw DecodeError(fmt::format("field '{}' is {}; it must be at most {}", key, result, most));
  return result;
}

std::uint32_t JsonFields::number32(const char* key) {
  return static_cast<std::uint32_t>(number(key, std::numeric_limits<std::uint32_t>::max()));
}

std::vector<std::uint64_t> JsonFields::numbers(const char* key) {
  const Json& list = value(key);
  if (!list.is_array()) refuse(key, list, "a list of integers");
  std::vector<std::uint64_t> result;
  for (const Json& number : list) {
    if (!number.is_number_unsigned()) refuse(key, number, "a list of integers of 0 or more");
    result.push_back(number.get<std::uint64_t>());
  }
  return result;
}

bool JsonFields::boolean(const char* key) {
  const Json& truth = value(key);
  if (!truth.is_boolean()) refuse(key, truth, "true or false");
  return truth.get<bool>();
}

std::string JsonFields::text(const char* key) {
  const Json& string = value(key);
  if (!string.is_string()) refuse(key, string, "a string");
  return string.get<std::string>();
}

std::vector<std::byte> JsonFields::hex(const char* key) {
  constexpr unsigned kBitsADigit = 4;
  const std::string digits = text(key);
  if (digits.size() % 2 != 0)
    throw DecodeError(fmt::format("field '{}' has {} hex digits; bytes have two each", key, digits.size()));
  std::vector<std::byte> bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t index = 0; index < digits.size(); index += 2)
    bytes.push_back(
        static_cast<std::byte>(digit_of(digits[index]) << kBitsADigit | digit_of(digits[index + 1])));
  return bytes;
}

std::string JsonFields::json(const char* key) {
  return value(key).dump();
}

void JsonFields::expect_no_more() const {
  for (const auto& item : object_->items())
    if (asked_.count(item.key()) == 0)
      throw DecodeError(fmt::format("field '{}' does not belong here; remove it", item.key()));
}

}  // namespace petal
