// SPDX-License-Identifier: Apache-2.0
//
// GrowingFile: a text file that can be read at any moment while it is written. Text stands in pages that are
// shared with the file as soon as it is committed, so it is there whatever becomes of the process: an
// exception, abort(), a kill. Until `close`, up to kWindowBytes line breaks stand behind the text, which the
// formats written here take for white space.
//
// What cannot be mapped into memory (a pipe, a device) is written in pieces of kWindowBytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace petal {

class GrowingFile {
 public:
  static constexpr std::size_t kWindowBytes = std::size_t{1} << 16U;
  /// The most that one call of `room` can ask for.
  static constexpr std::size_t kMostRoom = kWindowBytes / 4;

  /// Empties the file at `path` or makes it. Throws ConfigError if it cannot be written.
  explicit GrowingFile(const std::string& path);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  /// Where to write up to `bytes` characters; they count from `commit` on. After a failure they go nowhere.
  char* room(std::size_t bytes) {
    if (static_cast<std::size_t>(limit_ - at_) < bytes) next_window();
    return at_;
  }
  /// What was written into the room ends at `end`.
  void commit(char* end) { at_ = end; }
  /// Text of any length.
  void append(std::string_view text);

  const std::string& path() const { return path_; }
  /// Cuts the file to its text. Throws ConfigError if some of it could not be written, as when the disk is
  /// full.
  void close();

 private:
  void next_window();
  bool map_window(std::uint64_t from);
  void unmap_window();
  void write_out(const char* text, std::size_t bytes);
  void finish();
  void fail();

  const std::string path_;
  int file_ = -1;
  bool mapped_ = false;             // the window is the file's; else it is memory of our own
  std::string problem_;             // empty as long as all went well
  std::uint64_t window_begin_ = 0;  // where in the file, with mapped_
  char* window_ = nullptr;
  char* at_ = nullptr;
  char* limit_ = nullptr;
  std::vector<char> memory_;
};

}  // namespace petal
