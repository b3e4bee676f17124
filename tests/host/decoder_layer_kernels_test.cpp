// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of a decoder layer and of split-KV decode issue: fused commands, and every element of a
// result written by one program.
#include <boost/test/unit_test.hpp>

#include <map>
#include <memory>

#include "host/recording_sink.hpp"
#include "petal/host/kernels/decoder_layer.hpp"
#include "petal/host/kernels/gqa_decode_split.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Llama-3.2-1B: hidden 2048, 32 query heads over 8 KV heads of 64, intermediate 8192; one token behind 4096.
DecoderLayerArguments llama_1b() {
  DecoderLayerArguments layer;
  layer.hidden = 2048;
  layer.intermediate = 8192;
  layer.q_heads = 32;
  layer.kv_heads = 8;
  layer.head_dim = 64;
  layer.kv_len = 4096;
  layer.x = 0x1000;
  layer.k_cache = 0x10000000;
  layer.v_cache = 0x20000000;
  layer.q = 0x30000000;
  layer.a = 0x31000000;
  layer.r = 0x32000000;
  layer.f = 0x33000000;
  layer.y = 0x34000000;
  return layer;
}

template <typename Arguments>
std::vector<std::unique_ptr<Bench>> run(void (*kernel)(TlContext&, const Arguments&),
                                        const Arguments& arguments, std::uint64_t programs) {
  std::vector<std::unique_ptr<Bench>> benches;
  for (std::uint64_t program = 0; program < programs; ++program) {
    TlOptions options;
    options.program_id = program;
    options.num_programs = programs;
    benches.push_back(std::make_unique<Bench>(options));
    kernel(benches.back()->tl, arguments);
  }
  return benches;
}

std::string ops_of(const PeCommand& command) {
  const auto* const composite = std::get_if<CompositeCmd>(&command);
  if (!composite) return std::string(op_name(command));
  std::string names;
  for (const OpSpec& op : composite->ops) names += (names.empty() ? "" : "+") + std::string(name_of(op.kind));
  return names;
}

std::string all_ops(const Bench& bench) {
  std::string text;
  for (const IssueRequest& issued : bench.sink.issued)
    text += (text.empty() ? "" : " ") + ops_of(*issued.slice.command);
  return text;
}

std::uint64_t macs(const std::vector<std::unique_ptr<Bench>>& benches) {
  std::uint64_t sum = 0;
  for (const auto& bench : benches)
    for (const IssueRequest& issued : bench->sink.issued)
      if (const auto* const composite = std::get_if<CompositeCmd>(&*issued.slice.command))
        for (const OpSpec& op : composite->ops)
          if (op.kind == Opcode::gemm) {
            const GemmShape shape = gemm_shape_of(op);
            sum += shape.m * shape.k * shape.n;
          }
  return sum;
}

/// How often the bytes from `address` on, `bytes` of them, are written to HBM, if that is the same for all.
std::uint64_t writes_of(const std::vector<std::unique_ptr<Bench>>& benches, std::uint64_t address,
                        std::uint64_t bytes) {
  std::map<std::uint64_t, std::uint64_t> ends;  // by begin
  for (const auto& bench : benches)
    for (const IssueRequest& issued : bench->sink.issued)
      if (const auto* const composite = std::get_if<CompositeCmd>(&*issued.slice.command)) {
        const ByteRange range = composite->rw_handles.back().range();
        const bool is_there =
            range.space == Space::hbm && range.begin >= address && range.end <= address + bytes;
        if (is_there) BOOST_TEST(ends.emplace(range.begin, range.end).second);
      }
  std::uint64_t reached = address;
  for (const auto& [begin, end] : ends) {
    if (begin != reached) return 0;
    reached = end;
  }
  return reached == address + bytes ? 1 : 0;
}

constexpr const char* kNorm = "mul+rsum+scale+fill+add+rsqrt+mul_bcast+mul+gemm";

}  // namespace

BOOST_AUTO_TEST_SUITE(decoder_layer_kernels)

BOOST_AUTO_TEST_CASE(the_norm_is_fused_into_each_projection) {
  const auto qkv = run(&layer_qkv, llama_1b(), 8);
  const std::string norm = kNorm;
  for (const auto& bench : qkv)
    BOOST_TEST(all_ops(*bench) == "dma_read dma_read " + norm + " " + norm + " " + norm);
  const auto gate_up = run(&layer_gate_up, llama_1b(), 8);
  for (const auto& bench : gate_up)
    BOOST_TEST(all_ops(*bench) == "dma_read dma_read " + norm + " " + norm + "+silu+mul");
}

BOOST_AUTO_TEST_CASE(the_residual_is_fused_into_the_projection) {
  for (const LayerKernel kernel : {&layer_output, &layer_down})
    for (const auto& bench : run(kernel, llama_1b(), 8))
      BOOST_TEST(all_ops(*bench) == "dma_read dma_read gemm+add");
}

