// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "petal/config/platform_config.hpp"
#include "petal/report/report_facts.hpp"

namespace petal {

/// What a report needs to know of `platform`; `scenario` is what the page calls it.
ReportFacts report_facts(const std::string& scenario, const PlatformConfig& platform);

}  // namespace petal
