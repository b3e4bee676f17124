// SPDX-License-Identifier: Apache-2.0
//
// SystemC owns main() and calls sc_main(), which hands over to Boost.Test.
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#include <systemc>

int sc_main(int argc, char* argv[]) {
  return boost::unit_test::unit_test_main([]() { return true; }, argc, argv);
}
