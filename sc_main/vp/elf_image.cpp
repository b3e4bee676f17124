// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/elf_image.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <limits>

#include "petal/command/error.hpp"

namespace petal::vp {
namespace {

/// Hands out parts of the file and names it in errors.
class ElfFile {
 public:
  ElfFile(ByteView bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw ConfigError(fmt::format("{}: {}", name_, problem));
  }

  /// The structure at `offset`; `what` names it. Offset and size come from the file: nothing is trusted.
  template <typename T>
  T at(std::uint64_t offset, const char* what) const {
    T value;
    std::memcpy(&value, slice(offset, sizeof value, what).data, sizeof value);
    return value;
  }

  ByteView slice(std::uint64_t offset, std::uint64_t bytes, const char* what) const {
    if (bytes > bytes_.size || offset > bytes_.size - bytes)
      fail(fmt::format("{} ({} bytes at offset {}) ends after the file, which has {} bytes; it is cut short",
                       what, bytes, offset, bytes_.size));
    return {bytes_.data + offset, static_cast<std::size_t>(bytes)};
  }

 private:
  ByteView bytes_;
  const std::string& name_;
};

void check_header(const ElfFile& file, const Elf64_Ehdr& header) {
  const unsigned char* ident = header.e_ident;
  if (std::memcmp(ident, ELFMAG, SELFMAG) != 0) file.fail("not an ELF file; give a linked RISC-V executable");
  if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
    file.fail("not an ELF file of 64 bits, little endian; build for rv64");
  if (header.e_machine != EM_RISCV)
    file.fail(
        fmt::format("for machine {}, the CPU is RISC-V ({}); build for rv64", header.e_machine, EM_RISCV));
  if (header.e_type != ET_EXEC)
    file.fail(fmt::format("of type {}, only executables (type {}) have fixed addresses; link without -pie",
                          header.e_type, ET_EXEC));
  if (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf64_Phdr))
    file.fail(
        fmt::format("program headers have {} bytes, must be {}", header.e_phentsize, sizeof(Elf64_Phdr)));
}

ElfSegment segment_of(const ElfFile& file, const Elf64_Phdr& header) {
  if (header.p_memsz < header.p_filesz)
    file.fail(fmt::format(
        "a segment at {:#x} has {} bytes in memory and {} in the file; memory must be at least that",
        header.p_paddr, header.p_memsz, header.p_filesz));
  if (header.p_memsz > std::numeric_limits<std::uint64_t>::max() - header.p_paddr)
    file.fail(fmt::format("a segment of {} bytes at {:#x} ends after the last address", header.p_memsz,
                          header.p_paddr));
  const ByteView bytes = file.slice(header.p_offset, header.p_filesz, "a segment");
  return {header.p_paddr, {bytes.data, bytes.data + bytes.size}, header.p_memsz};
}

}  // namespace

ElfImage ElfImage::parse(ByteView bytes, const std::string& name) {
  const ElfFile file(bytes, name);
  const auto header = file.at<Elf64_Ehdr>(0, "the ELF header");
  check_header(file, header);
  ElfImage image;
  image.entry_ = header.e_entry;
  for (std::uint64_t index = 0; index < header.e_phnum; ++index) {
    file.slice(header.e_phoff, (index + 1) * sizeof(Elf64_Phdr), "the table of program headers");
    const auto program = file.at<Elf64_Phdr>(header.e_phoff + index * sizeof(Elf64_Phdr), "a program header");
    if (program.p_type == PT_LOAD && program.p_memsz != 0)
      image.segments_.push_back(segment_of(file, program));
  }
  if (image.segments_.empty()) file.fail("has nothing to load; link it into an executable");
  return image;
}

ElfImage ElfImage::read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw ConfigError(fmt::format("{}: cannot be opened; give the path of a firmware's ELF file", path));
  const std::vector<char> contents{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return parse({reinterpret_cast<const std::byte*>(contents.data()), contents.size()}, path);
}

}  // namespace petal::vp
