// SPDX-License-Identifier: Apache-2.0
//
// JsonFields: one line of a JSON Lines file as named fields of known types. Nothing in it is taken on trust:
// a field that is missing, doubled, of another type or not asked for is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

namespace petal {

/// Every function throws DecodeError, whose message names the field; the caller knows file and line.
class JsonFields {
 public:
  /// Throws for a line that is not one JSON object, and for nesting deeper than 32.
  explicit JsonFields(const std::string& line);
  ~JsonFields();
  JsonFields(const JsonFields&) = delete;
  JsonFields& operator=(const JsonFields&) = delete;

  bool has(const char* key) const;
  /// An unsigned integer of at most `most`.
  std::uint64_t number(const char* key, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  std::uint32_t number32(const char* key);
  std::vector<std::uint64_t> numbers(const char* key);
  bool boolean(const char* key);
  std::string text(const char* key);
  /// Bytes written as an even number of hex digits.
  std::vector<std::byte> hex(const char* key);
  /// Any value, as JSON text without spaces.
  std::string json(const char* key);

  /// To be called when all fields have been asked for. Throws for one that has not.
  void expect_no_more() const;

 private:
  const nlohmann::ordered_json& value(const char* key);

  std::unique_ptr<nlohmann::ordered_json> object_;
  std::set<std::string> asked_;
};

}  // namespace petal
