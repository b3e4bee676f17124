// SPDX-License-Identifier: Apache-2.0
//
// What GTKWave needs to show a waveform well, beside the VCD file F.vcd: F.gtkw, a save file with a group for
// each PE, colours and a view of the first tiles; and F.states, the translate file that gives states their
// names. They name each other without a folder, so the three can be moved together.
#pragma once

#include <string>

#include "petal/waveform/vcd_file.hpp"

namespace petal {

/// The part of a run that a viewer shows first.
struct WaveformView {
  Picoseconds from{0};
  Picoseconds to{0};
};

/// The text of the save file of the waveform in `vcd_name`, of `save_name`, which uses `states_name`: names
/// without a folder.
std::string gtkwave_save_text(const std::string& vcd_name, const std::string& save_name,
                              const std::string& states_name, const VcdLayout& layout,
                              const WaveformView& view);

/// The text of the translate file: `code name`, codes in hexadecimal.
std::string gtkwave_states_text();

/// Writes both beside the file at `vcd_path`; nothing if that is a pipe or a device. Throws ConfigError if
/// one cannot be written.
void write_gtkwave_files(const std::string& vcd_path, const VcdLayout& layout, const WaveformView& view);

}  // namespace petal
