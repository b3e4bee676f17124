// SPDX-License-Identifier: Apache-2.0
#include "petal/command/completion_record.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/command/tensor_handle.hpp"

namespace petal {
namespace {

constexpr unsigned kStatusShift = 24;

}  // namespace

std::vector<std::byte> encode_completion_record(const CompletionRecord& record) {
  WireWriter writer(kCompletionRecordBytes);
  writer.u32(record.number + 1);
  writer.u32(record.completion | static_cast<std::uint32_t>(record.status) << kStatusShift);
  writer.u64(record.fault_address);
  return writer.take();
}

CompletionRecord decode_completion_record(ByteView bytes) {
  if (bytes.size != kCompletionRecordBytes)
    throw DecodeError(
        fmt::format("a completion record is {} bytes, not {}", kCompletionRecordBytes, bytes.size));
  WireReader reader(bytes);
  CompletionRecord record;
  record.number = reader.u32("number") - 1;
  const std::uint32_t word = reader.u32("completion");
  record.completion = static_cast<std::uint32_t>(word % kWireCompletionModulus);
  const auto status = completion_status_of(word >> kStatusShift);
  if (!status)
    throw DecodeError(
        fmt::format("completion record {} has the unknown status {}", record.number, word >> kStatusShift));
  record.status = *status;
  record.fault_address = reader.u64("fault address");
  return record;
}

}  // namespace petal
