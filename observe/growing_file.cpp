// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/growing_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "petal/command/error.hpp"

namespace petal {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
  throw ConfigError(fmt::format(
      "'{}' cannot be written: {}; give a file in a folder that exists, can be written and has room", path,
      problem));
}

std::uint64_t page_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

bool is_regular(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

/// A window's worth of line breaks.
const std::array<char, GrowingFile::kWindowBytes>& line_breaks() {
  static const auto k_breaks = [] {
    std::array<char, GrowingFile::kWindowBytes> breaks{};
    breaks.fill('\n');
    return breaks;
  }();
  return k_breaks;
}

}  // namespace

GrowingFile::GrowingFile(const std::string& path)
    : path_(path), file_(open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  // A pipe cannot be opened for reading and writing by one that only writes.
  if (file_ < 0 && errno != ENOENT) file_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) refuse(path, std::strerror(errno));
  mapped_ = is_regular(file_) && map_window(0);
  if (mapped_) return;
  if (!problem_.empty()) {
    ::close(file_);
    refuse(path, problem_);
  }
  memory_.resize(kWindowBytes);
  window_ = at_ = memory_.data();
  limit_ = window_ + memory_.size();
}

GrowingFile::~GrowingFile() {
  finish();
}

void GrowingFile::append(std::string_view text) {
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), kMostRoom);
    char* const to = room(piece);
    std::memcpy(to, text.data(), piece);
    commit(to + piece);
    text.remove_prefix(piece);
  }
}

// The next window begins on the page that the text has reached.
void GrowingFile::next_window() {
  if (!mapped_) {
    write_out(window_, static_cast<std::size_t>(at_ - window_));
    at_ = window_;
    return;
  }
  const auto used = static_cast<std::uint64_t>(at_ - window_);
  const std::uint64_t into_page = used % page_bytes();
  unmap_window();
  if (!map_window(window_begin_ + used - into_page)) return;
  at_ += into_page;
}

/// Makes the file's part from `from` on the window, blank beyond the file's end. Writing the blanks takes the
/// disk space, so that a full disk is an error here and not a signal later.
bool GrowingFile::map_window(std::uint64_t from) {
  struct stat status {};
  if (fstat(file_, &status) != 0) return false;
  const auto has = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t lacks = from + kWindowBytes - std::min(has, from + kWindowBytes);
  for (std::uint64_t done = 0; done < lacks;) {
    const ssize_t wrote = pwrite(file_, line_breaks().data(), lacks - done, static_cast<off_t>(has + done));
    if (wrote <= 0) {
      fail();
      return false;
    }
    done += static_cast<std::uint64_t>(wrote);
  }
  void* const memory =
      mmap(nullptr, kWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(from));
  if (memory == MAP_FAILED) {
    if (from != 0 || ftruncate(file_, 0) != 0) fail();
    return false;
  }
  window_begin_ = from;
  window_ = at_ = static_cast<char*>(memory);
  limit_ = window_ + kWindowBytes;
  return true;
}

void GrowingFile::unmap_window() {
  munmap(window_, kWindowBytes);
  window_ = at_ = limit_ = nullptr;
}

void GrowingFile::write_out(const char* text, std::size_t bytes) {
  while (bytes > 0 && problem_.empty()) {
    const ssize_t wrote = write(file_, text, bytes);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      problem_ = std::strerror(errno);
      return;
    }
    text += wrote;
    bytes -= static_cast<std::size_t>(wrote);
  }
}

/// What follows goes to memory, and from there nowhere.
void GrowingFile::fail() {
  problem_ = std::strerror(errno);
  mapped_ = false;
  memory_.resize(kWindowBytes);
  window_ = at_ = memory_.data();
  limit_ = window_ + memory_.size();
}

void GrowingFile::finish() {
  if (file_ < 0) return;
  if (mapped_) {
    const std::uint64_t end = window_begin_ + static_cast<std::uint64_t>(at_ - window_);
    unmap_window();
    if (ftruncate(file_, static_cast<off_t>(end)) != 0) problem_ = std::strerror(errno);
  } else {
    write_out(window_, static_cast<std::size_t>(at_ - window_));
  }
  if (::close(file_) != 0 && problem_.empty()) problem_ = std::strerror(errno);
  file_ = -1;
}

void GrowingFile::close() {
  finish();
  if (!problem_.empty()) refuse(path_, problem_);
}

}  // namespace petal
