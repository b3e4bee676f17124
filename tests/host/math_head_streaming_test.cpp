// SPDX-License-Identifier: Apache-2.0
//
// MATH-only composites on HBM operands: refused unless the knob allows it (SPEC 3, 11.15).
#include <boost/test/unit_test.hpp>

#include "host/recording_sink.hpp"

using namespace petal;
using namespace petal::test;

namespace {

TlOptions streaming() {
  TlOptions options;
  options.math_head_streaming = true;
  return options;  // chunks of 32 * 32 = 1024 elements
}

CompositeRequest math(const std::string& op, const TensorHandle& a) {
  CompositeRequest request;
  request.op = "math";
  request.math_op = op;
  request.a = a;
  return request;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(math_head_streaming)

BOOST_AUTO_TEST_CASE(is_refused_by_default_and_the_error_names_the_knob) {
  Bench f;
  const TensorHandle in_hbm = f.tl.ref(0, {64, 64}, DType::f16);
  const EmitError error = emit_error_of(f, [&] { f.tl.composite(math("relu", in_hbm)); });
  BOOST_TEST(error.operand() == "a");
  BOOST_TEST(mentions(error, "pe_scheduler.math_head_streaming"));
  CompositeRequest written_back = math("relu", f.tl.zeros({4, 4}));
  written_back.out_ptr = 0x1000;
  BOOST_TEST(emit_error_of(f, [&] { f.tl.composite(written_back); }).operand() == "out");
}

BOOST_AUTO_TEST_CASE(is_issued_with_the_knob) {
  Bench f(streaming());
  CompositeRequest request = math("relu", f.tl.ref(0, {64, 64}, DType::f16));
  request.out_ptr = 0x10000;
  const TensorHandle out = f.tl.composite(request);
  BOOST_TEST((out.space == Space::hbm));
  BOOST_TEST((out.dtype == DType::f16));
  BOOST_TEST(f.sink.issued.size() == 1U);
}

BOOST_AUTO_TEST_CASE(reduction_within_chunks_is_issued) {
  Bench f(streaming());
  f.tl.composite(math("rsum", f.tl.ref(0, {64, 64}, DType::f16)));   // 16 whole rows a chunk
  f.tl.composite(math("rsum", f.tl.ref(0, {1, 1000}, DType::f16)));  // one chunk
  BOOST_TEST(f.sink.issued.size() == 2U);
}

BOOST_AUTO_TEST_CASE(reduction_that_crosses_chunks_is_refused) {
  Bench f(streaming());
  const auto refuse = [&](const Dims& shape) {
    return emit_error_of(f, [&] { f.tl.composite(math("rsum", f.tl.ref(0, shape, DType::f16))); });
  };
  BOOST_TEST(mentions(refuse({2, 2048}), "crosses chunks"));
  BOOST_TEST(mentions(refuse({64, 48}), "crosses chunks"));  // 1024 / 48 is no whole number of rows
}

BOOST_AUTO_TEST_CASE(tensor_with_gaps_is_refused) {
  Bench f(streaming());
  const TensorHandle gaps = f.tl.ref(0, {64, 64}, DType::f16, {128, 1});
  BOOST_TEST(mentions(emit_error_of(f, [&] { f.tl.composite(math("relu", gaps)); }), "gaps"));
}

BOOST_AUTO_TEST_CASE(only_the_head_streams) {
  Bench f(streaming());
  CompositeRequest request = math("relu", f.tl.zeros({4, 4}));
  CompositeEntry add("add", {{"other", f.tl.ref(0, {4, 4}, DType::f32)}});
  add.scope = Scope::kernel;
  request.epilogue = {add};
  BOOST_TEST(emit_error_of(f, [&] { f.tl.composite(request); }).operand() == "other");
}

BOOST_AUTO_TEST_SUITE_END()
