// SPDX-License-Identifier: Apache-2.0
#include "petal/config/model_presets.hpp"

#include <boost/test/unit_test.hpp>

#include "config_error_text.hpp"

namespace petal {
namespace {

using test::contains;
using test::error_of;

struct PublishedShape {
  const char* name;
  std::uint32_t layers;
  std::uint64_t q_heads, kv_heads, group, head_dim, hidden, ffn, max_ctx;
};

// Typed from the published configurations, with G = q_heads / kv_heads as a check of its own.
constexpr PublishedShape kPublished[] = {
    {"llama3.1-8b", 32, 32, 8, 4, 128, 4096, 14336, 131072},
    {"llama3.1-70b", 80, 64, 8, 8, 128, 8192, 28672, 131072},
    {"llama3.1-405b", 126, 128, 8, 16, 128, 16384, 53248, 131072},
    {"llama3.2-3b", 28, 24, 8, 3, 128, 3072, 8192, 131072},
    {"llama3.2-1b", 16, 32, 8, 4, 64, 2048, 8192, 131072},
    {"qwen2.5-7b", 28, 28, 4, 7, 128, 3584, 18944, 131072},
    {"qwen2.5-72b", 80, 64, 8, 8, 128, 8192, 29568, 131072},
    {"qwen3-8b", 36, 32, 8, 4, 128, 4096, 12288, 40960},
    {"qwen3-32b", 64, 64, 8, 8, 128, 5120, 25600, 40960},
    {"qwen3-235b-a22b", 94, 64, 4, 16, 128, 4096, 1536, 40960},
    {"mistral-7b-v0.3", 32, 32, 8, 4, 128, 4096, 14336, 32768},
    {"mistral-large-2407", 88, 96, 8, 12, 128, 12288, 28672, 32768},
    {"mixtral-8x7b", 32, 32, 8, 4, 128, 4096, 14336, 32768},
    {"gemma2-9b", 42, 16, 8, 2, 256, 3584, 14336, 8192},
    {"gemma3-12b", 48, 16, 8, 2, 256, 3840, 15360, 131072},
    {"gemma3-27b", 62, 32, 16, 2, 128, 5376, 21504, 131072},
    {"gpt-oss-120b", 36, 64, 8, 8, 64, 2880, 2880, 131072},
};

BOOST_AUTO_TEST_SUITE(model_preset_table)

BOOST_AUTO_TEST_CASE(every_row_is_the_published_shape) {
  BOOST_TEST(model_presets().size() == std::size(kPublished) + 1);
  for (const PublishedShape& shape : kPublished) {
    BOOST_TEST_CONTEXT(shape.name) {
      const auto preset = model_preset_named(shape.name);
      BOOST_REQUIRE(preset.has_value());
      BOOST_TEST(preset->layers == shape.layers);
      BOOST_TEST(preset->q_heads == shape.q_heads);
      BOOST_TEST(preset->kv_heads == shape.kv_heads);
      BOOST_TEST(preset->group() == shape.group);
      BOOST_TEST(preset->head_dim == shape.head_dim);
      BOOST_TEST(preset->hidden == shape.hidden);
      BOOST_TEST(preset->ffn == shape.ffn);
      BOOST_TEST(preset->max_ctx == shape.max_ctx);
      BOOST_TEST(preset->is_supported());
      BOOST_TEST(!preset->source.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(every_supported_model_fills_a_scenario) {
  for (const PublishedShape& shape : kPublished) {
    const WorkloadConfig work = scenario_from_text(std::string("model: ") + shape.name).workload;
    BOOST_TEST(work.model == shape.name);
    BOOST_TEST(work.q_heads == shape.q_heads);
    BOOST_TEST(work.kv_heads == shape.kv_heads);
    BOOST_TEST(work.head_dim == shape.head_dim);
  }
}

BOOST_AUTO_TEST_CASE(latent_attention_is_refused_in_words) {
  BOOST_TEST(!model_preset_named("deepseek-v3")->is_supported());
  const std::string error = error_of("model: deepseek-v3");
  BOOST_TEST(contains(error, "s.yaml:1: model: value 'deepseek-v3': is not supported"), error);
  BOOST_TEST(contains(error, "MLA"), error);
}

BOOST_AUTO_TEST_CASE(an_unknown_model_is_refused_with_the_nearest_name) {
  const std::string error = error_of("model: llama3.1-8B-instruct");
  BOOST_TEST(contains(error, "nearest valid value 'llama3.1-8b'"), error);
}

BOOST_AUTO_TEST_CASE(a_refused_model_is_not_followed_by_a_complaint_about_heads) {
  BOOST_TEST(test::line_count(error_of("model: nosuch\nq_heads: 12")) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
