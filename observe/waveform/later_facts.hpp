// SPDX-License-Identifier: Apache-2.0
//
// LaterFacts: what a reader of the event stream knows of times to come: when a DMA channel will be free, for
// one. A reader that writes in the order of time takes them out as their times come.
#pragma once

#include <cstdint>
#include <vector>

#include "petal/observe/event.hpp"

namespace petal {

/// A change that an event announced.
struct LaterFact {
  enum class Kind : std::uint8_t {
    port_free,  ///< `port`
    interrupt,  ///< to `level`
  };

  Picoseconds at;
  PeIndex pe = 0;
  Kind kind = Kind::port_free;
  EnginePort port = EnginePort::dma_read;
  bool level = false;
};

/// A heap, earliest first; among equals by PE and kind, so that nothing depends on the order of adding.
class LaterFacts {
 public:
  void add(const LaterFact& fact);
  /// When the earliest is due; kNever if there is none.
  Picoseconds next() const { return heap_.empty() ? kNever : heap_.front().at; }
  /// Precondition: there is one.
  LaterFact take();
  /// Those of `pe` will not come true.
  void forget(PeIndex pe);

 private:
  static bool is_later(const LaterFact& a, const LaterFact& b);

  std::vector<LaterFact> heap_;
};

}  // namespace petal
