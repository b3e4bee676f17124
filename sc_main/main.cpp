// SPDX-License-Identifier: Apache-2.0
//
// The `petal` program. SystemC's own main() would print its banner to the terminal of every user before
// sc_main() starts, so the program brings its own.
#include <cstdlib>
#include <systemc>

#include "petal/cli/command_line.hpp"

int sc_main(int argc, char* argv[]) {
  // Stopping is how a failing run ends; the reason is told by the command line.
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  // Each PE whose kernel fails stops the run; that several do is no news.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_SIMULATION_STOP_CALLED_TWICE_,
                                          sc_core::SC_DO_NOTHING);
  return static_cast<int>(petal::run_command_line(argc, argv));
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
