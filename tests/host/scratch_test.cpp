// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include <memory>

#include "host/recording_sink.hpp"
#include "petal/host/scratch_arena.hpp"

using namespace petal;
using namespace petal::test;

BOOST_AUTO_TEST_SUITE(scratch)

BOOST_AUTO_TEST_CASE(allocations_are_aligned_to_64_bytes) {
  ScratchArena arena(Bytes(1024));
  BOOST_TEST(arena.allocate("empty", {1}, DType::f32).address == 0U);
  BOOST_TEST(arena.allocate("empty", {16}, DType::f32).address == 64U);  // exactly 64 bytes
  BOOST_TEST(arena.allocate("empty", {65}, DType::i8).address == 128U);
  BOOST_TEST(arena.allocate("empty", {1}, DType::i8).address == 256U);
}

BOOST_AUTO_TEST_CASE(exhaustion_says_asked_free_and_total) {
  ScratchArena arena(Bytes(1000));
  arena.allocate("empty", {512}, DType::i8);
  arena.allocate("empty", {488}, DType::i8);  // the last byte of the arena
  BOOST_CHECK_EXCEPTION(arena.allocate("zeros", {7}, DType::f32), EmitError, [](const EmitError& error) {
    return error.op() == "zeros" && mentions(error, "28 bytes") && mentions(error, "0 of the arena's 1000");
  });
  ScratchArena half(Bytes(1000));
  half.allocate("empty", {500}, DType::i8);  // to 512
  BOOST_CHECK_EXCEPTION(half.allocate("zeros", {489}, DType::i8), EmitError,
                        [](const EmitError& error) { return mentions(error, "488 of the arena's 1000"); });
}

BOOST_AUTO_TEST_CASE(size_beyond_64_bits_is_refused) {
  ScratchArena arena(Bytes(1024));
  const std::uint64_t half = std::uint64_t{1} << 32U;
  BOOST_CHECK_THROW(arena.allocate("empty", {half, half}, DType::f32), EmitError);
}

BOOST_AUTO_TEST_CASE(tensor_of_no_bytes_has_a_place_of_its_own) {
  ScratchArena arena(Bytes(1024));
  const TensorHandle nothing = arena.allocate("empty", {0, 8}, DType::f32);
  BOOST_TEST(!arena.find_problem(nothing).has_value());
  BOOST_TEST(arena.allocate("empty", {1}, DType::f32).address != nothing.address);
}

BOOST_AUTO_TEST_CASE(scope_end_frees_what_was_allocated_in_it) {
  Bench f;
  const TensorHandle outer = f.tl.empty({16});
  std::uint64_t inside = 0;
  {
    const ScratchScope scope = f.tl.scratch_scope();
    inside = f.tl.empty({16}).address;
  }
  BOOST_TEST(f.tl.empty({16}).address == inside);
  BOOST_TEST(!f.tl.scratch().find_problem(outer).has_value());
  BOOST_TEST(f.tl.scratch().peak().count() == 128U);
}

BOOST_AUTO_TEST_CASE(stale_handle_is_found_although_its_memory_is_in_use_again) {
  Bench f;
  TensorHandle stale;
  {
    const ScratchScope scope = f.tl.scratch_scope();
    stale = f.tl.empty({16});
  }
  BOOST_TEST(emit_error_of(f, [&] { f.tl.relu(stale); }).operand() == "src");
  f.tl.empty({16});
  BOOST_TEST(mentions(emit_error_of(f, [&] { f.tl.relu(stale); }), "scope ended"));
  BOOST_TEST(mentions(emit_error_of(f, [&] { f.tl.wait(stale); }), "scope ended"));
}

BOOST_AUTO_TEST_CASE(address_that_the_kernel_made_up_is_refused) {
  Bench f;
  f.tl.empty({16});
  const TensorHandle invented = dense_tensor(Space::tcm, 4096, {16}, DType::f32);
  BOOST_TEST(emit_error_of(f, [&] { f.tl.relu(invented); }).operand() == "src");
  const TensorHandle too_long = dense_tensor(Space::tcm, 0, {17}, DType::f32);
  BOOST_TEST(emit_error_of(f, [&] { f.tl.relu(too_long); }).operand() == "src");
}

BOOST_AUTO_TEST_CASE(scopes_that_end_in_the_wrong_order_do_not_throw) {
  Bench f;
  auto outer = std::make_unique<ScratchScope>(f.tl.scratch_scope());
  auto inner = std::make_unique<ScratchScope>(f.tl.scratch_scope());
  const TensorHandle in_inner = f.tl.empty({16});
  outer.reset();
  BOOST_TEST(f.tl.scratch().find_problem(in_inner).has_value());
  const TensorHandle after = f.tl.empty({16});
  inner.reset();
  BOOST_TEST(!f.tl.scratch().find_problem(after).has_value());
}

BOOST_AUTO_TEST_CASE(scope_may_outlive_its_context) {
  auto bench = std::make_unique<Bench>();
  auto scope = std::make_unique<ScratchScope>(bench->tl.scratch_scope());
  bench.reset();
  BOOST_CHECK_NO_THROW(scope.reset());
}

BOOST_AUTO_TEST_CASE(scope_may_be_moved_and_ended_early) {
  Bench f;
  ScratchScope first = f.tl.scratch_scope();
  f.tl.empty({16});
  ScratchScope second(std::move(first));
  first.end();
  BOOST_TEST(f.tl.scratch().used().count() == 64U);
  second.end();
  BOOST_TEST(f.tl.scratch().used().count() == 0U);
  second.end();
}

BOOST_AUTO_TEST_SUITE_END()
