// SPDX-License-Identifier: Apache-2.0
#include "petal/npy/npy_array.hpp"

#include <boost/test/unit_test.hpp>
#include <cstring>

#include "npy/npy_bytes.hpp"

namespace {

using namespace petal;
using namespace petal::test;

template <typename T>
Doubles doubles_of(const char* descr, const std::vector<T>& values) {
  return as_doubles({descr, {values.size()}, stored(values)});
}

template <typename T>
std::vector<T> numbers(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(npy_array)

BOOST_AUTO_TEST_CASE(every_element_type_is_read_as_doubles) {
  BOOST_TEST(doubles_of<float>("<f4", {1.5F, -2}) == (Doubles{1.5, -2}), boost::test_tools::per_element());
  BOOST_TEST(doubles_of<double>("<f8", {0.1, -2}) == (Doubles{0.1, -2}), boost::test_tools::per_element());
  BOOST_TEST(doubles_of<std::uint16_t>("<f2", {0x3E00, 0x0001}) == (Doubles{1.5, 0x1p-24}),
             boost::test_tools::per_element());
  BOOST_TEST(doubles_of<std::uint8_t>("|b1", {0, 1}) == (Doubles{0, 1}), boost::test_tools::per_element());
  BOOST_TEST(doubles_of<std::int8_t>("|i1", {-128, 127}) == (Doubles{-128, 127}),
             boost::test_tools::per_element());
  BOOST_TEST(doubles_of<std::int32_t>("<i4", {-5, 2147483647}) == (Doubles{-5, 2147483647}),
             boost::test_tools::per_element());
  BOOST_TEST(doubles_of<std::int64_t>("<i8", {-5, 9007199254740993}) == (Doubles{-5, 9007199254740992.0}),
             boost::test_tools::per_element());  // 2^53 + 1 is no double
}

BOOST_AUTO_TEST_CASE(item_sizes_and_unknown_types) {
  BOOST_TEST(npy_item_bytes("<f2").value() == 2U);
  BOOST_TEST(npy_item_bytes("|b1").value() == 1U);
  BOOST_TEST(npy_item_bytes("<i8").value() == 8U);
  for (const char* descr : {">f4", "<u2", "|O", "<U3", "f4", ""}) BOOST_TEST(!npy_item_bytes(descr), descr);
}

// 1 + 2^-11 + 2^-40 lies above the tie of f16 at 1; on the way through f32 it would be the tie, and become 1.
BOOST_AUTO_TEST_CASE(elements_are_rounded_once) {
  const NpyArray array{"<f8", {2}, stored<double>({1.0 + 0x1p-11 + 0x1p-40, -2})};
  BOOST_TEST(
      numbers<std::uint16_t>(as_elements(array, DType::f16)) == (std::vector<std::uint16_t>{0x3C01, 0xC000}),
      boost::test_tools::per_element());
  BOOST_TEST(numbers<float>(as_elements(array, DType::f32)) ==
                 (std::vector<float>{static_cast<float>(1.0 + 0x1p-11), -2}),
             boost::test_tools::per_element());
  const NpyArray integers{"<i4", {2}, stored<std::int32_t>({300, -7})};
  BOOST_TEST(numbers<std::int8_t>(as_elements(integers, DType::i8)) == (std::vector<std::int8_t>{127, -7}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_dtype_becomes_an_array_of_the_same_numbers) {
  const NpyArray numbers_in{"<f4", {2, 2}, stored<float>({0, 1, 1, 0})};
  for (const DType dtype : kAllDTypes) {
    const NpyArray array = npy_of_elements(as_elements(numbers_in, dtype), dtype, {2, 2});
    BOOST_TEST(as_doubles(array) == (Doubles{0, 1, 1, 0}), boost::test_tools::per_element());
    BOOST_TEST(array.data.size() == 4 * npy_item_bytes(array.descr).value(), name_of(dtype));
  }
}

BOOST_AUTO_TEST_CASE(types_numpy_has_keep_their_bits_and_others_are_widened) {
  const NpyArray half = npy_of_elements(stored<std::uint16_t>({0x3C01}), DType::f16, {1});
  BOOST_TEST(half.descr == "<f2");
  BOOST_TEST((half.data == stored<std::uint16_t>({0x3C01})));
  const NpyArray bf16 = npy_of_elements(stored<std::uint16_t>({0x3F81}), DType::bf16, {1});
  BOOST_TEST(bf16.descr == "<f4");
  BOOST_TEST((bf16.data == stored<float>({1.0078125F})));  // 1 + 2^-7
  const NpyArray f8 = npy_of_elements(stored<std::uint8_t>({0x7E}), DType::f8e4m3, {});
  BOOST_TEST((f8.data == stored<float>({448})));
  BOOST_TEST(npy_of_elements({}, DType::i32, {0}).descr == "<i4");
  BOOST_TEST(npy_of_elements({}, DType::boolean, {0}).descr == "|b1");
  BOOST_TEST(npy_of_elements({}, DType::i8, {0}).descr == "|i1");
}

BOOST_AUTO_TEST_SUITE_END()
