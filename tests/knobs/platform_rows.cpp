// SPDX-License-Identifier: Apache-2.0
//
// Keys of PEs and HBM.
#include "knobs/knob_kernels.hpp"
#include "knobs/knob_rows.hpp"

namespace petal::test {
namespace {

using Rows = std::vector<KnobRow>;
using Sets = std::vector<std::string>;

const std::string kPe = "platform.pe.";
const std::string kAttrs = "platform.pe.attrs.";
const std::string kHbm = "platform.hbm.";

// One KV head on each of two PEs.
const std::string kTwoPes = std::string(kDecode) + "platform: {pes: 2}\n";

KnobRow on_kernel(const std::string& path, const std::string& value, const Sets& sets,
                  const Quantities& changes, const Quantities& follows, const Kernel& kernel) {
  return {path, value, "{}", sets, changes, follows, KnobWork::kernel, kernel};
}

Rows pe_rows() {
  const std::string named = "platform: {pes: [{name: a}]}\n";
  const std::string renamed = "platform: {pes: [{name: b}]}\n";
  return {
      // Of two KV heads the second has a PE of its own.
      row("platform.pes", "2", kDecode, {"kv_heads=2"}, {"pes", "time"},
          with(timing(), {"addresses", "staging", "results", "dma_time"})),
      row_of_texts("platform.pes[].name", kDecode + named, kDecode + renamed, {"pes"}, {}),
      on_kernel(kPe + "compute_slot", "shared", {"fixed_per_cmd_cycles=0"}, {"overlap", "time"}, timing(),
                product_beside_exp),
      // A product needs no MATH.
      row(kPe + "engines", "[dma, fetch_store, gemm]", kGemm, {}, {}, {}),
      row(kAttrs + "clock_freq_ghz", "0.5", kDecode, {}, {"dispatch_time", "gemm_time", "math_time", "time"},
          timing()),
      // Staging lies behind the arena.
      row(kAttrs + "tcm.arena_bytes", "2MiB", kDecode, {}, {"addresses"}, {}),
  };
}

Rows cpu_rows() {
  const Sets far_ahead{"fixed_per_cmd_cycles=0", "byte_cycles_recip=0", "kv_len=256"};
  const Quantities cost{"issue_cycles", "dispatch_time"};
  return {
      row(kAttrs + "pe_cost_model.preset", "tensix-push", kDecode, {}, cost, timing()),
      row(kAttrs + "pe_cost_model.fixed_per_cmd_cycles", "80", kDecode, {}, cost, timing()),
      row(kAttrs + "pe_cost_model.byte_cycles_recip", "0.25", kDecode, {}, cost, timing()),
      // Three segments in place of opt2's second composite.
      row(kAttrs + "pe_cost_model.max_composite_logical_bytes", "128", kDecode, {}, with(cost, {"commands"}),
          timing()),
      row(kAttrs + "pe_cpu.auto_await", "none", kDecode, {"kernel=gqa_decode_opt1"}, {"waits"}, timing()),
      row(kAttrs + "pe_cpu.queue_bytes", "1024", kDecode, far_ahead, {"queue_peak", "waits"}, {}),
  };
}

Rows scheduler_rows() {
  const Sets ahead{"fixed_per_cmd_cycles=0"};
  const Quantities tiling = with(timing(), {"addresses", "dma_time", "dma_latency", "fetch_time", "staging"});
  return {
      // Of fewer rows, B is streamed more often; of fewer columns, A.
      row(kAttrs + "pe_scheduler.gemm_tile.m", "16", kGemm, {}, {"stages", "dma_bytes"}, tiling),
      row(kAttrs + "pe_scheduler.gemm_tile.n", "16", kGemm, {}, {"stages", "dma_bytes"}, tiling),
      row(kAttrs + "pe_scheduler.gemm_tile.k", "32", kGemm, {}, {"stages"}, tiling),
      row(kAttrs + "pe_scheduler.max_in_flight", "1", kDecode, ahead, {"in_flight", "staging"},
          with(timing(), {"addresses", "dma_time"})),
      row(kAttrs + "pe_scheduler.tile_buffers", "1", kDecode, {}, {"staging"},
          with(timing(), {"addresses", "dma_time"})),
      on_kernel(kAttrs + "pe_scheduler.tile_buffers", "1", {}, {"transfers", "time"},
                with(timing(), {"addresses", "dma_time"}), streamed_product),
      row(kAttrs + "pe_scheduler.plan_cycles_per_op", "10", kDecode, {}, {"plan_delay"},
          with(timing(), {"dma_time"})),
      on_kernel(kAttrs + "pe_scheduler.math_head_streaming", "true", {}, {"commands", "math_time"}, work(),
                streamed_math),
  };
}

Rows data_mover_rows() {
  return {
      row(kAttrs + "pe_dma.setup_cycles", "5", kDecode, {}, {"dma_time"}, timing()),
      on_kernel(kAttrs + "pe_dma.outstanding", "1", {}, {"transfers", "time"}, with(timing(), {"dma_time"}),
                streamed_product),
      // The same bytes from the same memory, a burst at a time.
      row(kAttrs + "pe_dma.interface", "bursts", kDecode, {}, {"dma_time"}, with(timing(), {"dma_latency"})),
      row(kAttrs + "pe_fetch_store.read_gb_per_s", "256", kDecode, {}, {"fetch_time"},
          with(timing(), {"dma_time"})),
      row(kAttrs + "pe_fetch_store.write_gb_per_s", "256", kDecode, {}, {"store_time"},
          with(timing(), {"dma_time"})),
      row(kAttrs + "pe_fetch_store.setup_cycles", "3", kDecode, {}, {"fetch_time", "store_time"},
          with(timing(), {"dma_time"})),
  };
}

KnobRow on_bus(const std::string& name, const std::string& value, const Sets& sets, const Quantities& changes,
               const Quantities& follows) {
  Sets all{"pe_dma.interface=bursts"};
  all.insert(all.end(), sets.begin(), sets.end());
  return {kAttrs + "pe_dma." + name, value, "{}", all, changes, follows, KnobWork::bus, ragged_load};
}

Rows bus_rows() {
  const Quantities pace = with(timing(), {"dma_time", "dma_latency", "unanswered"});
  return {
      on_bus("protocol", "at", {"dmi=off"}, {"calls"}, pace),
      on_bus("burst_bytes", "64", {"dmi=off"}, {"bursts"}, pace),
      on_bus("burst_outstanding", "2", {"dmi=off"}, {"unanswered", "time"}, pace),
      // 282 bytes are no power of two.
      on_bus("ragged_bursts", "power_of_two", {"dmi=off"}, {"bursts"}, pace),
      // The grant states the memory's own time, so only the calls are fewer.
      on_bus("dmi", "off", {"burst_outstanding=1"}, {"questions", "bursts"}, {"unanswered"}),
  };
}

Rows compute_rows() {
  const Sets systolic{"pe_gemm.model=systolic"};
  // Tiles of 64 x 32 are several folds of it.
  const Sets stationary{"pe_gemm.model=systolic", "dataflow=ws", "rows=16", "cols=16"};
  const Quantities later = with(timing(), {"dma_time"});
  const auto gemm = [&](const char* name, const char* value, const char* text, const Sets& sets) {
    return KnobRow{kAttrs + "pe_gemm." + name, value, text, sets, {"gemm_time"}, later};
  };
  const auto math = [&](const char* name, const char* value) {
    return KnobRow{kAttrs + "pe_math." + name, value, kDecode, {}, {"math_time"}, later};
  };
  return {
      gemm("model", "systolic", kGemm, {}),
      gemm("macs_per_cycle_f32", "512", kDecode, {}),
      gemm("macs_per_cycle_f16", "2048", kGemm, {}),
      gemm("macs_per_cycle_8bit", "4096", kGemm, {"dtype=i8"}),
      gemm("m_quantum", "16", kDecode, {}),
      gemm("rows", "16", kGemm, systolic),
      gemm("cols", "16", kGemm, systolic),
      gemm("dataflow", "is", kGemm, systolic),
      gemm("preload", "overlapped", kGemm, stationary),
      math("lanes", "32"),
      math("startup_cycles", "8"),
      math("fast_cycles", "2"),
      math("slow_cycles", "8"),
  };
}

Rows hbm_rows() {
  const auto speed = [](const char* name, const char* value) {
    return KnobRow{kHbm + name, value, kDecode, {}, {"dma_time"}, timing()};
  };
  return {
      // Both PEs read at once, from one memory or each from its own.
      row(kHbm + "scope", "shared", kTwoPes, {"kv_heads=2"}, {"dma_time", "time"}, timing()),
      speed("channels", "2"),
      speed("gb_per_s_per_channel", "16"),
      speed("efficiency", "0.5"),
      speed("interleave_bytes", "4096"),
      on_kernel(kHbm + "interleave", "modulo", {}, {"dma_time", "time"}, timing(), strided_load),
      row(kHbm + "latency_ns", "50", kDecode, {}, {"dma_latency", "time"}, with(timing(), {"dma_time"})),
      // What fits in either makes no difference.
      row(kHbm + "capacity", "1GiB", kDecode, {}, {}, {}),
  };
}

}  // namespace

std::vector<KnobRow> platform_rows() {
  Rows all;
  for (const Rows& rows :
       {pe_rows(), cpu_rows(), scheduler_rows(), data_mover_rows(), bus_rows(), compute_rows(), hbm_rows()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace petal::test
