// SPDX-License-Identifier: Apache-2.0
//
// StageForms: the distinct stages of a run, apart from when they ran and on which tile. A run has many stages
// of few forms.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "petal/observe/event.hpp"
#include "petal/observe/name_table.hpp"

namespace petal {

struct StageForm {
  std::string op;
  std::uint32_t op_index = 0;
  std::uint64_t bytes = 0;
  std::uint64_t elements = 0;
  std::uint64_t macs = 0;
  std::uint32_t segment = 0;
  std::uint32_t segments = 1;
};

class StageForms {
 public:
  using Id = std::uint32_t;

  /// The number of the form of `stage`, a new one at its first use.
  Id id_of(const StageEvent& stage);
  const std::vector<StageForm>& forms() const { return forms_; }

 private:
  /// Op, op_index, bytes, elements, MACs, segment, segments.
  using Key = std::tuple<NameTable::Id, std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t,
                         std::uint32_t, std::uint32_t>;

  NameTable names_;
  std::map<Key, Id> ids_;
  std::vector<StageForm> forms_;
};

}  // namespace petal
