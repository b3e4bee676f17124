// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_text.hpp"

#include <boost/test/unit_test.hpp>
#include <regex>
#include <set>

#include "petal/command/dtype.hpp"
#include "petal/command/tensor_handle.hpp"
#include "petal/device/register_structures.hpp"

namespace petal {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const NumberFamily& family(std::string_view name) {
  for (const NumberFamily& candidate : number_families())
    if (candidate.name == name) return candidate;
  throw std::out_of_range("no such family");
}

BOOST_AUTO_TEST_SUITE(register_text)

BOOST_AUTO_TEST_CASE(the_table_has_a_line_a_register_and_a_line_a_field) {
  const std::string text = register_table_text();
  BOOST_TEST(
      has(text, "\n0x088   RING_SIZE                 RW locked  0x0         slots of the command ring"));
  BOOST_TEST(has(text, "\n0x10c   INT_THRESHOLD             RW         0x1 "));
  BOOST_TEST(has(text, "CAP_TCM_LO                RO         configured"));
  BOOST_TEST(has(text, "23:0  ID "));
  BOOST_TEST(!has(text, " \n"));
}

BOOST_AUTO_TEST_CASE(no_macro_is_defined_twice) {
  const std::string text = register_c_header();
  const std::regex define("#define ([A-Z0-9_]+)");
  std::set<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), define), end; match != end; ++match)
    BOOST_TEST(names.insert((*match)[1]).second, (*match)[1]);
  BOOST_TEST(names.count("PETAL_REG_DOORBELL") == 1);
}

BOOST_AUTO_TEST_CASE(the_page_keeps_bars_within_a_cell) {
  const std::string text = register_markdown();
  BOOST_TEST(has(text, "| 0x104 | INT_ENABLE | RW | 0x0 | 1: the bit of INT_STATUS raises the interrupt |"));
  BOOST_TEST(has(text, "| 16 | 4 x 8 | SHAPE | | elements of each axis; unused axes 0 |"));
  BOOST_TEST(has(text, "| 9 | LOCKED_REGISTER |"));
}

BOOST_AUTO_TEST_CASE(members_of_structures_lie_without_gaps_and_their_bits_do_not_overlap) {
  for (const MemoryStructure& layout : memory_structures()) {
    std::uint64_t next = 0;
    for (const StructureMember& member : layout.members) {
      BOOST_TEST(member.offset == next, layout.name << "." << member.name);
      BOOST_TEST(member.offset % member.bytes == 0, layout.name << "." << member.name);
      next += member.bytes * member.count;
      std::uint64_t bit = 0;
      for (const StructureBits& bits : member.bits) {
        BOOST_TEST(bits.low >= bit, layout.name << "." << member.name << "." << bits.name);
        bit = bits.low + bits.width;
      }
      BOOST_TEST(bit <= 8 * member.bytes, layout.name << "." << member.name);
    }
    if (layout.bytes != 0) BOOST_TEST(next == layout.bytes, layout.name);
  }
}

BOOST_AUTO_TEST_CASE(numbers_are_those_of_the_enumerations) {
  const NumberFamily& dtypes = family("DTYPE");
  BOOST_REQUIRE(dtypes.numbers.size() == std::size(kAllDTypes));
  for (const DType dtype : kAllDTypes) {
    const NamedNumber& number = dtypes.numbers[static_cast<std::size_t>(dtype)];
    BOOST_TEST(number.value == static_cast<std::uint32_t>(dtype));
    BOOST_TEST(has(std::string(number.text), std::to_string(size_of(dtype)) + " byte"));
  }
  BOOST_TEST(family("SPACE").numbers[0].value == static_cast<std::uint32_t>(Space::hbm));
  BOOST_TEST(family("SPACE").numbers[1].value == static_cast<std::uint32_t>(Space::tcm));
  std::uint32_t next = 0;
  for (const NamedNumber& cause : family("CAUSE").numbers) BOOST_TEST(cause.value == next++);
  BOOST_TEST(next == 12);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
