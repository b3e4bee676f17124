// SPDX-License-Identifier: Apache-2.0
#include "petal/host/segmentation.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "petal/command/error.hpp"

namespace petal {
namespace {

/// One past the last op that cannot be parted from op `first`.
std::uint32_t end_of_group(const std::vector<OpSpec>& ops, std::uint32_t first,
                           std::optional<std::size_t> gemm) {
  std::uint32_t end = first + 1;
  if (gemm != first) return end;
  for (std::uint32_t index = end; index < ops.size(); ++index)
    if (ops[index].scope != Scope::kernel) end = index + 1;
  return end;
}

std::string describe_group(const std::vector<OpSpec>& ops, std::uint32_t first, std::uint32_t end) {
  std::string names(name_of(ops[first].kind));
  for (std::uint32_t index = first + 1; index < end; ++index)
    names += fmt::format(" + {}", name_of(ops[index].kind));
  return names;
}

void require_within_cap(const std::string& what, Bytes bytes, Bytes cap) {
  if (bytes <= cap) return;
  throw EmitError(
      "composite", "",
      fmt::format("{} takes {} logical bytes and cannot be cut, but the cap is {}", what, bytes.count(),
                  cap.count()),
      fmt::format("raise pe_cost_model.max_composite_logical_bytes to {} or more, or fuse fewer ops",
                  bytes.count()));
}

}  // namespace

std::vector<CompositeSegment> segment_composite(const CompositeCmd& composite, Bytes cap) {
  const auto op_count = static_cast<std::uint32_t>(composite.ops.size());
  Bytes total = header_bytes(composite);
  for (const OpSpec& op : composite.ops) total += logical_bytes(op);
  if (total <= cap) return {{total, 0, op_count}};

  const std::optional<std::size_t> gemm = gemm_index(composite.ops);
  std::vector<CompositeSegment> segments{{header_bytes(composite), 0, 0}};
  require_within_cap("the header (framing and rw_handles)", segments.front().logical_bytes, cap);
  for (std::uint32_t first = 0; first < op_count;) {
    const std::uint32_t end = end_of_group(composite.ops, first, gemm);
    Bytes bytes(0);
    for (std::uint32_t index = first; index < end; ++index) bytes += logical_bytes(composite.ops[index]);
    require_within_cap(describe_group(composite.ops, first, end), bytes, cap);
    if (segments.back().logical_bytes + bytes > cap) segments.push_back({Bytes(0), first, first});
    segments.back().logical_bytes += bytes;
    segments.back().last_op = end;
    first = end;
  }
  return segments;
}

}  // namespace petal
