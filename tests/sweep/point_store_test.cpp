// SPDX-License-Identifier: Apache-2.0
//
// A sweep's folder: what is in it, and what a process that was killed at any moment can have left there.
#include "petal/sweep/point_store.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "config_error.hpp"

namespace petal {
namespace {

namespace fs = std::filesystem;
using test::config_error_of;
using test::mentions;

/// A new folder, gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "petal_sweep_XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void put(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

SweepRequest sample() {
  return {"0.1.0", "s.yaml", "kernel: gemm\n", {"tile=32,64"}, {}};
}

struct Store {
  TemporaryFolder folder;
  PointStore store{folder.path() / "sweep"};
};

BOOST_FIXTURE_TEST_SUITE(point_store, Store)

BOOST_AUTO_TEST_CASE(a_new_folder_holds_request_and_scenario) {
  store.open_for(sample());
  BOOST_TEST(store.request().text == "kernel: gemm\n");
  std::ifstream scenario(store.scenario_path());
  std::string line;
  BOOST_TEST(std::getline(scenario, line).good());
  BOOST_TEST(line == "kernel: gemm");
  BOOST_TEST(!store.read(0).is_there());
  BOOST_TEST(store.read(0).is_due());
}

BOOST_AUTO_TEST_CASE(the_same_request_goes_on_and_another_is_refused) {
  store.open_for(sample());
  store.open_for(sample());
  SweepRequest other = sample();
  other.sets = {"tile=32"};
  const std::string error = config_error_of([&] { store.open_for(other); });
  BOOST_TEST(
      mentions(error, "holds another sweep: tile has the values 32 and had 32, 64; give another --out"),
      error);
}

BOOST_AUTO_TEST_CASE(a_folder_with_other_things_is_refused) {
  fs::create_directories(store.folder());
  put(store.folder() / "thesis.tex", "");
  BOOST_TEST(mentions(config_error_of([&] { store.open_for(sample()); }), "'thesis.tex'"));
  BOOST_TEST(!fs::exists(store.folder() / "sweep.json"));
  const PointStore file(store.folder() / "thesis.tex");
  BOOST_TEST(mentions(config_error_of([&] { file.open_for(sample()); }), "cannot be written"));
}

// A process killed in between can have left the lock and temporary files, and nothing else.
BOOST_AUTO_TEST_CASE(what_a_killed_start_leaves_is_no_hindrance) {
  fs::create_directories(store.folder());
  put(store.folder() / ".lock", "");
  put(store.folder() / "sweep.json.host.17.tmp", "{\"peta");
  store.open_for(sample());
  fs::remove_all(store.folder() / "points");
  fs::remove(store.scenario_path());
  store.open_for(sample());
  BOOST_TEST(fs::exists(store.scenario_path()));
  BOOST_TEST(fs::is_directory(store.folder() / "points"));
}

BOOST_AUTO_TEST_CASE(a_summary_appears_complete_or_not_at_all) {
  store.open_for(sample());
  const fs::path half = store.temporary(1, ".json");
  put(half, "{\"time_ps\": 1");
  BOOST_CHECK_THROW(store.keep_summary(1, half), SimulationError);
  BOOST_TEST(!store.read(1).is_there());
  put(half, "{\"time_ps\": 12}");
  store.keep_summary(1, half);
  BOOST_TEST(store.read(1).summary->at("time_ps") == 12);
  BOOST_TEST(!store.read(1).is_due());
  BOOST_TEST(!fs::exists(half));
}

// A machine that loses power can leave a file without its contents.
BOOST_AUTO_TEST_CASE(a_damaged_point_is_run_again) {
  store.open_for(sample());
  put(store.folder() / "points" / "000000.json", "");
  BOOST_TEST(store.read(0).is_due());
}

BOOST_AUTO_TEST_CASE(a_failure_is_kept_until_there_is_a_summary) {
  store.open_for(sample());
  store.keep_failure(0, {3, 0, "composite: too large"});
  BOOST_TEST(store.read(0).failure->message == "composite: too large");
  BOOST_TEST(store.read(0).failure->exit_code == 3);
  BOOST_TEST(!store.read(0).is_due());
  put(store.temporary(0, ".json"), "{}");
  store.keep_summary(0, store.temporary(0, ".json"));
  BOOST_TEST(store.read(0).summary.has_value());
  BOOST_TEST(!store.read(0).failure.has_value());
}

// Something from outside ended it, so it is no property of the point.
BOOST_AUTO_TEST_CASE(a_point_that_was_killed_is_due) {
  store.open_for(sample());
  store.keep_failure(0, {0, 9, "ended by signal 9 (Killed)"});
  BOOST_TEST(store.read(0).is_there());
  BOOST_TEST(store.read(0).is_due());
}

BOOST_AUTO_TEST_CASE(leftovers_of_dead_processes_are_removed) {
  store.open_for(sample());
  const fs::path mine = store.temporary(0, ".json");
  put(mine, "");
  // Process ids end below 2^22, so no process has this one.
  std::string name = mine.filename().string();
  name.replace(name.find(std::to_string(getpid())), std::to_string(getpid()).size(), "999999999");
  put(mine.parent_path() / name, "");
  put(mine.parent_path() / "000000.elsewhere.999999999.json.tmp", "");
  store.remove_leftovers();
  BOOST_TEST(fs::exists(mine));
  BOOST_TEST(!fs::exists(mine.parent_path() / name));
  BOOST_TEST(fs::exists(mine.parent_path() / "000000.elsewhere.999999999.json.tmp"));
}

BOOST_AUTO_TEST_CASE(one_sweep_at_a_time) {
  store.open_for(sample());
  {
    const FolderLock lock(store.folder());
    BOOST_TEST(
        mentions(config_error_of([&] { FolderLock again(store.folder()); }), "another petal sweep works in"));
  }
  BOOST_TEST(config_error_of([&] { FolderLock again(store.folder()); }) == "");
}

BOOST_AUTO_TEST_CASE(a_folder_without_a_sweep_has_no_request) {
  BOOST_TEST(mentions(config_error_of([&] { store.request(); }), "holds no sweep"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
