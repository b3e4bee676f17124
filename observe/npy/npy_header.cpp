// SPDX-License-Identifier: Apache-2.0
#include "petal/npy/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "petal/npy/npy_error.hpp"

namespace petal {
namespace {

constexpr const char* kSpace = " \t\r\n";
constexpr const char* kSaveAnew = "save the array again with numpy.save";

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      parse_entry();
      if (!accept(',') && next() != '}') refuse("has no ',' or '}' after an entry of its header");
    }
    if (next() != '\0') refuse("has text after its header's '}'");
    for (const char* key : {"descr", "fortran_order", "shape"})
      if (keys_.count(key) == 0) refuse(fmt::format("has no '{}' in its header", key));
    return header_;
  }

 private:
  void parse_entry() {
    const std::string key = quoted("a key");
    if (!keys_.insert(key).second) refuse(fmt::format("has '{}' twice in its header", key));
    expect(':');
    if (key == "descr")
      header_.descr = parse_descr();
    else if (key == "fortran_order")
      header_.fortran_order = parse_boolean();
    else if (key == "shape")
      parse_shape();
    else
      refuse(fmt::format("has an unknown key '{}' in its header", key));
  }

  std::string parse_descr() {
    if (next() == '[')
      throw NpyError(file_, "holds a structured array", "save one field of it with numpy.save");
    return quoted("the value of 'descr'");
  }

  bool parse_boolean() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    refuse("has a 'fortran_order' that is neither True nor False");
  }

  void parse_shape() {
    expect('(');
    while (!accept(')')) {
      header_.shape.push_back(parse_size());
      if (!accept(',') && next() != ')') refuse("has a 'shape' that is no tuple of sizes");
    }
  }

  std::uint64_t parse_size() {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    if (!is_digit(next())) refuse("has a 'shape' that is no tuple of sizes");
    std::uint64_t size = 0;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
      const auto digit = static_cast<std::uint64_t>(rest_.front() - '0');
      if (size > (kMax - digit) / 10) refuse("has an axis of more than 2^64 elements");
      size = 10 * size + digit;
    }
    return size;
  }

  /// Text between quotes of either kind. No key and no type that PETAL reads needs an escape.
  std::string quoted(std::string_view what) {
    const char quote = next();
    const std::size_t end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) refuse(fmt::format("has no text in quotes as {} in its header", what));
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  static bool is_digit(char character) { return character >= '0' && character <= '9'; }

  /// The next character that is no space, or '\0' at the end.
  char next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool accept(char character) {
    if (next() != character) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool accept_word(std::string_view word) {
    next();
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  void expect(char character) {
    if (!accept(character)) refuse(fmt::format("has no '{}' where its header needs one", character));
  }

  [[noreturn]] void refuse(const std::string& problem) const { throw NpyError(file_, problem, kSaveAnew); }

  std::string_view rest_;
  const std::string& file_;
  NpyHeader header_;
  std::set<std::string> keys_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& file) {
  return HeaderParser(text, file).parse();
}

std::string npy_header_text(const NpyHeader& header) {
  // A tuple of one has a comma.
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}", header.descr,
                     header.fortran_order ? "True" : "False",
                     fmt::join(header.shape.begin(), header.shape.end(), ", "),
                     header.shape.size() == 1 ? "," : "");
}

}  // namespace petal
