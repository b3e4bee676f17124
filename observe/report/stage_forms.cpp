// SPDX-License-Identifier: Apache-2.0
#include "petal/report/stage_forms.hpp"

namespace petal {

StageForms::Id StageForms::id_of(const StageEvent& stage) {
  const Key key{names_.id_of(stage.op), stage.op_index, stage.bytes, stage.elements, stage.macs,
                stage.segment,          stage.segments};
  const auto [entry, is_new] = ids_.try_emplace(key, static_cast<Id>(forms_.size()));
  if (is_new)
    forms_.push_back({std::string(stage.op), stage.op_index, stage.bytes, stage.elements, stage.macs,
                      stage.segment, stage.segments});
  return entry->second;
}

}  // namespace petal
