// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/kernel_catalog.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

#include "petal/command/error.hpp"

using namespace petal;

namespace {

std::string refusal_of(std::string_view name) {
  try {
    find_kernel(name);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "found";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernel_catalog_lookup)

BOOST_AUTO_TEST_CASE(finds_by_name_and_by_unique_suffix) {
  BOOST_TEST(find_kernel("gqa_decode_opt2").name == "gqa_decode_opt2");
  BOOST_TEST(find_kernel("opt2").name == "gqa_decode_opt2");
  BOOST_TEST(find_kernel("decode_opt3").name == "gqa_decode_opt3");
  BOOST_TEST(find_kernel("gemm").name == "gemm");
  BOOST_TEST((find_kernel("gemm").family() == KernelFamily::gemm));
  BOOST_TEST((find_kernel("opt1").family() == KernelFamily::decode));
  BOOST_TEST((find_kernel("attention").family() == KernelFamily::attention));
}

BOOST_AUTO_TEST_CASE(unknown_names_come_with_the_nearest) {
  BOOST_TEST(contains(refusal_of("gqa_decode_op2"), "gqa_decode_opt2"));
  BOOST_TEST(contains(refusal_of("gem"), "nearest: gemm"));
  BOOST_TEST(contains(refusal_of("pt2"), "does not exist"));  // no suffix at a word's start
  BOOST_TEST(contains(refusal_of(""), "does not exist"));
}

BOOST_AUTO_TEST_CASE(every_kernel_runs_its_own_body) {
  for (const KernelEntry& entry : kernel_catalog()) {
    BOOST_TEST(!entry.description.empty());
    BOOST_TEST(find_kernel(entry.name).body.index() == entry.body.index());
  }
  BOOST_TEST((std::get<0>(find_kernel("opt2").body) == &gqa_decode_opt2));
  BOOST_TEST((std::get<1>(find_kernel("load_load").body) == &gemm_load_load));
  BOOST_TEST((std::get<2>(find_kernel("attention").body) == &attention));
  BOOST_TEST((std::get<3>(find_kernel("split").body) == &gqa_decode_split));
  BOOST_TEST((std::get<3>(find_kernel("combine").body) == &gqa_decode_combine));
  BOOST_TEST((std::get<4>(find_kernel("qkv").body) == &layer_qkv));
  BOOST_TEST((std::get<4>(find_kernel("layer_attention").body) == &layer_attention));
  BOOST_TEST((std::get<4>(find_kernel("output").body) == &layer_output));
  BOOST_TEST((std::get<4>(find_kernel("gate_up").body) == &layer_gate_up));
  BOOST_TEST((std::get<4>(find_kernel("down").body) == &layer_down));
}

BOOST_AUTO_TEST_SUITE_END()
