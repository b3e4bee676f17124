// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "petal/plot/figure.hpp"

namespace petal {

/// A gnuplot script, complete with its data, that draws `figure` into STEM.svg and STEM.png of the folder it
/// is run in. Points that a logarithmic axis cannot show are left out. Texts are drawn as they are: none of
/// them can be a command.
std::string gnuplot_script(const Figure& figure, const std::string& stem);

}  // namespace petal
