// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "npy/npy_bytes.hpp"
#include "petal/npy/npy_file.hpp"

namespace {

using namespace petal;
using namespace petal::test;

std::string written(const NpyArray& array) {
  std::ostringstream out;
  write_npy(out, array);
  return out.str();
}

NpyArray read(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_npy(in, "q.npy");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(npy_write)

// 10 bytes before the text, 118 of text: 128 in all.
BOOST_AUTO_TEST_CASE(the_bytes_are_those_that_numpy_writes) {
  const std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  const std::string data = raw<float>({0, 1, 2, 3, 4, 5});
  BOOST_TEST(written({"<f4", {2, 3}, stored<float>({0, 1, 2, 3, 4, 5})}) ==
             npy_bytes(text + std::string(117 - text.size(), ' ') + "\n", data));
}

BOOST_AUTO_TEST_CASE(data_begin_at_a_multiple_of_64_after_a_newline) {
  NpyArray array{"<f8", {}, stored<double>({7})};
  for (std::size_t axes = 0; axes < 60; ++axes) {
    const std::string bytes = written(array);
    BOOST_TEST((bytes.size() - 8) % 64 == 0U);
    BOOST_TEST(bytes[bytes.size() - 9] == '\n');
    BOOST_TEST(read(bytes).shape == array.shape, boost::test_tools::per_element());
    array.shape.push_back(1);
  }
}

BOOST_AUTO_TEST_CASE(tuples_of_no_and_of_one_axis_are_spelt_as_python_does) {
  BOOST_TEST(written({"|i1", {}, stored<std::int8_t>({1})}).find("'shape': (), }") != std::string::npos);
  BOOST_TEST(written({"|i1", {2}, stored<std::int8_t>({1, 2})}).find("'shape': (2,), }") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  const NpyArray array{"<i8", {2, 0, 3}, {}};
  const NpyArray again = read(written(array));
  BOOST_TEST(again.descr == "<i8");
  BOOST_TEST(again.shape == array.shape, boost::test_tools::per_element());
  const std::string path = (std::filesystem::temp_directory_path() / "petal_npy_write_test.npy").string();
  write_npy(path, {"<f2", {2}, stored<std::uint16_t>({0x3C00, 0xC000})});
  BOOST_TEST(as_doubles(read_npy(path)) == (Doubles{1, -2}), boost::test_tools::per_element());
  std::remove(path.c_str());
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_written_is_named) {
  const NpyArray array{"<f4", {1}, stored<float>({1})};
  BOOST_CHECK_EXCEPTION(write_npy("no_such_folder/o.npy", array), NpyError, [](const NpyError& error) {
    return std::string(error.what()).find("'no_such_folder/o.npy': cannot be written") == 0;
  });
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_an_error) {
  if (!std::filesystem::exists("/dev/full")) return;
  BOOST_CHECK_THROW(write_npy("/dev/full", {"<f4", {1}, stored<float>({1})}), NpyError);
}

BOOST_AUTO_TEST_CASE(data_that_do_not_fit_their_shape_are_refused) {
  BOOST_CHECK_THROW(written({"<f4", {2}, stored<float>({1})}), std::invalid_argument);
  BOOST_CHECK_THROW(written({"<f3", {1}, stored<float>({1})}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
