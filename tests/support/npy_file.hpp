// SPDX-License-Identifier: Apache-2.0
//
// Reads the .npy files of the test data: little-endian f32, f16, bool and i64 in C order.
#pragma once

#include <string>
#include <vector>

#include "petal/command/dims.hpp"

namespace petal::test {

struct NpyFile {
  std::string descr;  ///< "<f4", "<f2", "|b1" or "<i8"
  Dims shape;
  std::vector<double> values;  ///< row-major
};

/// Throws std::runtime_error for a file that is none of these.
NpyFile read_npy_file(const std::string& path);

}  // namespace petal::test
