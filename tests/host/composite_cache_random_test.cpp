// SPDX-License-Identifier: Apache-2.0
//
// Whatever a kernel does, a context that keeps lowerings and one that does not issue the same commands,
// refuse the same calls in the same words, and return the same handles. Thousands of random calls, many of
// them nearly the same as an earlier one, go to both.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <random>

#include "host/recording_sink.hpp"
#include "petal/command/wire_codec.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr std::uint64_t kHeads = 4;
constexpr std::uint64_t kDim = 16;
constexpr std::uint64_t kKeys = 8;

TlOptions options_keeping(std::size_t lowerings) {
  TlOptions options;
  options.arena = Bytes(16384);        // small enough to run out of
  options.composite_cap = Bytes(200);  // small enough to cut some composites, and to refuse a few
  options.max_outstanding_commands = 64;
  options.math_head_streaming = true;
  options.lowerings_kept = lowerings;
  return options;
}

bool identical(const TensorHandle& a, const TensorHandle& b) {
  return a.same_tensor(b) && a.lease == b.lease && a.pending == b.pending;
}

/// What a call did.
struct Outcome {
  std::string error;
  TensorHandle result;
};

/// A context, and all that its calls lead to.
struct World {
  explicit World(std::size_t lowerings_kept) : bench(options_keeping(lowerings_kept)) {}

  Outcome run(const std::function<TensorHandle(TlContext&)>& call) {
    bench.sink.issued.clear();
    try {
      return {"", call(bench.tl)};
    } catch (const EmitError& error) {
      return {error.what(), {}};
    }
  }

  Bench bench;
  std::vector<ScratchScope> scopes;
  TensorTable tensors;
};

/// The two contexts, which every call goes to.
class Twins {
 public:
  /// Makes the same call of both and compares what came of it. Returns the handle, or nothing for a refusal.
  std::optional<TensorHandle> call(const std::function<TensorHandle(TlContext&)>& call) {
    const Outcome expected = anew_.run(call);
    const Outcome found = keeping_.run(call);
    BOOST_REQUIRE_EQUAL(found.error, expected.error);
    BOOST_REQUIRE(identical(found.result, expected.result));
    compare_commands();
    const ScratchArena& arena = keeping_.bench.tl.scratch();
    BOOST_REQUIRE(arena.used() == anew_.bench.tl.scratch().used());
    BOOST_REQUIRE(arena.peak() == anew_.bench.tl.scratch().peak());
    BOOST_REQUIRE(arena.allocations() == anew_.bench.tl.scratch().allocations());
    ++(found.error.empty() ? accepted_ : refused_);
    return found.error.empty() ? std::optional<TensorHandle>(found.result) : std::nullopt;
  }

  void open_scope() {
    for (World* world : {&keeping_, &anew_}) world->scopes.push_back(world->bench.tl.scratch_scope());
  }
  /// Ends a scope, and with it those inside it.
  void close_scope(std::size_t depth) {
    for (World* world : {&keeping_, &anew_})
      while (world->scopes.size() > depth) world->scopes.pop_back();
  }
  std::size_t depth() const { return anew_.scopes.size(); }

  std::uint64_t reused() const { return keeping_.bench.tl.lowerings_reused(); }
  std::uint64_t accepted() const { return accepted_; }
  std::uint64_t refused() const { return refused_; }

 private:
  void compare_commands() {
    const std::vector<IssueRequest>& found = keeping_.bench.sink.issued;
    const std::vector<IssueRequest>& expected = anew_.bench.sink.issued;
    BOOST_REQUIRE_EQUAL(found.size(), expected.size());
    for (std::size_t index = 0; index < found.size(); ++index) {
      const CommandSlice& x = found[index].slice;
      const CommandSlice& y = expected[index].slice;
      BOOST_REQUIRE(found[index].pending_inputs == expected[index].pending_inputs);
      BOOST_REQUIRE_EQUAL(found[index].is_primitive, expected[index].is_primitive);
      BOOST_REQUIRE(std::tie(x.completion, x.first_op, x.last_op, x.segment, x.segments) ==
                    std::tie(y.completion, y.first_op, y.last_op, y.segment, y.segments));
      BOOST_REQUIRE(x.logical_bytes == y.logical_bytes);
      BOOST_REQUIRE(framing_of(*x.command).completion == framing_of(*y.command).completion);
      BOOST_REQUIRE(encode(*x.command, keeping_.tensors) == encode(*y.command, anew_.tensors));
    }
    BOOST_REQUIRE(keeping_.bench.tl.next_completion() == anew_.bench.tl.next_completion());
    BOOST_REQUIRE(std::equal(keeping_.tensors.entries().begin(), keeping_.tensors.entries().end(),
                             anew_.tensors.entries().begin(), anew_.tensors.entries().end(), identical));
  }

