// SPDX-License-Identifier: Apache-2.0
//
// CommandClasses: the distinct commands of a run. Commands of one class have the same kind, ops and size, so
// they cost the same to issue.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "petal/command/command_sink.hpp"

namespace petal {

struct CommandClass {
  std::string kind;  ///< "CompositeCmd"
  std::string op;    ///< "gemm": the spelling of logs
  std::string ops;   ///< of a slice of a composite, in order: "rmax, max_elem, gemm"; empty for primitives
  Bytes logical_bytes{0};
  std::uint32_t segment = 0;
  std::uint32_t segments = 1;
};

class CommandClasses {
 public:
  using Id = std::uint32_t;

  /// The number of the class of `slice`, a new one at its first use.
  Id id_of(const CommandSlice& slice);
  const std::vector<CommandClass>& classes() const { return classes_; }

 private:
  /// Kind, opcodes, bytes, segment, segments.
  using Key = std::tuple<std::size_t, std::string, std::uint64_t, std::uint32_t, std::uint32_t>;

  std::map<Key, Id> ids_;
  std::vector<CommandClass> classes_;
};

}  // namespace petal
