// SPDX-License-Identifier: Apache-2.0
//
// The rules, each of one PE. What each says is in check_report.hpp.
#pragma once

#include "petal/check/command_timeline.hpp"
#include "petal/check/log_config.hpp"
#include "petal/check/violation_list.hpp"

namespace petal::check {

// cpu_rules.cpp
/// Rules `dispatch` and `cap`.
void check_dispatch(const PeTimeline& pe, const PeRules& rules, ViolationList& violations);
void check_cpu_serial(const PeTimeline& pe, ViolationList& violations);

// queue_rules.cpp
void check_order(const PeTimeline& pe, ViolationList& violations);
void check_queue_capacity(const PeTimeline& pe, const PeRules& rules, ViolationList& violations);
void check_window(const PeTimeline& pe, const PeRules& rules, ViolationList& violations);

// completion_rules.cpp
void check_completion(const PeTimeline& pe, ViolationList& violations);
void check_segment_chain(const PeTimeline& pe, ViolationList& violations);

// engine_rules.cpp
void check_engine_exclusive(const PeTimeline& pe, const PeRules& rules, ViolationList& violations);
void check_dma_outstanding(const PeTimeline& pe, const PeRules& rules, ViolationList& violations);

// hazard_rules.cpp
void check_hazards(const PeTimeline& pe, const PeRules& rules, ViolationList& violations);
void check_ranges(const PeTimeline& pe, const PeRules& rules, ViolationList& violations);

// stage_order_rules.cpp
void check_stage_order(const PeTimeline& pe, ViolationList& violations);

// staging_rules.cpp
void check_staging(const PeTimeline& pe, const PeRules& rules, ViolationList& violations);

// duration_rules.cpp
void check_durations(const PeTimeline& pe, const PeRules& rules, ViolationList& violations);

// systolic_rules.cpp
/// The part of the duration rule for GEMM stages of a systolic array. Precondition: `rules` has one.
void check_systolic_durations(const PeTimeline& pe, const PeRules& rules, ViolationList& violations);

}  // namespace petal::check
