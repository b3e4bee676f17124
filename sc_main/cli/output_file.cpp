// SPDX-License-Identifier: Apache-2.0
#include "petal/cli/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "petal/command/error.hpp"

namespace petal {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw ConfigError(
      fmt::format("'{}' cannot be written: {}; give a file in a folder that exists and can be written", path,
                  std::strerror(errno)));
}

}  // namespace

void require_writable(const std::string& path) {
  if (!std::ofstream(path, std::ios::app)) refuse(path);
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::ofstream out(path, std::ios::binary);
  if (!out) refuse(path);
  write(out);
  if (!out.flush()) refuse(path);
}

}  // namespace petal
