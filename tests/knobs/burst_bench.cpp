// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "knobs/knob_bench.hpp"
#include "petal/config/scenario_loader.hpp"
#include "petal/platform/pe.hpp"
#include "support/bus_memory.hpp"

namespace petal::test {
namespace {

constexpr std::uint64_t kMemoryBytes = std::uint64_t{1} << 20U;

sc_core::sc_time ns(double count) {
  return {count, sc_core::SC_NS};
}

BusMemoryConfig late_45() {
  BusMemoryConfig config;
  config.bytes = kMemoryBytes;
  config.latency = ns(45);
  return config;
}

/// A memory that takes bursts by both calls, answers each after 45 ns, and grants direct access that states
/// the same.
class BurstSpy : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<BurstSpy, 64> socket;

  explicit BurstSpy(const sc_core::sc_module_name& name)
      : sc_module(name), socket("socket"), memory_(late_45()) {
    socket.register_b_transport(this, &BurstSpy::b_transport);
    socket.register_nb_transport_fw(this, &BurstSpy::nb_transport_fw);
    socket.register_get_direct_mem_ptr(this, &BurstSpy::get_direct_mem_ptr);
  }

  void describe(Fingerprint& print) const {
    std::string bursts;
    for (const SeenBurst& burst : memory_.seen()) bursts += fmt::format("{}+{} ", burst.address, burst.bytes);
    print["bursts"] = bursts;
    print["calls"] = calls_;
    print["questions"] = std::to_string(questions_);
    print["unanswered"] = std::to_string(most_unanswered());
    for (const std::string& violation : memory_.violations()) BOOST_ERROR(violation);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    calls_ = "b_transport";
    serve(payload, delay);
    payload.set_dmi_allowed(true);
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    calls_ = "nb_transport_fw";
    if (phase == tlm::BEGIN_REQ) serve(payload, delay);
    return tlm::TLM_COMPLETED;
  }

  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const sc_core::sc_time arrival = sc_core::sc_time_stamp() + delay;
    const sc_core::sc_time answer = memory_.serve(payload, arrival);
    delay = answer - sc_core::sc_time_stamp();
    answers_.push_back(answer);
  }

  std::size_t most_unanswered() const {
    std::size_t most = 0;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      std::size_t now = 0;
      for (std::size_t j = 0; j <= i; ++j) now += answers_[j] > memory_.seen()[i].time ? 1U : 0U;
      most = std::max(most, now);
    }
    return most;
  }

  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    ++questions_;
    dmi.set_start_address(0);
    dmi.set_end_address(kMemoryBytes - 1);
    dmi.set_dmi_ptr(memory_.contents().data());
    dmi.set_read_latency(memory_.config().latency);
    dmi.set_write_latency(memory_.config().latency);
    dmi.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_READ_WRITE);
    return true;
  }

  BusMemory memory_;
  std::string calls_;
  unsigned int questions_ = 0;
  std::vector<sc_core::sc_time> answers_;
};

class OnBus : public KnobBench {
 public:
  OnBus(const PlatformConfig& config, const Kernel& kernel)
      : collector_({config.pes.front().name}),
        next_(first_completions(1)),
        driver_(sc_core::sc_gen_unique_name("driver"), Pacing::lockstep),
        spy_(sc_core::sc_gen_unique_name("spy")),
        pe_(sc_core::sc_gen_unique_name("pe"), 0, config.pes.front(), driver_,
            [this](const CriticalPath& path) { end_ = path.total(); }) {
    pe_.memory_socket()->bind(spy_.socket);
    pe_.events().attach(log_);
    pe_.events().attach(collector_);
    PlatformConfig alone = config;
    alone.pes.resize(1);
    pe_.launch(programs_of(kernel, alone, next_).front(), Picoseconds(0), CriticalPath());
  }

  Fingerprint fingerprint() const override {
    pe_.rethrow_failure();
    RunFacts facts;
    facts.end = end_;
    Fingerprint print = fingerprint_of(log_, collector_.summary(facts));
    spy_.describe(print);
    return print;
  }

 private:
  EventLog log_;
  SummaryCollector collector_;
  NextCompletions next_;
  Picoseconds end_{0};
  CalendarDriver driver_;
  BurstSpy spy_;
  Pe pe_;
};

}  // namespace

std::unique_ptr<KnobBench> burst_bench(const std::string& text, const std::vector<std::string>& sets,
                                       const Kernel& kernel) {
  return std::make_unique<OnBus>(scenario_from_text(text, sets).platform, kernel);
}

}  // namespace petal::test
