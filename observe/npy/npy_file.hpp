// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes .npy files, as specified by NumPy's numpy.lib.format: versions 1.0, 2.0 and 3.0 are
// read, 1.0 is written. A file is untrusted: its sizes are checked before they are believed.
#pragma once

#include <iosfwd>
#include <string>

#include "petal/npy/npy_array.hpp"
#include "petal/npy/npy_error.hpp"

namespace petal {

/// The array in the file; one in Fortran order is put into C order. Throws NpyError if the file cannot be
/// opened, is no .npy file or a damaged one, has an element type PETAL does not read, ends too early, or goes
/// on after the array.
NpyArray read_npy(const std::string& path);
/// The same from a stream of which errors say that it is `name`.
NpyArray read_npy(std::istream& in, const std::string& name);

/// Throws NpyError if the file cannot be written completely (a full disk included), and std::invalid_argument
/// if the data does not fit the array's type and shape.
void write_npy(const std::string& path, const NpyArray& array);
/// The caller looks at the stream's state afterwards.
void write_npy(std::ostream& out, const NpyArray& array);

}  // namespace petal
