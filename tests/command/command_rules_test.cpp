// SPDX-License-Identifier: Apache-2.0
#include "petal/command/command_rules.hpp"

#include <boost/test/unit_test.hpp>

#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

namespace {

void expect_error(const PeCommand& command, const std::string& reason) {
  const auto problem = find_command_error(command);
  BOOST_TEST(problem.value_or("no error").find(reason) != std::string::npos,
             "'" << problem.value_or("no error") << "' does not say '" << reason << "'");
}

/// The sample command of type T.
template <typename T>
T sample() {
  for (const PeCommand& command : one_of_each_kind())
    if (const T* found = std::get_if<T>(&command)) return *found;
  throw std::logic_error("no sample of that kind");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(command_rules)

BOOST_AUTO_TEST_CASE(the_sample_commands_obey_them) {
  for (const PeCommand& command : one_of_each_kind()) {
    const auto problem = find_command_error(command);
    BOOST_TEST(!problem, problem.value_or(""));
  }
}

BOOST_AUTO_TEST_CASE(a_dma_goes_between_hbm_and_tcm) {
  auto read = sample<DmaReadCmd>();
  read.src.space = Space::tcm;
  expect_error(read, "dma_read: src is");
  auto write = sample<DmaWriteCmd>();
  write.dst.space = Space::tcm;
  expect_error(write, "dma_write: dst is");
}

BOOST_AUTO_TEST_CASE(a_dma_moves_what_both_ends_are) {
  auto read = sample<DmaReadCmd>();
  read.nbytes += 1;
  expect_error(read, "nbytes is 16385");
  read = sample<DmaReadCmd>();
  read.dst.shape = {128, 64};
  expect_error(read, "differ");
  read = sample<DmaReadCmd>();
  read.dst.dtype = DType::bf16;
  expect_error(read, "differ");
}

BOOST_AUTO_TEST_CASE(a_gemm_command_works_in_tcm_on_the_sizes_it_says) {
  auto gemm = sample<GemmCmd>();
  gemm.b.space = Space::hbm;
  expect_error(gemm, "gemm: b is");
  gemm = sample<GemmCmd>();
  gemm.k += 1;
  expect_error(gemm, "make it [4, 129]");
}

BOOST_AUTO_TEST_CASE(a_math_command_is_its_schema_in_tcm) {
  auto math = sample<MathCmd>();
  math.operands[0].space = Space::hbm;
  expect_error(math, "rmax: src is");
  math = sample<MathCmd>();
  math.out.space = Space::hbm;
  expect_error(math, "rmax: out is");
  math = sample<MathCmd>();
  math.extras.clear();
  expect_error(math, "'reduce_axis' must be there");
  math.kind = Opcode::gemm;
  expect_error(math, "cannot carry a GEMM");
}

BOOST_AUTO_TEST_CASE(a_composite_obeys_its_own_rules) {
  expect_error(CompositeCmd{}, "no ops");
}

BOOST_AUTO_TEST_SUITE_END()
