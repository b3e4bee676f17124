// SPDX-License-Identifier: Apache-2.0
//
// NpyHeader: what the text at the head of a .npy file says, a literal of a Python dictionary such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace petal {

struct NpyHeader {
  std::string descr;
  bool fortran_order = false;  ///< the first axis is the fastest
  std::vector<std::uint64_t> shape;
};

/// Throws NpyError naming `file` if `text` is no such literal, or a key is missing, unknown or given twice.
NpyHeader parse_npy_header(std::string_view text, const std::string& file);

/// The literal, without padding.
std::string npy_header_text(const NpyHeader& header);

}  // namespace petal
