// SPDX-License-Identifier: Apache-2.0
#include "driver_bench.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "petal/command/fetched_tensors.hpp"
#include "petal/command/tensor_entry.hpp"
#include "petal/command/wire_codec.hpp"

namespace petal::test {
namespace {

constexpr std::uint64_t kRingAddress = 0x80001000;
constexpr std::uint64_t kTableAddress = 0x1'0000'2000;
constexpr std::uint64_t kCompletionsAddress = 0x90003000;

petal_scalar as_scalar(const ScalarValue& value) {
  if (const auto* const number = std::get_if<float>(&value)) return petal_f32(*number);
  return petal_i32(std::get<std::int32_t>(value));
}

std::vector<petal_scalar> as_scalars(const ScalarList& values) {
  std::vector<petal_scalar> scalars;
  for (const ScalarValue& value : values) scalars.push_back(as_scalar(value));
  return scalars;
}

/// Calls the driver's function for a command.
class DriverCall {
 public:
  DriverCall(petal_device& device, TensorTable& table, std::uint32_t* id)
      : device_(device), table_(table), id_(id) {}

  petal_result operator()(const DmaReadCmd& command) {
    const petal_ref src = ref(command.src);
    return petal_dma_read(&device_, src, ref(command.dst), command.nbytes, id_);
  }
  petal_result operator()(const DmaWriteCmd& command) {
    const petal_ref src = ref(command.src);
    return petal_dma_write(&device_, src, ref(command.dst), command.nbytes, id_);
  }
  petal_result operator()(const GemmCmd& command) {
    return petal_gemm(&device_, ref(command.a), ref(command.b), ref(command.out), command.m, command.k,
                      command.n, command.scale ? &*command.scale : nullptr, id_);
  }
  petal_result operator()(const MathCmd& command) {
    const auto operands = refs(command.operands);
    const auto scalars = as_scalars(command.extras);
    return petal_math(&device_, opcode(command.kind), operands.data(), ref(command.out), scalars.data(),
                      static_cast<std::uint32_t>(scalars.size()), id_);
  }
  petal_result operator()(const CompositeCmd& command) {
    const auto handles = refs(command.rw_handles);
    petal_composite(&device_, handles.data(), static_cast<std::uint32_t>(handles.size()),
                    static_cast<std::uint32_t>(command.ops.size()));
    for (const OpSpec& op : command.ops) {
      const auto operands = refs(op.operands);
      const auto scalars = as_scalars(op.extras);
      petal_op(&device_, opcode(op.kind), static_cast<petal_scope>(op.scope), operands.data(), ref(*op.out),
               scalars.data(), static_cast<std::uint32_t>(scalars.size()));
    }
    return petal_submit(&device_, id_);
  }
  petal_result operator()(const OverheadCmd& command) {
    return petal_overhead(&device_, command.cycles, id_);
  }

 private:
  static petal_opcode opcode(Opcode kind) { return static_cast<petal_opcode>(kind); }
  petal_ref ref(const TensorHandle& tensor) { return table_.intern(tensor); }
  template <typename Tensors>
  std::vector<petal_ref> refs(const Tensors& tensors) {
    std::vector<petal_ref> refs;
    for (const TensorHandle& tensor : tensors) refs.push_back(ref(tensor));
    return refs;
  }

