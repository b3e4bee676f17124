// SPDX-License-Identifier: Apache-2.0
#include "petal/check/violation_list.hpp"

#include <utility>

namespace petal::check {

bool ViolationList::count(const char* rule) {
  ++report_.violations;
  ++report_.by_rule[rule];
  return report_.listed.size() < CheckReport::kMostListed;
}

void ViolationList::list(const char* rule, std::vector<std::uint64_t> rows, std::string text) {
  report_.listed.push_back({rule, std::move(rows), std::move(text)});
}

}  // namespace petal::check