  World keeping_{4};
  World anew_{0};
  std::uint64_t accepted_ = 0;
  std::uint64_t refused_ = 0;
};

/// A kernel that does anything.
class RandomKernel {
 public:
  RandomKernel(Twins& twins, unsigned seed) : twins_(twins), random_(seed) {
    allocate_state();
    last_ = plain_gemm();
  }

  void step() {
    const std::uint64_t action = below(100);
    if (action < 6) {
      twins_.open_scope();
    } else if (action < 14) {
      close_scopes();
    } else if (action < 18) {
      allocate_state();
    } else if (action < 22) {
      write_something();
    } else {
      issue_composite();
    }
  }

 private:
  enum Kind : std::size_t { kQ, kS, kVector, kO, kKinds };

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t times) { return below(times) == 0; }

  void close_scopes() {
    if (twins_.depth() > 0) twins_.close_scope(one_in(4) ? below(twins_.depth()) : twins_.depth() - 1);
  }

  void allocate(Kind kind, const Dims& shape, DType dtype) {
    const auto made = twins_.call([&](TlContext& tl) { return tl.empty(shape, dtype); });
    if (made) pools_[kind].push_back(*made);
  }

  void allocate_state() {
    allocate(kQ, {kHeads, kDim}, DType::f16);
    allocate(kS, {kHeads, kKeys}, DType::f32);
    for (int i = 0; i < 2; ++i) allocate(kVector, {kHeads}, DType::f32);
    allocate(kO, {kHeads, kDim}, DType::f32);
  }

  /// One of the latest tensors of a kind, seldom any; some of them are freed.
  TensorHandle pick(Kind kind) {
    const std::vector<TensorHandle>& pool = pools_[kind];
    const std::size_t reach = one_in(8) ? pool.size() : std::min<std::size_t>(pool.size(), 3);
    return pool[pool.size() - 1 - below(reach)];
  }
  TensorHandle pick_any() { return pick(static_cast<Kind>(below(kKinds))); }

  static TensorHandle in_hbm(std::uint64_t address, const Dims& shape, DType dtype) {
    return dense_tensor(Space::hbm, address, shape, dtype);
  }
  std::uint64_t address() { return 0x1000 + 0x100 * below(6); }

  void write_something() {
    const TensorHandle tensor = pick_any();
    const TensorHandle target = in_hbm(address(), tensor.shape, tensor.dtype);
    if (one_in(2))
      twins_.call([&](TlContext& tl) { return tl.neg(tensor, tensor); });
    else
      twins_.call([&](TlContext& tl) {
        tl.store(target, tensor);
        return target;
      });
  }

  CompositeRequest plain_gemm() {
    CompositeRequest request;
    request.a = pick(kQ);
    request.b = transposed(in_hbm(address(), {kKeys, kDim}, DType::f16));
    if (one_in(2)) request.out = pick(kS);
    if (one_in(2)) request.scale = 0.5F;
    if (one_in(2)) request.epilogue.emplace_back("gelu");
    return request;
  }

  CompositeRequest merge() {
    CompositeRequest request;
    request.prologue.push_back(CompositeEntry(
        "softmax_merge", {{"s", pick(kS)}, {"m", pick(kVector)}, {"l", pick(kVector)}, {"O", pick(kO)}}));
    if (one_in(4)) {
      request.op = "math";
      return request;
    }
    request.b = in_hbm(address(), {kKeys, kDim}, DType::f16);
    request.out = request.prologue[0].operands[3].handle;
    request.epilogue.push_back(CompositeEntry("add", {{"other", *request.out}}));
    return request;
  }

  CompositeRequest math_head() {
    CompositeRequest request;
    request.op = "math";
    request.math_op = "scale";
    request.a = one_in(2) ? pick(kO) : in_hbm(address(), {kHeads, kDim}, DType::f32);
    request.math_scalars.emplace_back("factor", 2.0F);
    if (one_in(2)) request.prologue.push_back(CompositeEntry("neg", {{"src", pick(kS)}}));
    if (one_in(2)) request.out_ptr = address();
    return request;
  }

  CompositeRequest fresh() {
    const std::uint64_t form = below(5);
    return form < 2 ? plain_gemm() : form < 4 ? merge() : math_head();
  }

  /// Any tensor that a request names, or nothing.
  TensorHandle* any_handle(CompositeRequest& request) {
    std::vector<TensorHandle*> handles;
    for (std::optional<TensorHandle>* handle : {&request.a, &request.b, &request.c, &request.out})
      if (*handle) handles.push_back(&**handle);
    for (std::vector<CompositeEntry>* entries : {&request.prologue, &request.epilogue})
      for (CompositeEntry& entry : *entries) {
        if (entry.out) handles.push_back(&*entry.out);
        for (NamedOperand& operand : entry.operands) handles.push_back(&operand.handle);
      }
    return handles.empty() ? nullptr : handles[below(handles.size())];
  }

  void vary_handle(CompositeRequest& request) {
    TensorHandle* const handle = any_handle(request);
    if (!handle) return;
    switch (below(6)) {
      case 0:
        *handle = pick_any();
        break;
      case 1:
        handle->lease = 0;
        break;
      case 2:
        handle->address += one_in(2) ? 64 : ~std::uint64_t{0} - handle->address - below(512);
        break;
      case 3:
        handle->shape[0] = below(2) * handle->shape[0];
        break;
      case 4:
        handle->space = handle->space == Space::hbm ? Space::tcm : Space::hbm;
        break;
      default:
        handle->dtype = handle->dtype == DType::f32 ? DType::i32 : DType::f32;
        break;
    }
  }

  void vary_entry(CompositeRequest& request) {
    std::vector<CompositeEntry>& entries = one_in(2) ? request.prologue : request.epilogue;
    if (entries.empty()) {
      entries.emplace_back(one_in(2) ? "relu" : "scale");
      return;
    }
    CompositeEntry& entry = entries[below(entries.size())];
    switch (below(6)) {
      case 0:
        entry.scope = static_cast<Scope>(below(3));
        break;
      case 1:
        entry.scalars.emplace_back("factor", one_in(2) ? 0.0F : -0.0F);
        break;
      case 2:
        entry.out = pick_any();
        break;
      case 3:
        entry.op = one_in(2) ? "exp" : "add";
        break;
      case 4:
        for (NamedOperand& operand : entry.operands) operand.access = Access::read;
        break;
      default:
        entries.pop_back();
        break;
    }
  }

  void vary_field(CompositeRequest& request) {
    switch (below(6)) {
      case 0:
        request.out = one_in(2) ? pick_any() : in_hbm(address(), {kHeads, kKeys}, DType::f32);
        break;
      case 1:
        request.out.reset();
        break;
      case 2:
        request.scale = one_in(2) ? 0.0F : -0.0F;
        break;
      case 3:
        request.out_ptr = address();
        break;
      case 4:
        request.out_dtype = one_in(2) ? DType::f16 : DType::f32;
        break;
      default:
        if (request.a)
          request.a = one_in(2) ? in_hbm(address(), request.a->shape, request.a->dtype) : pick(kQ);
        break;
    }
  }

  CompositeRequest next_request() {
    if (one_in(6)) return fresh();
    CompositeRequest request = last_;
    if (request.b && !one_in(3)) request.b->address = address();
    if (!one_in(3)) return request;
    const std::uint64_t part = below(3);
    if (part == 0) vary_handle(request);
    if (part == 1) vary_entry(request);
    if (part == 2) vary_field(request);
    return request;
  }

  void issue_composite() {
    const CompositeRequest request = next_request();
    const bool in_a_tile = !one_in(3);
    if (in_a_tile) twins_.open_scope();
    const auto result = twins_.call([&](TlContext& tl) { return tl.composite(request); });
    if (in_a_tile) twins_.close_scope(twins_.depth() - 1);
    last_ = result ? request : fresh();
    if (result && result->pinned() && result->shape == Dims{kHeads, kKeys}) pools_[kS].push_back(*result);
  }

  Twins& twins_;
  std::mt19937_64 random_;
  std::vector<TensorHandle> pools_[kKinds];
  CompositeRequest last_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(composite_cache_random)

BOOST_AUTO_TEST_CASE(kept_lowerings_change_nothing) {
  constexpr unsigned kKernels = 60;
  constexpr unsigned kSteps = 400;
  std::uint64_t accepted = 0, refused = 0, reused = 0;
  for (unsigned seed = 0; seed < kKernels; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Twins twins;
      RandomKernel kernel(twins, seed);
      for (unsigned step = 0; step < kSteps; ++step) kernel.step();
      accepted += twins.accepted();
      refused += twins.refused();
      reused += twins.reused();
    }
  }
  BOOST_TEST_MESSAGE(accepted << " accepted, " << refused << " refused, " << reused << " lowerings reused");
  // The comparison says something only if all three are common.
  BOOST_TEST(accepted > 5000U);
  BOOST_TEST(refused > 1000U);
  BOOST_TEST(reused > 1000U);
}

BOOST_AUTO_TEST_SUITE_END()