  petal_device& device_;
  TensorTable& table_;
  std::uint32_t* id_;
};

}  // namespace

DriverBench::DriverBench(const BenchSizes& sizes)
    : sizes_(sizes),
      ring_(std::size_t{sizes.ring_slots} * sizes.slot_bytes / 8, 0xA5A5A5A5A5A5A5A5U),
      table_memory_(std::size_t{sizes.table_entries} * PETAL_TENSOR_BYTES / 8, 0xA5A5A5A5A5A5A5A5U),
      completions_(std::size_t{sizes.completion_records} * PETAL_COMPLETION_BYTES / 8, 0xA5A5A5A5A5A5A5A5U) {
  set(PETAL_REG_ID, PETAL_ID_VALUE);
  set(PETAL_REG_VERSION, PETAL_VERSION_VALUE);
  set(PETAL_REG_CAP_COMMAND_BYTES, sizes.cap);
  set(PETAL_REG_RING_HEAD, sizes.first_entry);
  config.registers = registers_.data();
  config.ring = {ring_.data(), kRingAddress};
  config.ring_slots = sizes.ring_slots;
  config.slot_bytes = sizes.slot_bytes;
  config.table = {table_memory_.data(), kTableAddress};
  config.table_entries = sizes.table_entries;
  config.completions = {completions_.data(), kCompletionsAddress};
  config.completion_records = sizes.completion_records;
  config.first_entry = sizes.first_entry;
}

void DriverBench::init() {
  BOOST_REQUIRE(petal_device_init(&device, &config) == PETAL_DONE);
}

petal_result DriverBench::build(const PeCommand& command, std::uint32_t* id) {
  encode(command, table);
  for (std::size_t index = device.tensors; index < table.size(); ++index) {
    const TensorHandle& tensor = table.entries()[index];
    petal_ref ref = 0;
    BOOST_REQUIRE(petal_tensor(&device, tensor.address, static_cast<std::uint32_t>(tensor.dtype),
                               static_cast<std::uint32_t>(tensor.space),
                               static_cast<std::uint32_t>(tensor.shape.rank()), tensor.shape.begin(),
                               tensor.strides.begin(), &ref) == PETAL_DONE);
    BOOST_REQUIRE(ref == index);
  }
  device.data_op = framing_of(command).data_op;
  return std::visit(DriverCall(device, table, id), command);
}

const std::byte* DriverBench::slot(std::uint32_t number) const {
  // Counted by increments, as the counter may have wrapped.
  const std::uint32_t index = (number - sizes_.first_entry) % sizes_.ring_slots;
  return reinterpret_cast<const std::byte*>(ring_.data()) + std::size_t{index} * sizes_.slot_bytes;
}

ReadRingEntry DriverBench::entry(std::uint32_t number) const {
  return read_ring_entry({slot(number), kRingHeaderBytes},
                         {number, Bytes(sizes_.slot_bytes), Bytes(sizes_.cap)});
}

std::vector<std::byte> DriverBench::command_bytes(std::uint32_t number) const {
  const std::byte* const first = slot(number) + kRingHeaderBytes;
  return {first, first + entry(number).entry.length};
}

void DriverBench::fetch() {
  const std::uint32_t head = get(PETAL_REG_RING_HEAD);
  const ReadRingEntry read = entry(head);
  BOOST_TEST_REQUIRE((read.status == CompletionStatus::ok), read.problem);
  for (const CommandFault& fault : assembler_.take(++fetched_, read.entry, command_bytes(head)))
    BOOST_ERROR(fault.problem);
  set(PETAL_REG_RING_HEAD, head + 1);
}

TensorHandle DriverBench::table_entry(std::uint32_t index) const {
  const auto* const first = reinterpret_cast<const std::byte*>(table_memory_.data());
  return decode_tensor_entry({first + std::size_t{index} * PETAL_TENSOR_BYTES, PETAL_TENSOR_BYTES});
}

AssembledCommand DriverBench::assemble() {
  BOOST_REQUIRE(assembler_.complete());
  FetchedTensors tensors;
  for (const std::uint32_t index : assembler_.tensors()) tensors.set(index, table_entry(index));
  auto assembled = assembler_.assemble(tensors);
  BOOST_REQUIRE(std::holds_alternative<AssembledCommand>(assembled));
  return std::get<AssembledCommand>(std::move(assembled));
}

void DriverBench::complete(std::uint32_t id, CompletionStatus status, std::uint64_t address) {
  const auto bytes = encode_completion_record({records_, id, status, address});
  auto* const first = reinterpret_cast<std::byte*>(completions_.data());
  std::copy(bytes.begin(), bytes.end(),
            first + std::size_t{records_ % sizes_.completion_records} * PETAL_COMPLETION_BYTES);
  ++records_;
}

}  // namespace petal::test
