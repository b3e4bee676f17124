// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/lt_workers.hpp"

namespace petal {
namespace {

// Room for a memory that formats a message; only what is touched takes host memory.
constexpr int kWorkerStackBytes = 128 * 1024;

}  // namespace

void LtWorkers::wake() {
  if (handed_.empty() || waking_) return;
  waking_ = true;
  if (idle_.empty()) {
    start_worker();
    return;
  }
  Worker& worker = *idle_.back();
  idle_.pop_back();
  worker.wake.notify(sc_core::SC_ZERO_TIME);
}

void LtWorkers::start_worker() {
  Worker& worker = workers_.emplace_back();
  sc_core::sc_spawn_options options;
  options.set_stack_size(kWorkerStackBytes);
  sc_core::sc_spawn([this, &worker] { work(worker); }, sc_core::sc_gen_unique_name("lt_worker"), &options);
}

void LtWorkers::work(Worker& worker) {
  for (;;) {
    waking_ = false;
    call_all();
    idle_.push_back(&worker);
    sc_core::wait(worker.wake);
  }
}

void LtWorkers::call_all() {
  while (!handed_.empty()) {
    BurstPayload& payload = *handed_.front();
    handed_.pop_front();
    if (!handed_.empty()) look_again_.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_time delay;
    socket_->b_transport(payload, delay);
    inbox_.put(BurstStep::answered, payload, delay);
  }
}

}  // namespace petal
