// SPDX-License-Identifier: Apache-2.0
#include "petal/npy/npy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "petal/command/integer_math.hpp"
#include "petal/npy/npy_header.hpp"

namespace petal {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kVersionBytes = 2;
constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kMaxHeaderBytes = 0xFFFF;  // what version 1.0 can say; NumPy itself stops at 10000
constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 20U;
constexpr const char* kSaveAnew = "save the array again with numpy.save";

/// The next `bytes` of the stream, or as many as there are.
std::string read_text(std::istream& in, std::size_t bytes) {
  std::string text(bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::string required_text(std::istream& in, std::size_t bytes, const std::string& name) {
  std::string text = read_text(in, bytes);
  if (text.size() != bytes)
    throw NpyError(name, "ends within its header", "copy the file again, it is cut short");
  return text;
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t index = bytes.size(); index > 0; --index)
    value = value << 8U | static_cast<unsigned char>(bytes[index - 1]);
  return value;
}

std::string read_header_text(std::istream& in, const std::string& name) {
  if (read_text(in, kMagic.size()) != kMagic)
    throw NpyError(name, "is no .npy file: it does not begin with \\x93NUMPY",
                   "give a file made by numpy.save");
  const std::string version = required_text(in, kVersionBytes, name);
  const int major = static_cast<unsigned char>(version[0]);
  if (major < 1 || major > 3 || version[1] != '\0')
    throw NpyError(name,
                   fmt::format("has version {}.{} of the format; 1.0, 2.0 and 3.0 are read", major,
                               static_cast<int>(static_cast<unsigned char>(version[1]))),
                   kSaveAnew);
  const std::uint64_t bytes = little_endian(required_text(in, major == 1 ? 2 : 4, name));
  if (bytes > kMaxHeaderBytes)
    throw NpyError(name, fmt::format("has a header of {} bytes; at most {} are read", bytes, kMaxHeaderBytes),
                   kSaveAnew);
  return required_text(in, bytes, name);
}

std::uint64_t required_item_bytes(const std::string& descr, const std::string& name) {
  if (const auto bytes = npy_item_bytes(descr)) return *bytes;
  const std::string problem = fmt::format("has elements of type '{}'", descr);
  if (!descr.empty() && descr.front() == '>')
    throw NpyError(name, problem + ", which are big-endian",
                   fmt::format("save it with .astype('<{}')", descr.substr(1)));
  if (descr.find('O') != std::string::npos)
    throw NpyError(name, problem + ", Python objects", "save it with .astype('<f4')");
  if (descr.find('V') != std::string::npos)
    throw NpyError(name, problem + ", raw bytes; .npy has no type for bf16 and 8-bit floating-point numbers",
                   "save it with .astype('<f4')");
  throw NpyError(name, problem, "save it as one of <f4, <f2, <f8, |b1, |i1, <i4 and <i8, with .astype()");
}

/// Throws NpyError if the array's bytes cannot be counted in 64 bits. An axis of 0 makes all others
/// irrelevant.
std::uint64_t data_bytes(const NpyHeader& header, std::uint64_t item_bytes, const std::string& name) {
  if (std::find(header.shape.begin(), header.shape.end(), 0U) != header.shape.end()) return 0;
  std::uint64_t bytes = item_bytes;
  for (const std::uint64_t size : header.shape) {
    if (size > std::numeric_limits<std::uint64_t>::max() / bytes)
      throw NpyError(name, "has a shape of more than 2^64 bytes", kSaveAnew);
    bytes *= size;
  }
  return bytes;
}

/// A shape may claim any size: memory is taken as data arrives.
std::vector<std::byte> read_data(std::istream& in, std::uint64_t bytes, const std::string& name) {
  std::vector<std::byte> data;
  while (data.size() < bytes) {
    const std::uint64_t done = data.size();
    const std::uint64_t wanted = std::min(bytes - done, kChunkBytes);
    data.resize(done + wanted);
    in.read(reinterpret_cast<char*>(data.data() + done), static_cast<std::streamsize>(wanted));
    const auto got = static_cast<std::uint64_t>(in.gcount());
    if (got != wanted)
      throw NpyError(name, fmt::format("ends after {} of its {} bytes of data", done + got, bytes),
                     "copy the file again, it is cut short");
  }
  if (in.peek() != std::istream::traits_type::eof())
    throw NpyError(name, fmt::format("goes on after its {} bytes of data", bytes),
                   "save one array a file, with numpy.save");
  return data;
}

/// `data`, whose first axis is the fastest, with the last one the fastest.
std::vector<std::byte> in_c_order(const std::vector<std::byte>& data, const std::vector<std::uint64_t>& shape,
                                  std::uint64_t item_bytes) {
  std::vector<std::uint64_t> steps;
  std::uint64_t step = item_bytes;
  for (const std::uint64_t size : shape) {
    steps.push_back(step);
    step *= size;
  }
  std::vector<std::byte> ordered(data.size());
  std::vector<std::uint64_t> index(shape.size(), 0);
  std::uint64_t from = 0;
  for (std::uint64_t to = 0; to < data.size(); to += item_bytes) {
    std::memcpy(ordered.data() + to, data.data() + from, item_bytes);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += steps[axis];
      if (++index[axis] < shape[axis]) break;
      from -= index[axis] * steps[axis];
      index[axis] = 0;
    }
  }
  return ordered;
}

[[noreturn]] void refuse_to_write(const std::string& path) {
  throw NpyError(path, fmt::format("cannot be written: {}", std::strerror(errno)),
                 "give a file in a folder that exists, can be written and has room");
}

}  // namespace

