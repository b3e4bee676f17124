// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gemm.hpp"
#include "petal/host/kernels/work_share.hpp"

#include <boost/test/unit_test.hpp>

#include "host/recording_sink.hpp"
#include "host/reference_machine.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Kernel = void (*)(TlContext&, const GemmArguments&);

GemmArguments problem() {
  GemmArguments arguments;
  arguments.m = 70;
  arguments.k = 5;
  arguments.n = 9;
  arguments.dtype = DType::f32;
  arguments.a = 0x1'0000;
  arguments.b = 0x2'0000;
  arguments.c = 0x3'0000;
  return arguments;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gemm_kernels)

// 70 rows are 3 blocks of 32; programs 0 and 1 of 2 get 2 and 1 of them.
BOOST_AUTO_TEST_CASE(rows_are_shared_in_blocks) {
  const auto rows = [](std::uint64_t m, std::uint64_t program, std::uint64_t programs) {
    const IndexRange range = share_of(m, 32, program, programs);
    return std::pair<std::uint64_t, std::uint64_t>{range.begin, range.end};
  };
  using Rows = std::pair<std::uint64_t, std::uint64_t>;
  BOOST_TEST((rows(70, 0, 1) == Rows{0, 70}));
  BOOST_TEST((rows(70, 0, 2) == Rows{0, 64}));
  BOOST_TEST((rows(70, 1, 2) == Rows{64, 70}));
  BOOST_TEST((rows(70, 3, 5) == Rows{70, 70}));
  BOOST_TEST((rows(0, 0, 1) == Rows{0, 0}));
}

BOOST_AUTO_TEST_CASE(variants_differ_in_what_they_load) {
  const auto names = [](Kernel kernel) {
    Bench f;
    kernel(f.tl, problem());
    return f.sink.names(0, f.sink.issued.size());
  };
  BOOST_TEST(names(&gemm) == "gemm");
  BOOST_TEST(names(&gemm_load_ref) == "dma_read gemm");
  BOOST_TEST(names(&gemm_load_load) == "dma_read dma_read gemm");
}

BOOST_AUTO_TEST_CASE(operands_lie_where_the_variant_says) {
  Bench f;
  gemm_load_ref(f.tl, problem());
  const OpSpec& op = f.sink.get<CompositeCmd>(1).ops[0];
  BOOST_TEST((op.operand("a").space == Space::tcm));
  BOOST_TEST((op.operand("b").space == Space::hbm));
  BOOST_TEST((op.out->space == Space::hbm));
}

BOOST_AUTO_TEST_CASE(a_program_without_rows_does_nothing) {
  TlOptions options;
  options.program_id = 4;
  options.num_programs = 5;
  Bench f(options);
  gemm(f.tl, problem());
  BOOST_TEST(f.sink.issued.empty());
}

BOOST_AUTO_TEST_CASE(operand_that_does_not_fit_in_tcm_is_an_emit_error_for_load_only) {
  GemmArguments arguments = problem();
  arguments.m = 65536;
  arguments.k = 4096;
  arguments.n = 65536;
  arguments.a = 0;
  arguments.b = std::uint64_t{1} << 32U;
  arguments.c = std::uint64_t{1} << 33U;
  Bench f;
  gemm(f.tl, arguments);
  BOOST_TEST(f.sink.issued.size() == 1U);
  BOOST_CHECK_THROW(gemm_load_ref(f.tl, arguments), EmitError);
}

BOOST_AUTO_TEST_CASE(all_programs_together_compute_the_product) {
  const GemmArguments arguments = problem();
  for (const Kernel kernel : {&gemm, &gemm_load_ref, &gemm_load_load}) {
    ReferenceMachine machine;
    TlOptions options;
    options.num_programs = 2;
    std::vector<float> a(70 * 5), b(5 * 9), expected(70 * 9, 0.0F);
    for (std::size_t index = 0; index < a.size(); ++index) a[index] = static_cast<float>(index % 7);
    for (std::size_t index = 0; index < b.size(); ++index) b[index] = static_cast<float>(index % 5);
    for (std::size_t i = 0; i < 70; ++i)
      for (std::size_t j = 0; j < 9; ++j)
        for (std::size_t t = 0; t < 5; ++t) expected[i * 9 + j] += a[i * 5 + t] * b[t * 9 + j];
    for (options.program_id = 0; options.program_id < 2; ++options.program_id) {
      TlContext tl(machine, options);
      machine.write(tl.ref(arguments.a, {70, 5}, DType::f32), a);
      machine.write(tl.ref(arguments.b, {5, 9}, DType::f32), b);
      kernel(tl, arguments);
    }
    BOOST_TEST((machine.read(dense_tensor(Space::hbm, arguments.c, {70, 9}, DType::f32)) == expected));
  }
}

BOOST_AUTO_TEST_SUITE_END()
