// SPDX-License-Identifier: Apache-2.0
#include "petal/npy/npy_array.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "petal/numerics/element_codec.hpp"

namespace petal {
namespace {

struct ItemType {
  std::string_view descr;
  std::uint64_t bytes;
};

constexpr ItemType kItemTypes[] = {{"<f4", 4}, {"<f2", 2}, {"<f8", 8}, {"|b1", 1},
                                   {"|i1", 1}, {"<i4", 4}, {"<i8", 8}};

template <typename Item>
std::vector<double> converted(const NpyArray& array) {
  std::vector<Item> items(array.elements());
  if (!items.empty()) std::memcpy(items.data(), array.data.data(), items.size() * sizeof(Item));
  return {items.begin(), items.end()};
}

std::vector<float> decoded(const std::vector<std::byte>& stored, DType dtype) {
  std::vector<float> values(stored.size() / size_of(dtype));
  decode(stored.data(), dtype, values.data(), values.size());
  return values;
}

std::vector<double> converted_by_codec(const NpyArray& array, DType dtype) {
  const std::vector<float> values = decoded(array.data, dtype);
  return {values.begin(), values.end()};
}

std::string_view descr_of(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return "<f2";
    case DType::i8:
      return "|i1";
    case DType::i32:
      return "<i4";
    case DType::boolean:
      return "|b1";
    default:
      return "<f4";
  }
}

}  // namespace

std::uint64_t NpyArray::elements() const {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

std::optional<std::uint64_t> npy_item_bytes(std::string_view descr) {
  const auto* const found = std::find_if(std::begin(kItemTypes), std::end(kItemTypes),
                                         [&](const ItemType& type) { return type.descr == descr; });
  return found == std::end(kItemTypes) ? std::nullopt : std::optional<std::uint64_t>(found->bytes);
}

std::vector<double> as_doubles(const NpyArray& array) {
  if (array.descr == "<f8") return converted<double>(array);
  if (array.descr == "<f4") return converted<float>(array);
  if (array.descr == "<i4") return converted<std::int32_t>(array);
  if (array.descr == "<i8") return converted<std::int64_t>(array);
  if (array.descr == "|i1") return converted<std::int8_t>(array);
  return converted_by_codec(array, array.descr == "<f2" ? DType::f16 : DType::boolean);
}

std::vector<std::byte> as_elements(const NpyArray& array, DType dtype) {
  const std::vector<double> values = as_doubles(array);
  std::vector<std::byte> stored(values.size() * size_of(dtype));
  encode_double(values.data(), dtype, stored.data(), values.size());
  return stored;
}

NpyArray npy_of_elements(const std::vector<std::byte>& stored, DType dtype,
                         std::vector<std::uint64_t> shape) {
  NpyArray array{std::string(descr_of(dtype)), std::move(shape), stored};
  if (*npy_item_bytes(array.descr) == size_of(dtype)) return array;
  const std::vector<float> values = decoded(stored, dtype);
  array.data.resize(values.size() * sizeof(float));
  encode(values.data(), DType::f32, array.data.data(), values.size());
  return array;
}

}  // namespace petal
