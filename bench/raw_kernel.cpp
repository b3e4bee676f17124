// SPDX-License-Identifier: Apache-2.0
#include "raw_kernel.hpp"

#include <memory>
#include <systemc>
#include <vector>

#include "petal/calendar/has_process.hpp"

namespace petal::bench {
namespace {

constexpr std::uint64_t kMethodsAPe = 3;

class BareMethod : public sc_core::sc_module {
 public:
  BareMethod(const sc_core::sc_module_name& name, std::uint64_t activations, int period_ps)
      : sc_module(name), left_(activations), period_(period_ps, sc_core::SC_PS) {
    PETAL_HAS_PROCESS(BareMethod);
    SC_METHOD(run);
  }

 private:
  void run() {
    if (--left_ > 0) next_trigger(period_);
  }

  std::uint64_t left_;
  sc_core::sc_time period_;
};

}  // namespace

Simulation raw_kernel(std::uint64_t pes, std::uint64_t events) {
  const std::uint64_t methods = pes * kMethodsAPe;
  const std::uint64_t activations = events / methods + 1;
  auto modules = std::make_shared<std::vector<std::unique_ptr<BareMethod>>>();
  for (std::uint64_t method = 0; method < methods; ++method)
    modules->push_back(std::make_unique<BareMethod>(sc_core::sc_gen_unique_name("bare"), activations,
                                                    1000 + static_cast<int>(method) * 7));
  return {[] { sc_core::sc_start(); }, [modules, activations, methods] { return activations * methods; }};
}

}  // namespace petal::bench