NpyArray read_npy(std::istream& in, const std::string& name) {
  NpyHeader header = parse_npy_header(read_header_text(in, name), name);
  const std::uint64_t item_bytes = required_item_bytes(header.descr, name);
  std::vector<std::byte> data = read_data(in, data_bytes(header, item_bytes, name), name);
  if (header.fortran_order && header.shape.size() > 1) data = in_c_order(data, header.shape, item_bytes);
  return {std::move(header.descr), std::move(header.shape), std::move(data)};
}

NpyArray read_npy(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw NpyError(path, fmt::format("cannot be read: {}", std::strerror(errno)),
                   "give a .npy file that exists and can be read");
  return read_npy(in, path);
}

void write_npy(std::ostream& out, const NpyArray& array) {
  const auto item_bytes = npy_item_bytes(array.descr);
  if (!item_bytes || array.data.size() != array.elements() * *item_bytes)
    throw std::invalid_argument(fmt::format("an array of {} elements of '{}' does not have {} bytes",
                                            array.elements(), array.descr, array.data.size()));
  std::string text = npy_header_text({array.descr, false, array.shape});
  const std::size_t before = kMagic.size() + kVersionBytes + 2;
  text.resize(round_up(before + text.size() + 1, kAlignment) - before - 1, ' ');
  text += '\n';
  if (text.size() > kMaxHeaderBytes)
    throw std::invalid_argument(fmt::format("an array of {} axes has no .npy header", array.shape.size()));
  const std::array<char, 4> version_and_size = {1, 0, static_cast<char>(text.size() & 0xFFU),
                                                static_cast<char>(text.size() >> 8U)};
  out.write(kMagic.data(), static_cast<std::streamsize>(kMagic.size()));
  out.write(version_and_size.data(), static_cast<std::streamsize>(version_and_size.size()));
  out << text;
  out.write(reinterpret_cast<const char*>(array.data.data()),
            static_cast<std::streamsize>(array.data.size()));
}

void write_npy(const std::string& path, const NpyArray& array) {
  std::ofstream out(path, std::ios::binary);
  if (!out) refuse_to_write(path);
  write_npy(out, array);
  out.close();
  if (!out) refuse_to_write(path);
}

}  // namespace petal
