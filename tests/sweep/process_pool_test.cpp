// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/process_pool.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

namespace petal {
namespace {

constexpr std::chrono::seconds kPatience{60};

std::vector<std::string> shell(const std::string& script) {
  return {"/bin/sh", "-c", script};
}

BOOST_AUTO_TEST_SUITE(process_pool)

BOOST_AUTO_TEST_CASE(each_process_tells_how_it_ended) {
  ProcessPool pool(3);
  pool.start(7, shell("exit 5"), "/dev/null");
  pool.start(8, shell("kill -9 $$"), "/dev/null");
  pool.start(9, {"/nowhere/petal"}, "/dev/null");
  BOOST_TEST(!pool.has_room());
  std::set<std::size_t> tags;
  while (!pool.is_idle()) {
    const auto end = pool.wait(kPatience);
    BOOST_REQUIRE(end.has_value());
    tags.insert(end->tag);
    BOOST_TEST(end->exit_code == (end->tag == 7 ? 5 : end->tag == 8 ? 0 : 127));
    BOOST_TEST(end->signal == (end->tag == 8 ? 9 : 0));
  }
  BOOST_TEST((tags == std::set<std::size_t>{7, 8, 9}));
  BOOST_TEST(pool.has_room());
}

BOOST_AUTO_TEST_CASE(waiting_ends_when_patience_does) {
  ProcessPool pool(1);
  pool.start(0, shell("sleep 600"), "/dev/null");
  BOOST_TEST(!pool.wait(std::chrono::milliseconds(1)).has_value());
  BOOST_TEST(!pool.is_idle());  // its end kills what runs
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
