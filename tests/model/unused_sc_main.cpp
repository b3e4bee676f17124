// SPDX-License-Identifier: Apache-2.0
//
// SystemC's library refers to sc_main. These tests have a main() of their own and start no simulation.
#include <systemc>

int sc_main(int, char*[]) {
  return 1;
}
