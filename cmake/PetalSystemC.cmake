# SPDX-License-Identifier: Apache-2.0
#
# Finds SystemC 2.3.4 under one name, SystemC::systemc: an upstream install has a CMake package, Debian's has
# pkg-config files only.

find_package(SystemCLanguage CONFIG QUIET)
if(NOT TARGET SystemC::systemc)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(PETAL_SYSTEMC REQUIRED IMPORTED_TARGET systemc>=2.3.4)
  add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::PETAL_SYSTEMC)
  # Debian's headers live in the compiler's own include path, so they are SYSTEM headers already.
endif()
# SC_THREADs are switched by hand; without this the kernel's dynamic processes are not declared.
set_property(TARGET SystemC::systemc APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS SC_INCLUDE_DYNAMIC_PROCESSES)
