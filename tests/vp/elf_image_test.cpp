// SPDX-License-Identifier: Apache-2.0
#include <elf.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "petal/command/error.hpp"
#include "petal/vp/elf_image.hpp"

using namespace petal;
using namespace petal::vp;

namespace {

/// A good file: one segment of 5 bytes in the file and 12 in memory, one that is not loaded.
struct ElfBytes {
  Elf64_Ehdr header{};
  Elf64_Phdr segment{};
  Elf64_Phdr note{};

  ElfBytes() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_EXEC;
    header.e_machine = EM_RISCV;
    header.e_entry = 0x80000010;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof segment;
    header.e_phnum = 2;
    note.p_type = PT_NOTE;
    note.p_offset = std::numeric_limits<std::uint64_t>::max();
    segment.p_type = PT_LOAD;
    segment.p_offset = sizeof header + 2 * sizeof segment;
    segment.p_paddr = 0x80000000;
    segment.p_filesz = 5;
    segment.p_memsz = 12;
  }

  std::vector<std::byte> file() const {
    std::vector<std::byte> bytes(sizeof header + 2 * sizeof segment + 5);
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + sizeof header, &note, sizeof note);
    std::memcpy(bytes.data() + sizeof header + sizeof note, &segment, sizeof segment);
    std::memcpy(bytes.data() + bytes.size() - 5, "petal", 5);
    return bytes;
  }
};

/// Whether parsing fails with a message that has the file's name and `words` in it.
void check_refused(const std::vector<std::byte>& file, const std::string& words) {
  BOOST_CHECK_EXCEPTION(ElfImage::parse(file, "it.elf"), ConfigError, [&](const ConfigError& error) {
    const std::string message = error.what();
    BOOST_TEST_INFO(message);
    return message.find("it.elf: ") == 0 && message.find(words) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(elf_image)

BOOST_AUTO_TEST_CASE(takes_what_is_to_be_loaded) {
  const ElfImage image = ElfImage::parse(ElfBytes().file(), "it.elf");
  BOOST_TEST(image.entry() == 0x80000010U);
  BOOST_TEST_REQUIRE(image.segments().size() == 1U);
  BOOST_TEST(image.segments()[0].address == 0x80000000U);
  BOOST_TEST(image.segments()[0].memory_bytes == 12U);
  BOOST_TEST(image.segments()[0].bytes.size() == 5U);
  BOOST_TEST(std::memcmp(image.segments()[0].bytes.data(), "petal", 5) == 0);
}

BOOST_AUTO_TEST_CASE(every_shorter_file_is_refused) {
  const std::vector<std::byte> file = ElfBytes().file();
  for (std::size_t bytes = 0; bytes < file.size(); ++bytes)
    check_refused({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(bytes)}, "cut short");
}

BOOST_AUTO_TEST_CASE(other_files_are_refused) {
  check_refused(std::vector<std::byte>(1000), "not an ELF file");
  ElfBytes narrow;
  narrow.header.e_ident[EI_CLASS] = ELFCLASS32;
  check_refused(narrow.file(), "64 bits");
  ElfBytes other;
  other.header.e_machine = EM_X86_64;
  check_refused(other.file(), "machine 62");
  ElfBytes object;
  object.header.e_type = ET_REL;
  check_refused(object.file(), "type 1");
  ElfBytes odd;
  odd.header.e_phentsize = 32;
  check_refused(odd.file(), "32 bytes");
}

// F19
BOOST_AUTO_TEST_CASE(numbers_that_overflow_are_refused) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  ElfBytes far;
  far.segment.p_offset = kMost - 2;
  check_refused(far.file(), "cut short");
  ElfBytes big;
  big.segment.p_memsz = kMost;
  check_refused(big.file(), "ends after the last address");
  ElfBytes small;
  small.segment.p_memsz = 4;
  check_refused(small.file(), "at least");
  ElfBytes table;
  table.header.e_phoff = kMost - 4;
  check_refused(table.file(), "program headers");
  ElfBytes many;
  many.header.e_phnum = 0xFFFF;
  check_refused(many.file(), "program headers");
}

BOOST_AUTO_TEST_CASE(a_file_without_segments_is_refused) {
  ElfBytes none;
  none.header.e_phnum = 0;
  check_refused(none.file(), "nothing to load");
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_refused) {
  BOOST_CHECK_THROW(ElfImage::read("no/such/file.elf"), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
