// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "petal/cli/subcommands.hpp"
#include "petal/device/register_text.hpp"

namespace petal {

ExitCode show_registers(const CommandOptions& options) {
  if (options.c_header)
    std::cout << register_c_header();
  else if (options.markdown)
    std::cout << register_markdown();
  else
    std::cout << register_table_text();
  return ExitCode::done;
}

}  // namespace petal
