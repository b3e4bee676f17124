// SPDX-License-Identifier: Apache-2.0
//
// A platform of somebody else's, with a PE from the installed package on a memory model of its own. A kernel
// of the host compiler feeds the PE.
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdio>

#include "petal/host/kernels/gemm.hpp"
#include "petal/memory/memory_access.hpp"
#include "petal/platform/pe.hpp"
#include "petal/version.hpp"

using namespace petal;

namespace {

/// One port of 128 GB/s, 50 ns away.
struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory, 64> socket{"socket"};
  Picoseconds free_at{0};
  std::uint64_t bytes = 0;

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Memory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    MemoryAccess* access = nullptr;
    payload.get_extension(access);
    if (access == nullptr) return payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    bytes += access->pattern->bytes().count();
    free_at = std::max(free_at, access->arrival) + Bandwidth(128.0).duration_of(access->pattern->bytes());
    access->moved = free_at;
    access->latency = Picoseconds(50000);
    access->honoured = true;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// C[64, 64] = A[64, 128] B[128, 64].
void product(CommandSink& sink) {
  TlContext tl(sink, TlOptions());
  GemmArguments arguments;
  arguments.m = arguments.n = 64;
  arguments.k = 128;
  arguments.b = 0x10000;
  arguments.c = 0x20000;
  gemm(tl, arguments);
}

}  // namespace

int sc_main(int, char*[]) {
  CalendarDriver driver("driver", Pacing::run_ahead);
  Memory memory("memory");
  Picoseconds finished = kNever;
  Pe pe("pe", 0, PeConfig(), driver, [&](const CriticalPath& path) { finished = path.total(); });
  pe.memory_socket()->bind(memory.socket);
  pe.launch(product, Picoseconds(0), CriticalPath());
  sc_core::sc_start();
  pe.rethrow_failure();
  std::printf("petal %s: %llu bytes, finished: %s\n", PETAL_VERSION_STRING,
              static_cast<unsigned long long>(memory.bytes), finished == kNever ? "no" : "yes");
  return finished == kNever ? 1 : 0;
}
