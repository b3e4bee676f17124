// SPDX-License-Identifier: Apache-2.0
//
// CommandCatalog: the distinct commands that a kernel issues. Two commands are the same if they differ only
// in addresses and completions: what they cost to issue, and what they do, is then the same.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "petal/command/command_sink.hpp"

namespace petal {

struct CatalogEntry {
  CommandSlice example;     ///< the first one issued
  std::uint64_t count = 0;  ///< how many were issued
};

class CommandCatalog : public CommandSink {
 public:
  void issue(const IssueRequest& request) override;
  void wait(const std::vector<CompletionId>&) override {}
  void overhead(const OverheadCmd&) override {}

  /// In the order of first use.
  const std::vector<CatalogEntry>& entries() const { return entries_; }

 private:
  std::vector<CatalogEntry> entries_;
  std::map<std::string, std::size_t> index_;
};

/// One field of a slice and the bytes it costs (SPEC 1.1).
struct CommandField {
  std::string name;
  std::string value;
  Bytes bytes{0};
};

/// The fields of `slice` in wire order; their bytes add up to its logical_bytes.
std::vector<CommandField> fields_of(const CommandSlice& slice);

}  // namespace petal
