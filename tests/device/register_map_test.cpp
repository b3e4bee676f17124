// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_map.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <set>
#include <string>

#include "petal/command/dtype.hpp"

namespace petal {
namespace {

BOOST_AUTO_TEST_SUITE(register_map)

BOOST_AUTO_TEST_CASE(offsets_are_aligned_and_each_register_has_its_own) {
  std::set<std::uint64_t> offsets;
  std::set<std::string_view> names;
  for (const RegisterInfo& info : kRegisterMap) {
    BOOST_TEST(info.offset % 4 == 0, info.name);
    BOOST_TEST(info.offset < 0x1000, info.name);
    BOOST_TEST(offsets.insert(info.offset).second, info.name);
    BOOST_TEST(names.insert(info.name).second, info.name);
  }
  BOOST_TEST(offsets.size() == 48);
}

BOOST_AUTO_TEST_CASE(fields_do_not_overlap_and_reserved_bits_are_read_by_none) {
  for (const RegisterInfo& info : kRegisterMap) {
    std::uint64_t next = 0;
    bool ended = false;
    for (const RegisterField& field : info.fields) {
      ended = ended || field.width == 0;
      if (ended) {
        BOOST_TEST(field.width == 0, info.name);
        continue;
      }
      BOOST_TEST(field.low >= next, info.name << "." << field.name);
      next = field.low + field.width;
      BOOST_TEST(next <= 32, info.name << "." << field.name);
    }
    BOOST_TEST(next > 0, info.name);
    BOOST_TEST((info.reset & ~info.readable_mask()) == 0, info.name);
  }
}

BOOST_AUTO_TEST_CASE(a_register_is_found_at_its_offset_and_nowhere_else) {
  std::size_t found = 0;
  for (std::uint64_t offset = 0; offset < 0x2000; ++offset)
    if (const auto id = register_at(offset)) {
      BOOST_TEST(info_of(*id).offset == offset);
      ++found;
    }
  BOOST_TEST(found == kRegisterCount);
  BOOST_TEST((register_at(0x09C) == RegisterId::doorbell));
  BOOST_TEST((register_at(0x10C) == RegisterId::int_threshold));
  BOOST_TEST(!register_at(0x028));
  BOOST_TEST(!register_at(0xFF0));
  // All 64 bits count (F32).
  BOOST_TEST(!register_at(0x1'0000'0000));
}

// 8-byte accesses reach both halves at once.
BOOST_AUTO_TEST_CASE(the_halves_of_64_bits_share_an_aligned_8_bytes) {
  for (const RegisterInfo& info : kRegisterMap) {
    const std::string name(info.name);
    if (name.size() < 3 || name.substr(name.size() - 3) != "_LO") continue;
    BOOST_TEST(info.offset % 8 == 0, name);
    const auto upper = register_at(info.offset + 4);
    BOOST_REQUIRE(upper.has_value());
    BOOST_TEST(info_of(*upper).name == name.substr(0, name.size() - 2) + "HI");
  }
}

BOOST_AUTO_TEST_CASE(masks_by_access) {
  const RegisterInfo& control = info_of(RegisterId::control);
  BOOST_TEST(control.mask_of(RegisterAccessKind::read_write) == 0x1);
  BOOST_TEST(control.mask_of(RegisterAccessKind::write_only) == 0xE);
  BOOST_TEST(control.readable_mask() == 0x1);
  BOOST_TEST(info_of(RegisterId::doorbell).readable_mask() == 0);
  BOOST_TEST(info_of(RegisterId::error_tag).readable_mask() == 0xFFFFFF);
  BOOST_TEST(info_of(RegisterId::int_status).mask_of(RegisterAccessKind::write_one_to_clear) == 0xF);
  BOOST_TEST(info_of(RegisterId::ring_size).mask_of(RegisterAccessKind::read_write) == 0xFFFFFFFF);
}

BOOST_AUTO_TEST_CASE(the_bits_that_code_names_are_the_fields_of_the_map) {
  const auto mask = [](RegisterId id, std::string_view name) {
    for (const RegisterField& field : info_of(id).fields)
      if (field.name == name) return field.mask();
    return std::uint32_t{0};
  };
  BOOST_TEST(mask(RegisterId::control, "ENABLE") == control_bit::kEnable);
  BOOST_TEST(mask(RegisterId::control, "SOFT_RESET") == control_bit::kSoftReset);
  BOOST_TEST(mask(RegisterId::control, "RESUME") == control_bit::kResume);
  BOOST_TEST(mask(RegisterId::control, "FORGET_FAILURES") == control_bit::kForgetFailures);
  BOOST_TEST(mask(RegisterId::status, "ENABLED") == status_bit::kEnabled);
  BOOST_TEST(mask(RegisterId::status, "BUSY") == status_bit::kBusy);
  BOOST_TEST(mask(RegisterId::status, "DONE") == status_bit::kDone);
  BOOST_TEST(mask(RegisterId::status, "STOPPED") == status_bit::kStopped);
  BOOST_TEST(mask(RegisterId::status, "RESETTING") == status_bit::kResetting);
  for (const RegisterId id : {RegisterId::int_status, RegisterId::int_enable, RegisterId::int_pending}) {
    BOOST_TEST(mask(id, "COMPLETION") == interrupt_bit::kCompletion);
    BOOST_TEST(mask(id, "ERROR") == interrupt_bit::kError);
    BOOST_TEST(mask(id, "THRESHOLD") == interrupt_bit::kThreshold);
    BOOST_TEST(mask(id, "IDLE") == interrupt_bit::kIdle);
  }
}

BOOST_AUTO_TEST_CASE(dtype_bits_are_the_numbers_of_the_dtypes) {
  const RegisterFields& fields = info_of(RegisterId::cap_dtypes).fields;
  for (const DType dtype : kAllDTypes) {
    std::string name(name_of(dtype));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const RegisterField& field = fields.at(static_cast<std::size_t>(dtype));
    BOOST_TEST(field.name == name);
    BOOST_TEST(field.low == static_cast<unsigned>(dtype));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
