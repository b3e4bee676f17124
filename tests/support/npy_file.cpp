// SPDX-License-Identifier: Apache-2.0
#include "support/npy_file.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace petal::test {
namespace {

constexpr std::size_t kPreamble = 10;  // magic, version 1.0, length of the header

double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10U) & 0x1F;
  const int fraction = bits & 0x3FF;
  double magnitude = 0.0;
  if (exponent == 0x1F)
    magnitude =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

template <typename Element>
Element element_at(const std::string& bytes, std::size_t offset) {
  Element element{};
  std::memcpy(&element, bytes.data() + offset, sizeof(Element));
  return element;
}

std::size_t element_size(const std::string& descr) {
  if (descr == "<f4") return 4;
  if (descr == "<f2") return 2;
  if (descr == "|b1") return 1;
  if (descr == "<i8") return 8;
  throw std::runtime_error("cannot read .npy elements " + descr);
}

double value_at(const std::string& descr, const std::string& bytes, std::size_t offset) {
  if (descr == "<f4") return static_cast<double>(element_at<float>(bytes, offset));
  if (descr == "<f2") return half_to_double(element_at<std::uint16_t>(bytes, offset));
  if (descr == "|b1") return bytes[offset] != 0 ? 1.0 : 0.0;
  return static_cast<double>(element_at<std::int64_t>(bytes, offset));
}

/// What stands behind `'key': ` in the header, up to `end`.
std::string field_of(const std::string& header, const std::string& key, char end) {
  const std::string label = "'" + key + "': ";
  const std::size_t start = header.find(label);
  if (start == std::string::npos) throw std::runtime_error("no " + key + " in .npy header");
  const std::size_t first = start + label.size();
  return header.substr(first, header.find(end, first + 1) - first + 1);
}

Dims shape_of(const std::string& text) {
  Dims shape;
  for (std::size_t at = text.find_first_of("0123456789"); at != std::string::npos;) {
    const std::size_t end = text.find_first_not_of("0123456789", at);
    shape.push_back(std::stoull(text.substr(at, end - at)));
    at = text.find_first_of("0123456789", end);
  }
  return shape;
}

}  // namespace

NpyFile read_npy_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() < kPreamble || bytes.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0)
    throw std::runtime_error(path + " is no .npy file of version 1.0");
  const std::size_t data = kPreamble + element_at<std::uint16_t>(bytes, 8);
  const std::string header = bytes.substr(kPreamble, data - kPreamble);
  NpyFile npy;
  const std::string quoted = field_of(header, "descr", '\'');
  npy.descr = quoted.substr(1, quoted.size() - 2);
  npy.shape = shape_of(field_of(header, "shape", ')'));
  const std::size_t size = element_size(npy.descr);
  if (bytes.size() != data + npy.shape.product() * size)
    throw std::runtime_error(path + " does not have the bytes of its shape");
  for (std::size_t offset = data; offset < bytes.size(); offset += size)
    npy.values.push_back(value_at(npy.descr, bytes, offset));
  return npy;
}

}  // namespace petal::test
