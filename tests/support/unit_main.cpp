// SPDX-License-Identifier: Apache-2.0
//
// Boost's header is precompiled, so it cannot be asked for a main() here.
#include <boost/test/unit_test.hpp>

int main(int argc, char* argv[]) {
  return boost::unit_test::unit_test_main([]() { return true; }, argc, argv);
}
