// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/latency.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace petal;

constexpr ClockFrequency kOneGigahertz{1.0};

std::int64_t gemm_ps(const GemmConfig& config, const GemmShape& tile, DType dtype,
                     ClockFrequency clock = kOneGigahertz) {
  return gemm_duration(config, clock, tile, dtype).count();
}

std::int64_t math_ps(Opcode opcode, std::uint64_t elements, const MathConfig& config = {},
                     ClockFrequency clock = kOneGigahertz) {
  return math_duration(config, clock, opcode, elements).count();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(latency)

BOOST_AUTO_TEST_CASE(fetch_and_store_are_bytes_over_their_ports_bandwidth) {
  FetchStoreConfig config;
  config.write = Bandwidth(256.0);
  BOOST_TEST(fetch_duration(config, kOneGigahertz, Bytes(8192)).count() == 16000);  // 8192 / 512 ns
  BOOST_TEST(store_duration(config, kOneGigahertz, Bytes(8192)).count() == 32000);  // 8192 / 256 ns
  BOOST_TEST(fetch_duration(config, kOneGigahertz, Bytes(100)).count() == 195);     // 195.3125 ps
  BOOST_TEST(fetch_duration(config, kOneGigahertz, Bytes(0)).count() == 0);
}

BOOST_AUTO_TEST_CASE(a_ports_setup_is_in_cycles_of_the_clock) {
  FetchStoreConfig config;
  config.setup_cycles = 3.0;
  // 3 / 1.5 GHz = 2 ns, and 1 ns for 512 bytes whatever the clock.
  BOOST_TEST(fetch_duration(config, ClockFrequency(1.5), Bytes(512)).count() == 3000);
  BOOST_TEST(store_duration(config, ClockFrequency(1.5), Bytes(512)).count() == 3000);
}

BOOST_AUTO_TEST_CASE(an_unlimited_port_takes_its_setup_alone) {
  FetchStoreConfig config;
  config.read = config.write = Bandwidth::unlimited();
  BOOST_TEST(fetch_duration(config, kOneGigahertz, Bytes(1U << 30U)).count() == 0);
  config.setup_cycles = 2.0;
  BOOST_TEST(store_duration(config, kOneGigahertz, Bytes(1U << 30U)).count() == 2000);
}

// 32 * 64 * 32 = 65536 MACs.
BOOST_AUTO_TEST_CASE(the_dtype_sets_a_gemms_rate) {
  const GemmShape tile{32, 64, 32};
  BOOST_TEST(gemm_ps({}, tile, DType::f32) == 64000);  // / 1024
  BOOST_TEST(gemm_ps({}, tile, DType::f16) == 16000);  // / 4096
  BOOST_TEST(gemm_ps({}, tile, DType::bf16) == 16000);
  BOOST_TEST(gemm_ps({}, tile, DType::i8) == 8000);  // / 8192
  BOOST_TEST(gemm_ps({}, tile, DType::f8e4m3) == 8000);
  BOOST_TEST(gemm_ps({}, tile, DType::f8e5m2) == 8000);
}

// 4 * 100 * 3 / 4096 = 0.29296875 cycles of 2000 ps: 585.9375.
BOOST_AUTO_TEST_CASE(a_gemm_is_not_rounded_up_to_whole_cycles) {
  BOOST_TEST(gemm_ps({}, {4, 100, 3}, DType::f16, ClockFrequency(0.5)) == 586);
}

BOOST_AUTO_TEST_CASE(the_rows_of_a_pass_are_rounded_up_to_the_quantum) {
  GemmConfig config;
  BOOST_TEST(gemm_ps(config, {4, 64, 64}, DType::f16) == 4000);  // 16384 / 4096
  config.m_quantum = 16;
  BOOST_TEST(gemm_ps(config, {4, 64, 64}, DType::f16) == 16000);   // 16 rows
  BOOST_TEST(gemm_ps(config, {16, 64, 64}, DType::f16) == 16000);  // 16 rows
  BOOST_TEST(gemm_ps(config, {17, 64, 64}, DType::f16) == 32000);  // 32 rows
  BOOST_TEST(gemm_ps(config, {0, 64, 64}, DType::f16) == 0);
}

BOOST_AUTO_TEST_CASE(an_unlimited_rate_takes_no_time) {
  GemmConfig config;
  config.macs_per_cycle_f16 = 0.0;
  BOOST_TEST(gemm_ps(config, {32, 64, 32}, DType::f16) == 0);
  BOOST_TEST(gemm_ps(config, {32, 64, 32}, DType::f32) == 64000);
}

// 65536^3 = 2^48 MACs / 2^12 = 2^36 cycles.
BOOST_AUTO_TEST_CASE(a_huge_gemm_does_not_overflow) {
  BOOST_TEST(gemm_ps({}, {65536, 65536, 65536}, DType::f16) == 68719476736000);
}

// 32 x 64 x 32 in one fold of 64 x 64, output stationary: 64 + 64 + 64 - 2 = 190 cycles. The throughput
// model's parameters do not enter.
BOOST_AUTO_TEST_CASE(a_systolic_gemm_takes_its_folds_whatever_the_dtype) {
  GemmConfig config;
  config.model = GemmModel::systolic;
  config.macs_per_cycle_f16 = 1.0;
  config.m_quantum = 1000;
  for (const DType dtype : {DType::f32, DType::f16, DType::i8})
    BOOST_TEST(gemm_ps(config, {32, 64, 32}, dtype) == 190000);
  BOOST_TEST(gemm_ps(config, {32, 64, 32}, DType::f16, ClockFrequency(0.5)) == 380000);
  config.array.preload = Preload::overlapped;  // os loads nothing
  BOOST_TEST(gemm_ps(config, {32, 64, 32}, DType::f16) == 190000);
}

BOOST_AUTO_TEST_CASE(math_is_a_startup_and_a_vector_for_every_64_elements_begun) {
  BOOST_TEST(math_ps(Opcode::add, 1) == 5000);    // 4 + 1
  BOOST_TEST(math_ps(Opcode::add, 64) == 5000);   // 4 + 1
  BOOST_TEST(math_ps(Opcode::add, 65) == 6000);   // 4 + 2
  BOOST_TEST(math_ps(Opcode::add, 256) == 8000);  // 4 + 4
}

BOOST_AUTO_TEST_CASE(a_vector_of_a_slow_opcode_takes_four_cycles) {
  for (const Opcode opcode : {Opcode::exp, Opcode::exp_diff, Opcode::div, Opcode::div_bcast, Opcode::tanh,
                              Opcode::rsqrt, Opcode::gelu, Opcode::sigmoid, Opcode::silu, Opcode::softcap})
    BOOST_TEST(math_ps(opcode, 256) == 20000, name_of(opcode));  // 4 + 4*4
  for (const Opcode opcode : {Opcode::fill, Opcode::copy, Opcode::rmax, Opcode::rsum, Opcode::max_elem,
                              Opcode::fma, Opcode::mul_bcast, Opcode::add, Opcode::sub, Opcode::mul,
                              Opcode::scale, Opcode::clamp_min, Opcode::neg, Opcode::relu})
    BOOST_TEST(math_ps(opcode, 256) == 8000, name_of(opcode));  // 4 + 4*1
}

BOOST_AUTO_TEST_CASE(lanes_startup_and_vector_cycles_are_parameters) {
  const MathConfig config{16, 0.5, 2.0, 7.0};
  BOOST_TEST(math_ps(Opcode::add, 33, config) == 6500);   // 0.5 + 3*2
  BOOST_TEST(math_ps(Opcode::exp, 33, config) == 21500);  // 0.5 + 3*7
  BOOST_TEST(math_ps(Opcode::exp, 33, config, ClockFrequency(2.0)) == 10750);
}

BOOST_AUTO_TEST_SUITE_END()
