// SPDX-License-Identifier: Apache-2.0
#include "knobs/knob_rows.hpp"

namespace petal::test {

const char* const kDecode =
    "kernel: gqa_decode_opt2\nq_heads: 4\nkv_heads: 1\nhead_dim: 32\nkv_len: 40\ntile: 16\n";
const char* const kGemm = "kernel: gemm\ngemm: {m: 40, k: 72, n: 40}\n";

const Quantities& timing() {
  static const Quantities names{"waits", "in_flight", "queue_peak", "overlap", "transfers", "time"};
  return names;
}

const Quantities& work() {
  static const Quantities names =
      with(timing(),
           {"macs", "tiles", "commands", "issue_cycles", "dispatch_time", "stages", "addresses", "dma_bytes",
            "dma_time", "dma_latency", "fetch_time", "store_time", "gemm_time", "math_time", "results"});
  return names;
}

Quantities without(Quantities all, const Quantities& some) {
  for (const std::string& name : some) all.erase(name);
  return all;
}

Quantities with(Quantities all, const Quantities& some) {
  all.insert(some.begin(), some.end());
  return all;
}

KnobRow row(const std::string& path, const std::string& value, const std::string& text,
            const std::vector<std::string>& sets, const Quantities& changes, const Quantities& follows) {
  return {path, value, text, sets, changes, follows, KnobWork::scenario, nullptr, {}};
}

KnobRow row_of_texts(const std::string& path, const std::string& text, const std::string& other_text,
                     const Quantities& changes, const Quantities& follows) {
  return {path, "", text, {}, changes, follows, KnobWork::scenario, nullptr, other_text};
}

std::vector<RefusedRow> refused_rows() {
  return {
      {"platform.pe.engines", "[dma, fetch_store, gemm]", kDecode, "math"},
      {"platform.hbm.capacity", "4096", kGemm, "capacity"},
      {"attention.softmax_precision", "5", "kernel: attention\n", "softmax_precision"},
      {"attention.qk_matmul_output_mode", "4", "kernel: attention\n", "from 0 to 3"},
  };
}

}  // namespace petal::test
