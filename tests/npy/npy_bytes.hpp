// SPDX-License-Identifier: Apache-2.0
//
// The bytes of .npy files, put together by hand from NumPy's description of the format.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "petal/npy/npy_array.hpp"

namespace petal::test {

/// A file of version 1.0 with that header and those data.
inline std::string npy_bytes(const std::string& header, const std::string& data) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xFFU);
  bytes += static_cast<char>(header.size() >> 8U);
  return bytes + header + data;
}

/// Versions 2.0 and 3.0 have four bytes for the header's size.
inline std::string npy_bytes_of_version(int major, const std::string& header, const std::string& data) {
  std::string bytes("\x93NUMPY", 6);
  bytes += static_cast<char>(major);
  bytes += '\0';
  for (unsigned shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>((header.size() >> shift) & 0xFFU);
  return bytes + header + data;
}

inline std::string header_of(const std::string& descr, const std::string& shape,
                             const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

/// The values one after the other, as the host holds them.
template <typename T>
std::string raw(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<std::byte> stored(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

using Shape = std::vector<std::uint64_t>;
using Doubles = std::vector<double>;

}  // namespace petal::test