// One row, so that a range of columns is one run of bytes. 100 programs are more than the 64 blocks of 32
// columns that hidden has.
BOOST_AUTO_TEST_CASE(every_column_is_written_by_one_program) {
  const DecoderLayerArguments layer = llama_1b();
  for (const std::uint64_t programs : {1U, 3U, 8U, 100U}) {
    const auto qkv = run(&layer_qkv, layer, programs);
    BOOST_TEST(writes_of(qkv, layer.q, 2048 * 2) == 1U);
    BOOST_TEST(writes_of(qkv, layer.k_cache + 4096 * 512 * 2, 512 * 2) == 1U);
    BOOST_TEST(writes_of(qkv, layer.v_cache + 4096 * 512 * 2, 512 * 2) == 1U);
    BOOST_TEST(writes_of(run(&layer_output, layer, programs), layer.r, 2048 * 2) == 1U);
    BOOST_TEST(writes_of(run(&layer_gate_up, layer, programs), layer.f, 8192 * 2) == 1U);
    BOOST_TEST(writes_of(run(&layer_down, layer, programs), layer.y, 2048 * 2) == 1U);
  }
}

// 2048 * (2048 + 2 * 512), 2 * 32 * 4097 * 64, 2048 * 2048, 2 * 2048 * 8192, 8192 * 2048: the new token sees
// itself.
BOOST_AUTO_TEST_CASE(the_work_of_each_launch) {
  const DecoderLayerArguments layer = llama_1b();
  const std::pair<LayerKernel, std::uint64_t> expected[] = {{&layer_qkv, 6291456},
                                                            {&layer_attention, 16781312},
                                                            {&layer_output, 4194304},
                                                            {&layer_gate_up, 33554432},
                                                            {&layer_down, 16777216}};
  for (const auto& [kernel, work] : expected) {
    BOOST_TEST(layer_work(kernel, layer).macs == work);
    BOOST_TEST(macs(run(kernel, layer, 8)) == work);
  }
  // 4097 keys are 65 tiles of 64, for each of 8 KV heads.
  BOOST_TEST(layer_work(&layer_attention, layer).tiles == 520U);
}

BOOST_AUTO_TEST_CASE(sizes_that_make_no_layer_are_refused) {
  const auto refused = [](const DecoderLayerArguments& layer) {
    Bench bench;
    BOOST_CHECK_THROW(layer_qkv(bench.tl, layer), ConfigError);
    BOOST_CHECK_THROW(layer_attention(bench.tl, layer), ConfigError);
    BOOST_TEST(bench.sink.issued.empty());
  };
  DecoderLayerArguments layer = llama_1b();
  layer.tokens = 0;
  refused(layer);
  layer = llama_1b();
  layer.hidden = 0;
  refused(layer);
  layer = llama_1b();
  layer.dtype = DType::i8;
  refused(layer);
}

// A part of n tiles: Q, fill three times, 2 n composites, three stores. 10 tiles in 4 parts are 3, 3, 2, 2.
BOOST_AUTO_TEST_CASE(parts_of_a_head_are_whole_tiles_as_even_as_they_come_out) {
  GqaSplitArguments split;
  split.decode.q_heads = 4;
  split.decode.kv_heads = 1;
  split.decode.head_dim = 128;
  split.decode.kv_len = 9 * 64 + 1;
  split.splits = 4;
  const auto programs = run(&gqa_decode_split, split, 5);
  const std::size_t tiles[] = {3, 3, 2, 2};
  for (std::size_t part = 0; part < 4; ++part)
    BOOST_TEST(programs[part]->sink.issued.size() == 4 + 2 * tiles[part] + 3);
  BOOST_TEST(programs[4]->sink.issued.empty());
  // The steady state of opt2, 380 bytes a tile.
  BOOST_TEST(programs[0]->sink.bytes(4, 4 + 2 * 2) == 2U * 380);
  BOOST_TEST(macs(programs) == 2U * 4 * (9 * 64 + 1) * 128);
}

// Per part three loads and one composite of nine ops; at the end clamp_min, div_bcast and the store.
BOOST_AUTO_TEST_CASE(a_merge_takes_one_composite_a_part) {
  GqaSplitArguments split;
  split.decode.q_heads = 4;
  split.decode.kv_heads = 1;
  split.decode.head_dim = 128;
  split.decode.kv_len = 1000;
  split.splits = 2;
  const auto programs = run(&gqa_decode_combine, split, 1);
  const std::string part =
      " dma_read dma_read dma_read max_elem+exp_diff+exp_diff+mul+fma+mul_bcast+mul_bcast+add+copy";
  BOOST_TEST(all_ops(*programs[0]) == "fill fill fill" + part + part + " clamp_min div_bcast dma_write");
}

BOOST_AUTO_TEST_CASE(no_splits_are_refused) {
  Bench bench;
  GqaSplitArguments split;
  split.decode.q_heads = 1;
  split.decode.kv_heads = 1;
  split.decode.head_dim = 8;
  split.splits = 0;
  BOOST_CHECK_THROW(gqa_decode_split(bench.tl, split), ConfigError);
  BOOST_CHECK_THROW(gqa_decode_combine(bench.tl, split), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
