// SPDX-License-Identifier: Apache-2.0
#include "petal/waveform/later_facts.hpp"

#include <algorithm>

namespace petal {

bool LaterFacts::is_later(const LaterFact& a, const LaterFact& b) {
  if (a.at != b.at) return a.at > b.at;
  if (a.pe != b.pe) return a.pe > b.pe;
  return a.kind > b.kind;
}

void LaterFacts::add(const LaterFact& fact) {
  heap_.push_back(fact);
  std::push_heap(heap_.begin(), heap_.end(), is_later);
}

LaterFact LaterFacts::take() {
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  const LaterFact fact = heap_.back();
  heap_.pop_back();
  return fact;
}

void LaterFacts::forget(PeIndex pe) {
  heap_.erase(
      std::remove_if(heap_.begin(), heap_.end(), [pe](const LaterFact& fact) { return fact.pe == pe; }),
      heap_.end());
  std::make_heap(heap_.begin(), heap_.end(), is_later);
}

}  // namespace petal
