// SPDX-License-Identifier: Apache-2.0
//
// F39: no knob is without effect, and none has another than it is documented to have. Each key of the schema
// has a row in the knob table, and of each row two runs are compared, quantity by quantity. How large an
// effect is, in picoseconds, is knob_test's to say.
#include <boost/test/unit_test.hpp>

#include "knobs/knob_rows.hpp"
#include "petal/command/error.hpp"
#include "petal/config/scenario_loader.hpp"
#include "petal/config/schema.hpp"
#include "petal/scenario/scenario_run.hpp"

using namespace petal;
using namespace petal::test;

namespace {

std::vector<KnobRow> all_rows() {
  std::vector<KnobRow> all;
  for (const std::vector<KnobRow>& rows : {work_rows(), platform_rows(), sweep_rows()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

std::unique_ptr<KnobBench> bench_of(const KnobRow& row, const std::string& text,
                                    const std::vector<std::string>& sets) {
  switch (row.work) {
    case KnobWork::kernel:
      return kernel_bench(text, sets, row.kernel);
    case KnobWork::bus:
      return burst_bench(text, sets, row.kernel);
    default:
      return scenario_bench(text, sets);
  }
}

/// A row's two runs.
struct Pair {
  KnobRow row;
  std::unique_ptr<KnobBench> before;
  std::unique_ptr<KnobBench> after;

  explicit Pair(const KnobRow& of) : row(of), before(bench_of(of, of.text, of.sets)) {
    std::vector<std::string> sets = of.sets;
    if (of.other_text.empty()) sets.push_back(of.path + "=" + of.value);
    after = bench_of(of, of.other_text.empty() ? of.text : of.other_text, sets);
  }
};

std::string joined(const Quantities& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void require_as_documented(const Pair& pair) {
  const Fingerprint before = pair.before->fingerprint();
  const Fingerprint after = pair.after->fingerprint();
  const Quantities differ = differences(before, after);
  for (const std::string& name : pair.row.changes)
    BOOST_TEST((before.count(name) + after.count(name)) > 0U, "there is no quantity " << name);
  const Quantities unchanged = without(pair.row.changes, differ);
  BOOST_TEST(unchanged.empty(), "does not change " << joined(unchanged));
  const Quantities more = without(without(differ, pair.row.changes), pair.row.follows);
  BOOST_TEST(more.empty(), "changes " << joined(more) << " too");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(knob_table)

BOOST_AUTO_TEST_CASE(every_key_of_the_schema_has_a_row_and_no_other) {
  std::set<std::string> keys;
  for (const SchemaEntry& entry : schema_entries()) keys.insert(entry.path);
  std::set<std::string> rows;
  for (const KnobRow& row : all_rows()) rows.insert(row.path);
  for (const std::string& key : keys)
    BOOST_TEST(rows.count(key) == 1U, key << " has no row in the knob table: say what it changes");
  for (const std::string& row : rows) BOOST_TEST(keys.count(row) == 1U, row << " is no key");
}

BOOST_AUTO_TEST_CASE(a_key_changes_what_it_is_for_and_nothing_else) {
  std::vector<Pair> pairs;
  for (const KnobRow& row : all_rows()) {
    BOOST_TEST_CONTEXT(row.path) {
      pairs.emplace_back(row);
    }
  }
  simulate();
  for (const Pair& pair : pairs) {
    BOOST_TEST_CONTEXT(pair.row.path << "=" << pair.row.value) {
      require_as_documented(pair);
    }
  }
}

// A key whose other value makes no difference to work that does not need it is seen at a value that cannot
// be.
BOOST_AUTO_TEST_CASE(a_key_without_a_difference_has_a_value_that_is_refused) {
  std::set<std::string> seen;
  for (const KnobRow& row : all_rows())
    if (!row.changes.empty()) seen.insert(row.path);
  for (const RefusedRow& row : refused_rows()) seen.insert(row.path);
  for (const KnobRow& row : all_rows()) BOOST_TEST(seen.count(row.path) == 1U, row.path);
}

BOOST_AUTO_TEST_CASE(a_value_that_cannot_be_is_refused) {
  for (const RefusedRow& row : refused_rows()) {
    BOOST_TEST_CONTEXT(row.path) {
      const auto run = [&] {
        const ScenarioConfig config = scenario_from_text(row.text, {row.path + "=" + row.value});
        ScenarioRun refused(sc_core::sc_gen_unique_name("refused"), config, {});
      };
      BOOST_CHECK_EXCEPTION(run(), ConfigError, [&](const ConfigError& error) {
        return std::string(error.what()).find(row.message) != std::string::npos;
      });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
