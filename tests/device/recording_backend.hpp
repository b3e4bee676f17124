// SPDX-License-Identifier: Apache-2.0
//
// RecordingBackend: registers that keep what is written and remember when it takes effect.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "petal/device/register_backend.hpp"
#include "petal/device/register_block.hpp"

namespace petal {

class RecordingBackend : public RegisterBackend {
 public:
  struct Write {
    RegisterId id;
    std::uint32_t value;
    sc_core::sc_time now;
    sc_core::sc_time delay;
  };

  std::uint32_t read(RegisterId id) const override { return block.read(id); }
  void write(RegisterId id, std::uint32_t value, const sc_core::sc_time& delay) override {
    writes.push_back({id, value, sc_core::sc_time_stamp(), delay});
    block.write(id, value);
  }

  RegisterBlock block;
  std::vector<Write> writes;
};

}  // namespace petal
