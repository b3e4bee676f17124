// SPDX-License-Identifier: Apache-2.0
//
// A PE in a platform that is not PETAL's: a memory of one's own behind its TLM socket, commands written by
// hand, an observer. No YAML and no host compiler.
#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <cstdio>

#include "petal/memory/memory_access.hpp"
#include "petal/platform/pe.hpp"

using namespace petal;

namespace {

/// Moves 64 bytes a nanosecond, one access after the other, and answers 80 ns later.
struct FlatMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<FlatMemory, 64> socket{"socket"};
  Picoseconds free_at{0};

  explicit FlatMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &FlatMemory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    MemoryAccess* access = nullptr;  // a whole strided access, timed in the PE's ledger
    payload.get_extension(access);
    if (access == nullptr) return payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    free_at = std::max(free_at, access->arrival) + Bandwidth(64.0).duration_of(access->pattern->bytes());
    access->moved = free_at;
    access->latency = Picoseconds(80000);
    access->honoured = true;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct StagePrinter : Observer {
  void on_stage(const StageEvent& stage) override {
    std::printf("command %llu %-9s %7lld to %7lld ps\n", static_cast<unsigned long long>(stage.command),
                name_of(stage.kind), static_cast<long long>(stage.start.count()),
                static_cast<long long>(stage.end.count()));
  }
};

void issue(CommandSink& sink, CompletionId id, PeCommand command) {
  framing_of(command).completion = id;
  IssueRequest request;
  request.slice.completion = id;
  request.slice.logical_bytes = logical_bytes(command);
  request.slice.command = std::make_shared<const PeCommand>(std::move(command));
  sink.issue(request);
}

/// Loads two matrices and multiplies them. PE_SCHEDULER finds out that the product has to wait.
void program(CommandSink& sink) {
  const auto in_hbm = [](std::uint64_t at, const Dims& shape) {
    return dense_tensor(Space::hbm, at, shape, DType::f16);
  };
  const auto in_tcm = [](std::uint64_t at, const Dims& shape) {
    return dense_tensor(Space::tcm, at, shape, DType::f16);
  };
  issue(sink, 1, DmaReadCmd{{}, in_hbm(0x0000, {32, 64}), in_tcm(0x0000, {32, 64}), 4096});
  issue(sink, 2, DmaReadCmd{{}, in_hbm(0x1000, {64, 32}), in_tcm(0x1000, {64, 32}), 4096});
  issue(sink, 3,
        GemmCmd{{},
                in_tcm(0x0000, {32, 64}),
                in_tcm(0x1000, {64, 32}),
                dense_tensor(Space::tcm, 0x2000, {32, 32}, DType::f32),
                32,
                64,
                32,
                {}});
}

}  // namespace

int sc_main(int, char*[]) {
  CalendarDriver driver("driver", Pacing::run_ahead);
  FlatMemory memory("memory");
  StagePrinter printer;
  Picoseconds finished = kNever;
  Pe pe("pe", 0, PeConfig(), driver, [&](const CriticalPath& path) { finished = path.total(); });
  pe.memory_socket()->bind(memory.socket);
  pe.events().attach(printer);
  pe.launch(program, Picoseconds(0), CriticalPath());
  sc_core::sc_start();
  std::printf("finished at %lld ps\n", static_cast<long long>(finished.count()));
  return pe.finished() ? 0 : 1;
}
