// SPDX-License-Identifier: Apache-2.0
//
// One key of the schema: its path, its type, what it is for, and the field of the typed configuration it
// stands for. The field is also where the key's default comes from.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "petal/command/units.hpp"
#include "petal/config/config_words.hpp"
#include "petal/config/platform_config.hpp"
#include "petal/config/value_type.hpp"

namespace petal {

/// The choice that brings a key into being: another key of the same owner, and the word it must have.
struct KeyCondition {
  std::string path;
  std::string word;
};

/// A key whose field lives in an `Owner` (PeConfig, HbmConfig, ...).
template <typename Owner>
struct ConfigKey {
  std::string path;  ///< below the owner's section: "attrs.pe_dma.outstanding"
  std::string unit;  ///< "cycles", "GB/s", ...; empty if it has none
  ValueType type;
  std::string doc;           ///< one line
  std::string default_note;  ///< in place of the owner's default, where the default follows from other keys
  std::function<Value(const Owner&)> get;
  std::function<void(Owner&, const Value&)> set;
  std::optional<KeyCondition> only_with = std::nullopt;  ///< without it the key is neither read nor dumped
};

/// The value of a field.
template <typename Field>
Value value_of(const Field& field) {
  if constexpr (std::is_same_v<Field, bool> || std::is_same_v<Field, std::int64_t>) {
    return field;
  } else if constexpr (std::is_enum_v<Field>) {
    for (const auto& [word, meaning] : words_of(field))
      if (meaning == field) return word;
    return Value{};
  } else if constexpr (std::is_integral_v<Field>) {
    return std::uint64_t{field};
  } else {
    return Value(field);
  }
}
inline Value value_of(const Bytes& field) {
  return field.count();
}
inline Value value_of(const Bandwidth& field) {
  return field.gb_per_s();
}
inline Value value_of(const ClockFrequency& field) {
  return field.gigahertz();
}
template <typename Field>
Value value_of(const std::optional<Field>& field) {
  return field ? value_of(*field) : Value{};
}
Value value_of(const EngineSet& engines);

/// Puts a value, which the key's type has accepted, into a field.
template <typename Field>
void put(Field& field, const Value& value) {
  if constexpr (std::is_same_v<Field, bool>) {
    field = std::get<bool>(value);
  } else if constexpr (std::is_enum_v<Field>) {
    for (const auto& [word, meaning] : words_of(field))
      if (word == std::get<std::string>(value)) field = meaning;
  } else if constexpr (std::is_same_v<Field, std::int64_t>) {
    field = std::get<std::int64_t>(value);
  } else if constexpr (std::is_integral_v<Field>) {
    field = static_cast<Field>(std::get<std::uint64_t>(value));
  } else {
    field = std::get<Field>(value);
  }
}
inline void put(Bytes& field, const Value& value) {
  field = Bytes(std::get<std::uint64_t>(value));
}
inline void put(Bandwidth& field, const Value& value) {
  field = Bandwidth(std::get<double>(value));
}
inline void put(ClockFrequency& field, const Value& value) {
  field = ClockFrequency(std::get<double>(value));
}
template <typename Field>
void put(std::optional<Field>& field, const Value& value) {
  field.reset();
  if (!std::holds_alternative<std::monostate>(value)) put(field.emplace(), value);
}
void put(EngineSet& engines, const Value& value);

/// A key for the field that `field_of` refers to; `field_of` takes the owner, const or not, by reference.
template <typename Owner, typename FieldOf>
ConfigKey<Owner> key_for(std::string path, std::string unit, ValueType type, std::string doc,
                         FieldOf field_of, std::string default_note = {}) {
  return {std::move(path),
          std::move(unit),
          std::move(type),
          std::move(doc),
          std::move(default_note),
          [field_of](const Owner& owner) { return value_of(field_of(owner)); },
          [field_of](Owner& owner, const Value& value) { put(field_of(owner), value); }};
}

}  // namespace petal
