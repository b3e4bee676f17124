# SPDX-License-Identifier: Apache-2.0
#
# What the virtual platform needs beyond the model: the Unicorn emulator for the CPU, and a cross compiler with a C
# library for the firmware. PETAL_VP_MISSING lists the Debian packages of what was not found; the file vp_missing.txt
# in the build tree says so to `./petal vp`.
set(PETAL_VP_MISSING)
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(PETAL_UNICORN QUIET IMPORTED_TARGET GLOBAL unicorn>=2.0.1)
endif()
if(NOT TARGET PkgConfig::PETAL_UNICORN)
  list(APPEND PETAL_VP_MISSING libunicorn-dev)
endif()
find_program(PETAL_RISCV_GCC riscv64-unknown-elf-gcc DOC "Cross compiler of the virtual platform's firmware")
if(NOT PETAL_RISCV_GCC)
  list(APPEND PETAL_VP_MISSING gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf)
else()
  # A compiler names a file in full when it has it.
  execute_process(COMMAND ${PETAL_RISCV_GCC} -print-file-name=picolibc.specs
    OUTPUT_VARIABLE picolibc_specs OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT IS_ABSOLUTE "${picolibc_specs}")
    list(APPEND PETAL_VP_MISSING picolibc-riscv64-unknown-elf)
  endif()
endif()

if(PETAL_VP_MISSING)
  list(JOIN PETAL_VP_MISSING " " missing)
  message(STATUS "No virtual platform: needs ${missing}. Install them (Debian's names) and configure again.")
  file(WRITE "${PETAL_BINARY_DIR}/vp_missing.txt" "${missing}\n")
else()
  file(REMOVE "${PETAL_BINARY_DIR}/vp_missing.txt")
endif()
