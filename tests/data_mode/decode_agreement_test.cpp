// SPDX-License-Identifier: Apache-2.0
//
// ADR-0065 test 6: the decode kernels agree with each other and with a reference in double precision on m, l
// and O, whatever the sizes and dtypes are, and however the platform is set up.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <random>

#include "data_mode/decode_problem.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// For an f32 sum of up to 1000 terms of either sign; the dtypes of the inputs do not matter to it.
constexpr double kTolerance = 1e-5;

constexpr std::uint64_t kGroups[] = {1, 3, 4, 7, 8, 12, 16};
constexpr std::uint64_t kHeadDims[] = {64, 72, 80, 96, 128, 192, 256};
constexpr std::uint64_t kKvLengths[] = {0, 1, 63, 64, 65, 127, 1000};

/// The seed of the random tests: PETAL_TEST_SEED, to repeat a failure or look further.
unsigned test_seed() {
  const char* const given = std::getenv("PETAL_TEST_SEED");
  return given == nullptr ? 65U : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

void randomise(Values& values, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (double& value : values) value = uniform(random);
}

/// All groups and lengths for one head_dim and dtype: one platform for each kernel, and a launch for each
/// problem, behind one another.
class Row {
 public:
  Row(std::uint64_t head_dim, DType dtype, std::mt19937& random) {
    HbmImage image;
    for (const std::uint64_t kv_len : kKvLengths) {
      DecodeProblem shared(1, 1, head_dim, kv_len, dtype);
      randomise(shared.k, random);
      randomise(shared.v, random);
      shared.round_inputs();
      shared.place(image);
      for (const std::uint64_t group : kGroups) add_problem(shared, group, image, random);
    }
    for (const DecodeKernel& kernel : kDecodeKernels) {
      benches_.push_back(std::make_unique<DataBench>(PlatformConfig(), image));
      for (const DecodeProblem& problem : problems_) problem.launch(*benches_.back(), kernel);
    }
  }

  void check() const {
    for (const DecodeProblem& problem : problems_) {
      const DecodeResult expected = problem.solve();
      const DecodeResult first = problem.read(*benches_.front());
      for (std::size_t kernel = 0; kernel < benches_.size(); ++kernel) {
        const DecodeResult result = problem.read(*benches_[kernel]);
        const GqaDecodeArguments& a = problem.arguments;
        const std::string what = std::string(kDecodeKernels[kernel].name) + ", G " +
                                 std::to_string(a.q_heads) + ", d " + std::to_string(a.head_dim) + ", keys " +
                                 std::to_string(a.kv_len) + ", " + std::string(name_of(a.dtype));
        require_close(result, expected, kTolerance, what);
        require_close(result, first, kTolerance, what + " against opt1");
      }
    }
  }

 private:
  void add_problem(const DecodeProblem& shared, std::uint64_t group, HbmImage& image, std::mt19937& random) {
    DecodeProblem problem = shared;
    problem.arguments.q_heads = group;
    problem.q.assign(group * shared.arguments.head_dim, 0.0);
    randomise(problem.q, random);
    problem.q = rounded(problem.q, shared.arguments.dtype);
    problem.arguments.q =
        image.put({group, shared.arguments.head_dim}, shared.arguments.dtype, problem.q).address;
    problem.place_results(image);
    problems_.push_back(std::move(problem));
  }

  std::vector<DecodeProblem> problems_;
  std::vector<std::unique_ptr<DataBench>> benches_;
};

void check_matrix(DType dtype) {
  std::mt19937 random(test_seed());
  std::vector<std::unique_ptr<Row>> rows;
  for (const std::uint64_t head_dim : kHeadDims)
    rows.push_back(std::make_unique<Row>(head_dim, dtype, random));
  simulate();
  for (const auto& row : rows) row->check();
}

template <typename T>
T one_of(std::initializer_list<T> choices, std::mt19937& random) {
  return choices.begin()[std::uniform_int_distribution<std::size_t>(0, choices.size() - 1)(random)];
}

std::uint64_t between(std::uint64_t least, std::uint64_t most, std::mt19937& random) {
  return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
}

PlatformConfig random_platform(std::mt19937& random) {
  PlatformConfig config;
  PeConfig& pe = config.pes.front();
  pe.cpu.auto_await = one_of({AutoAwait::primitive, AutoAwait::all, AutoAwait::none}, random);
  pe.cpu.queue_bytes = Bytes(between(1024, 4096, random));
  pe.cost.fixed_per_cmd_cycles = one_of({0.0, 5.0, 40.0}, random);
  pe.scheduler.gemm_tile = {between(2, 40, random), between(5, 80, random), between(5, 40, random)};
  pe.scheduler.max_in_flight = static_cast<std::uint32_t>(between(1, 8, random));
  pe.scheduler.tile_buffers = static_cast<std::uint32_t>(between(1, 4, random));
  pe.compute_slot = one_of({ComputeSlot::separate, ComputeSlot::shared}, random);
  pe.gemm.macs_per_cycle_f32 = one_of({1024.0, 1.0}, random);
  pe.fetch_store.read = Bandwidth(one_of({512.0, 8.0}, random));
  config.hbm.scope = one_of({HbmScope::per_pe, HbmScope::shared}, random);
  const std::size_t pes = one_of<std::size_t>({1, 2, 8}, random);
  for (std::size_t index = 1; index < pes; ++index) {
    config.pes.push_back(PeConfig(config.pes.front()));
    config.pes.back().name = "pe" + std::to_string(index);
  }
  return config;
}

DecodeProblem random_problem(std::mt19937& random) {
  const std::uint64_t kv_heads = between(1, 5, random);
  const std::uint64_t most_keys = one_of<std::uint64_t>({3, 70, 300}, random);
  DecodeProblem problem(kv_heads * between(1, 16, random), kv_heads, between(1, 160, random),
                        between(0, most_keys, random),
                        one_of({DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2}, random));
  problem.arguments.tile = one_of<std::uint64_t>({1, 3, 8, 16, 33, 64, 100}, random);
  if (between(0, 3, random) == 0) problem.arguments.scale = 0.25F;
  for (Values* const values : {&problem.q, &problem.k, &problem.v}) randomise(*values, random);
  problem.round_inputs();
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(decode_agreement)

// The whole of test 6's table for each dtype, 343 problems for each kernel.
BOOST_AUTO_TEST_CASE(every_size_in_f32) {
  check_matrix(DType::f32);
}

BOOST_AUTO_TEST_CASE(every_size_in_f16) {
  check_matrix(DType::f16);
}

BOOST_AUTO_TEST_CASE(every_size_in_bf16) {
  check_matrix(DType::bf16);
}

// Problems and platforms at random: no way to order the work changes a result beyond rounding.
BOOST_AUTO_TEST_CASE(random_problems_on_random_platforms) {
  struct Case {
    DecodeProblem problem;
    std::unique_ptr<DataBench> bench;
    const DecodeKernel* kernel;
  };
  const unsigned seed = test_seed();
  std::mt19937 random(seed);
  std::vector<Case> cases;
  for (int round = 0; round < 40; ++round) {
    DecodeProblem problem = random_problem(random);
    HbmImage image;
    problem.place(image);
    for (const DecodeKernel& kernel : kDecodeKernels) {
      cases.push_back({problem, std::make_unique<DataBench>(random_platform(random), image), &kernel});
      problem.launch(*cases.back().bench, kernel);
    }
  }
  BOOST_TEST_MESSAGE("PETAL_TEST_SEED=" << seed);
  simulate();
  for (std::size_t index = 0; index < cases.size(); ++index)
    require_close(cases[index].problem.read(*cases[index].bench), cases[index].problem.solve(), kTolerance,
                  "PETAL_TEST_SEED=" + std::to_string(seed) + ", round " + std::to_string(index / 4) + ", " +
                      cases[index].kernel->name);
}

BOOST_AUTO_TEST_SUITE_END()
