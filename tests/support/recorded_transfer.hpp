// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "petal/bus/bus_transfer.hpp"

namespace petal::test {

/// A transfer that writes down when it was called back. Reads start from 0xCC in every byte, writes from what
/// is put in.
class RecordedTransfer : public BusTransfer {
 public:
  RecordedTransfer(tlm::tlm_command what, const AccessPattern& where) {
    command = what;
    pattern = where;
    bytes.assign(where.bytes().count(), std::byte{0xCC});
    data = bytes.data();
  }

  void accepted() override {
    ++accepted_calls;
    accepted_at = sc_core::sc_time_stamp();
    if (when_accepted) when_accepted();
  }
  void answered() override {
    ++answered_calls;
    answered_at = sc_core::sc_time_stamp();
    if (when_answered) when_answered();
  }

  std::vector<std::byte> bytes;
  std::function<void()> when_accepted;
  std::function<void()> when_answered;
  int accepted_calls = 0;
  int answered_calls = 0;
  sc_core::sc_time accepted_at;
  sc_core::sc_time answered_at;
};

}  // namespace petal::test
