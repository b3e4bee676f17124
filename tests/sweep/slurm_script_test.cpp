// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/slurm_script.hpp"

#include <boost/test/unit_test.hpp>

#include "config_error.hpp"

namespace petal {
namespace {

using test::config_error_of;
using test::mentions;

BOOST_AUTO_TEST_SUITE(slurm)

BOOST_AUTO_TEST_CASE(a_task_runs_one_point) {
  const std::string script = slurm_script({"cap", "/opt/petal", "/data/cap.sweep", 8});
  BOOST_TEST(script.rfind("#!/usr/bin/env bash\n", 0) == 0U);
  BOOST_TEST(mentions(script, "#SBATCH --job-name=petal-cap\n"));
  BOOST_TEST(mentions(script, "#SBATCH --array=0-7\n"));
  BOOST_TEST(mentions(script, "#SBATCH --output=/data/cap.sweep/slurm/%a.log\n"));
  BOOST_TEST(mentions(script, "petal=${PETAL:-'/opt/petal'}\n"));
  BOOST_TEST(mentions(script,
                      "sweep --task \"${SLURM_ARRAY_TASK_ID:?submit this script with sbatch}/8\" --out "
                      "'/data/cap.sweep'\n"));
}

// Slurm takes arrays of up to 1000 tasks unless it is told otherwise.
BOOST_AUTO_TEST_CASE(a_large_sweep_shares_points_among_tasks) {
  const std::string script = slurm_script({"x", "/opt/petal", "/data/x", 2500});
  BOOST_TEST(mentions(script, "#SBATCH --array=0-999\n"));
  BOOST_TEST(mentions(script, "/1000\""));
}

BOOST_AUTO_TEST_CASE(names_with_blanks_and_quotes_are_words) {
  const std::string script = slurm_script({"my study", "/opt/it's/petal", "/my data/x", 1});
  BOOST_TEST(mentions(script, "--job-name=petal-my_study\n"));
  BOOST_TEST(mentions(script, "'/opt/it'\\''s/petal'"));
  BOOST_TEST(mentions(script, "--out '/my data/x'"));
  BOOST_TEST(!mentions(script, "#SBATCH --output"));  // it cannot say a blank
}

BOOST_AUTO_TEST_CASE(a_share_is_task_of_tasks) {
  const TaskShare share = task_share("3/10");
  BOOST_TEST(share.task == 3U);
  BOOST_TEST(share.tasks == 10U);
  for (const char* bad : {"", "3", "3/", "/3", "3/3", "4/3", "a/3", "0/0", "-1/3", "1/2/3"})
    BOOST_TEST(mentions(config_error_of([&] { task_share(bad); }), "must be TASK/TASKS"), bad);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
