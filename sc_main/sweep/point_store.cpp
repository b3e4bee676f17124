// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/point_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "petal/command/error.hpp"

namespace petal {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRequest = "sweep.json";
constexpr const char* kPoints = "points";
constexpr const char* kLock = ".lock";
constexpr const char* kTemporary = ".tmp";

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw ConfigError(
      fmt::format("'{}' cannot be written: {}; give --out a folder that can be written", path.string(), why));
}

std::optional<std::string> contents_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) refuse(folder, error ? error.message() : "a file has this name");
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "host";
  std::string text(name.data());
  for (char& c : text)
    if (c == '.' || c == '/') c = '-';
  return text;
}

/// The process of this machine that a temporary file ("000012.HOST.PID.json.tmp") belongs to; nothing for
/// other files.
std::optional<pid_t> owner_of(const fs::path& path) {
  const std::string name = path.filename().string();
  if (path.extension() != kTemporary) return std::nullopt;
  const std::string middle = "." + host_name() + ".";
  const std::size_t at = name.find(middle);
  if (at == std::string::npos) return std::nullopt;
  return static_cast<pid_t>(std::strtol(name.c_str() + at + middle.size(), nullptr, 10));
}

bool is_alive(pid_t process) {
  return kill(process, 0) == 0 || errno != ESRCH;
}

}  // namespace

PointStore::PointStore(fs::path folder) : folder_(std::move(folder)) {}

void PointStore::open_for(const SweepRequest& request) const {
  create_folder(folder_);
  const auto before = contents_of(folder_ / kRequest);
  if (!before) {
    require_unused();
    write(kRequest, request_json(request));
  } else {
    const std::string path = (folder_ / kRequest).string();
    const std::string text = difference(request_from_json(*before, path), request);
    if (!text.empty())
      throw ConfigError(fmt::format("'{}' holds another sweep: {}; give another --out, or remove the folder",
                                    folder_.string(), text));
  }
  create_folder(folder_ / kPoints);
  write(scenario_path().filename().string(), request.text);
}

// Only what a killed sweep can have left before it wrote its request.
void PointStore::require_unused() const {
  for (const auto& entry : fs::directory_iterator(folder_))
    if (entry.path().filename() != kLock && entry.path().extension() != kTemporary)
      throw ConfigError(
          fmt::format("'{}' holds files that are not of a sweep ('{}'); give --out an empty or new folder",
                      folder_.string(), entry.path().filename().string()));
}

SweepRequest PointStore::request() const {
  const fs::path path = folder_ / kRequest;
  const auto text = contents_of(path);
  if (!text)
    throw ConfigError(
        fmt::format("'{}' holds no sweep: there is no {} in it; give the folder of a petal sweep",
                    folder_.string(), kRequest));
  return request_from_json(*text, path.string());
}

fs::path PointStore::point_path(std::size_t index, const char* extension) const {
  return folder_ / kPoints / fmt::format("{:06}{}", index, extension);
}

PointResult PointStore::read(std::size_t index) const {
  PointResult result;
  if (const auto text = contents_of(point_path(index, ".json"))) {
    nlohmann::json summary = nlohmann::json::parse(*text, nullptr, false);
    if (summary.is_object()) result.summary = std::move(summary);
  }
  if (result.summary) return result;
  if (const auto text = contents_of(point_path(index, ".failed"))) {
    const nlohmann::json json = nlohmann::json::parse(*text, nullptr, false);
    if (json.is_object())
      result.failure = PointFailure{json.value("exit_code", 0), json.value("signal", 0),
                                    json.value("message", std::string())};
  }
  return result;
}

fs::path PointStore::temporary(std::size_t index, const std::string& extension) const {
  return folder_ / kPoints /
         fmt::format("{:06}.{}.{}{}{}", index, host_name(), getpid(), extension, kTemporary);
}

void PointStore::keep_summary(std::size_t index, const fs::path& temporary) const {
  const auto text = contents_of(temporary);
  if (!text || !nlohmann::json::parse(*text, nullptr, false).is_object())
    throw SimulationError(fmt::format("the run left no summary in '{}'", temporary.string()));
  std::error_code error;
  fs::rename(temporary, point_path(index, ".json"), error);
  if (error) refuse(point_path(index, ".json"), error.message());
  fs::remove(point_path(index, ".failed"), error);
}

void PointStore::keep_failure(std::size_t index, const PointFailure& failure) const {
  const nlohmann::json json = {
      {"exit_code", failure.exit_code}, {"signal", failure.signal}, {"message", failure.message}};
  const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  write((fs::path(kPoints) / point_path(index, ".failed").filename()).string(), text);
}

void PointStore::remove_leftovers() const {
  std::error_code ignored;
  for (const fs::path& folder : {folder_, folder_ / kPoints})
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (const auto owner = owner_of(entry.path()); owner && !is_alive(*owner))
        fs::remove(entry.path(), ignored);
}

void PointStore::write(const std::string& name, const std::string& text) const {
  const fs::path path = folder_ / name;
  const fs::path temporary = path.parent_path() / fmt::format("{}.{}.{}{}", path.filename().string(),
                                                              host_name(), getpid(), kTemporary);
  {
    std::ofstream out(temporary, std::ios::binary);
    out << text;
    if (!out.flush()) refuse(path, std::strerror(errno));
  }
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error) refuse(path, error.message());
}

FolderLock::FolderLock(const fs::path& folder) {
  const fs::path path = folder / kLock;
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) refuse(path, std::strerror(errno));
  // A file system without locks has no say.
  if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(file_);
    throw ConfigError(fmt::format("another petal sweep works in '{}'; wait for it, or give another --out",
                                  folder.string()));
  }
}

FolderLock::~FolderLock() {
  close(file_);
}

}  // namespace petal
