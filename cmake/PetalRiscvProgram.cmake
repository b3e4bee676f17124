# SPDX-License-Identifier: Apache-2.0
#
# Cross-compiles a program for the virtual platform's CPU.

# petal_riscv_program(<name> SOURCES ... [DEPENDS ...] [OPTIONS ...]): makes <name>.elf in the current build folder,
# as part of `all`. DEPENDS are files that the sources include. The variable <name>_elf holds the path.
function(petal_riscv_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;OPTIONS" ${ARGN})
  set(elf "${CMAKE_CURRENT_BINARY_DIR}/${name}.elf")
  set(sources)
  foreach(source IN LISTS ARG_SOURCES)
    list(APPEND sources "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
  endforeach()
  add_custom_command(OUTPUT "${elf}"
    COMMAND ${PETAL_RISCV_GCC} -march=rv64imafdc -mabi=lp64d -mcmodel=medany ${ARG_OPTIONS} -o "${elf}" ${sources}
    DEPENDS ${sources} ${ARG_DEPENDS}
    COMMENT "Cross-compiling ${name}.elf" VERBATIM)
  add_custom_target(${name}_elf_file ALL DEPENDS "${elf}")
  set(${name}_elf "${elf}" PARENT_SCOPE)
endfunction()
