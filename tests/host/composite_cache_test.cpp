// SPDX-License-Identifier: Apache-2.0
//
// Which requests are served by a lowering that was kept, and that the others are lowered, or refused, as
// ever.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include "host/decode_fixture.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// A decode step inside a scratch scope, as kernels issue it.
struct ScopedFixture : DecodeFixture {
  explicit ScopedFixture(const TlOptions& options = {}) : DecodeFixture(options), outer(tl.scratch_scope()) {}

  TensorHandle issue_tile(const CompositeRequest& request) {
    const ScratchScope tile = tl.scratch_scope();
    return tl.composite(request);
  }
  const CompositeCmd& last() const { return sink.get<CompositeCmd>(sink.issued.size() - 1); }

  ScratchScope outer;
};

TensorHandle moved(TensorHandle handle, std::uint64_t address) {
  handle.address = address;
  return handle;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(composite_cache)

BOOST_AUTO_TEST_CASE(a_tile_that_differs_in_the_address_of_b_is_served) {
  ScopedFixture f;
  CompositeRequest request = f.second_composite();
  f.issue_tile(request);
  BOOST_TEST(f.tl.lowerings_reused() == 0U);
  request.b = moved(f.v, 0x9000);
  const TensorHandle result = f.issue_tile(request);
  BOOST_TEST(f.tl.lowerings_reused() == 1U);
  BOOST_TEST(f.last().ops[8].operands[1].address == 0x9000U);
  BOOST_TEST(result.same_tensor(f.o));
  BOOST_TEST(result.pending == f.tl.next_completion() - 1);
}

// The sink holds three commands at a time, as a PE holds those that are outstanding.
BOOST_AUTO_TEST_CASE(a_command_that_was_let_go_of_is_issued_again_and_one_that_is_held_stays_as_it_is) {
  ScopedFixture f;
  CompositeRequest request = f.second_composite();
  std::vector<IssueRequest>& issued = f.sink.issued;
  issued.clear();
  std::set<const PeCommand*> commands;
  for (std::uint64_t tile = 0; tile < 20; ++tile) {
    request.b = moved(f.v, 0x9000 + tile * 0x1000);
    f.issue_tile(request);
    commands.insert(issued.back().slice.command.get());
    if (issued.size() > 3) issued.erase(issued.begin());
    for (std::size_t held = 0; held < issued.size(); ++held) {
      const auto& command = f.sink.get<CompositeCmd>(held);
      BOOST_TEST(command.completion == issued[held].slice.completion);
      BOOST_TEST(command.ops[8].operands[1].address == 0x9000 + (tile + 1 + held - issued.size()) * 0x1000);
    }
  }
  BOOST_TEST(f.tl.lowerings_reused() == 19U);
  BOOST_TEST(commands.size() == 4U);  // three that are held and the one at hand
}

BOOST_AUTO_TEST_CASE(scratch_of_a_served_composite_is_its_own) {
  ScopedFixture f;
  const TensorHandle first = f.issue_tile(f.plain_gemm());
  const TensorHandle second = f.tl.composite(f.plain_gemm());
  BOOST_TEST(f.tl.lowerings_reused() == 1U);
  BOOST_TEST(second.address == first.address);
  BOOST_TEST(mentions(emit_error_of(f, [&] { f.tl.relu(first); }), "scope ended"));
  f.tl.relu(second);
}

BOOST_AUTO_TEST_CASE(another_fill_of_the_arena_is_lowered_anew) {
  ScopedFixture f;
  f.issue_tile(f.plain_gemm());
  f.tl.empty({16});
  f.issue_tile(f.plain_gemm());
  BOOST_TEST(f.tl.lowerings_reused() == 0U);
}

BOOST_AUTO_TEST_CASE(outside_of_scopes_nothing_is_served) {
  DecodeFixture f;
  CompositeRequest request = f.second_composite();
  f.tl.composite(request);
  f.tl.composite(request);
  BOOST_TEST(f.tl.lowerings_reused() == 0U);
}

BOOST_AUTO_TEST_CASE(a_handle_that_was_freed_since_is_refused) {
  ScopedFixture f;
  CompositeRequest request = f.plain_gemm();
  request.out = f.o;
  request.b = f.tl.trans(f.tl.ref(0x4000, {16, 16}, DType::f16));
  TensorHandle stale;
  {
    const ScratchScope scope = f.tl.scratch_scope();
    stale = f.tl.empty({4, 16}, DType::f16);
    request.a = stale;
    f.tl.composite(request);
  }
  f.tl.empty({4, 16}, DType::f16);  // at the same address
  BOOST_TEST(mentions(emit_error_of(f, [&] { f.tl.composite(request); }), "scope ended"));
}

BOOST_AUTO_TEST_CASE(b_may_not_move_onto_an_out_in_hbm) {
  ScopedFixture f;
  CompositeRequest request = f.plain_gemm();
  request.out = f.tl.ref(0x8000, {4, 8}, DType::f32);
  f.issue_tile(request);
  f.issue_tile(request);
  BOOST_TEST(f.tl.lowerings_reused() == 1U);
  request.b = moved(*request.b, 0x8000);
  BOOST_TEST(emit_error_of(f, [&] { f.issue_tile(request); }).operand() == "out");
}

BOOST_AUTO_TEST_CASE(b_may_not_move_past_the_end_of_memory) {
  ScopedFixture f;
  CompositeRequest request = f.second_composite();
  f.issue_tile(request);
  request.b = moved(f.v, ~std::uint64_t{0} - 8);
  BOOST_TEST(emit_error_of(f, [&] { f.issue_tile(request); }).operand() == "b");
}

BOOST_AUTO_TEST_CASE(zeros_of_two_signs_are_two_scalars) {
  ScopedFixture f;
  CompositeRequest request = f.plain_gemm();
  request.scale = 0.0F;
  f.issue_tile(request);
  request.scale = -0.0F;
  f.issue_tile(request);
  BOOST_TEST(f.tl.lowerings_reused() == 0U);
  BOOST_TEST(std::signbit(gemm_scale_of(f.last().ops[0])));
}

BOOST_AUTO_TEST_CASE(access_that_is_withdrawn_is_withdrawn) {
  ScopedFixture f;
  CompositeRequest request = f.second_composite();
  f.issue_tile(request);
  for (NamedOperand& operand : request.prologue[0].operands) operand.access = Access::read;
  BOOST_TEST(emit_error_of(f, [&] { f.issue_tile(request); }).operand() == "m");
}

BOOST_AUTO_TEST_CASE(inputs_wait_for_the_writer_of_the_b_that_is_read) {
  ScopedFixture f;
  CompositeRequest request = f.plain_gemm();
  request.out = f.s;
  f.issue_tile(request);
  const TensorHandle keys = f.tl.empty({8, 16}, DType::f16);
  const ScratchScope tile = f.tl.scratch_scope();
  f.tl.composite(request);  // the arena is filled further
  f.tl.store(f.tl.ref(0x6000, {8, 16}, DType::f16), keys);
  const CompletionId stored = f.tl.next_completion() - 1;
  request.b = moved(*request.b, 0x6000);
  f.tl.composite(request);
  BOOST_TEST(f.tl.lowerings_reused() == 1U);
  const std::vector<CompletionId>& waits = f.sink.issued.back().pending_inputs;
  BOOST_TEST((std::find(waits.begin(), waits.end(), stored) != waits.end()));
}

BOOST_AUTO_TEST_CASE(tensor_of_no_bytes_at_the_edge_of_a_slot_is_checked_each_time) {
  ScopedFixture f;
  CompositeRequest request = f.plain_gemm();
  request.a = f.tl.empty({0, 16}, DType::f16);
  const TensorHandle last_slot = f.tl.empty({16});
  TensorHandle other = dense_tensor(Space::tcm, last_slot.range().end, {0, 8}, DType::f32);
  request.epilogue = {CompositeEntry("add", {{"other", other}})};
  f.issue_tile(request);
  // The result lies where `other` does, so that is no longer in `last_slot`.
  request.epilogue[0].operands[0].handle.lease = last_slot.lease;
  BOOST_TEST(emit_error_of(f, [&] { f.issue_tile(request); }).operand() == "other");
}

BOOST_AUTO_TEST_CASE(no_more_lowerings_are_kept_than_the_options_say) {
  TlOptions options;
  options.lowerings_kept = 1;
  ScopedFixture f(options);
  CompositeRequest scaled = f.plain_gemm();
  scaled.scale = 0.5F;
  for (int round = 0; round < 3; ++round) {
    f.issue_tile(f.plain_gemm());
    f.issue_tile(scaled);
  }
  BOOST_TEST(f.tl.lowerings_reused() == 0U);
  f.issue_tile(scaled);
  BOOST_TEST(f.tl.lowerings_reused() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
