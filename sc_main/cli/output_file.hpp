// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace petal {

/// Throws ConfigError if `path` cannot be opened for writing: asked before a run, so that no result is lost
/// for it. An existing file keeps its contents until it is written.
void require_writable(const std::string& path);

/// Writes the file at `path`. Throws ConfigError if that fails.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace petal
