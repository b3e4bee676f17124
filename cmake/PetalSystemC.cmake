# SPDX-License-Identifier: Apache-2.0
#
# Finds SystemC 2.3.4 or newer under one name, SystemC::systemc: an upstream install has a CMake package, Debian's has
# pkg-config files only. A target of that name that is there already is taken as it is.

# petal_find_systemc(<problem>): SystemC::systemc is there afterwards, or <problem> says in one line why this project
# cannot use PETAL.
function(petal_find_systemc problem)
  petal_look_for_systemc()
  petal_find_standard_problem(found)
  if(NOT TARGET SystemC::systemc)
    set(found "found no SystemC of version 2.3.4 or newer: install libsystemc-dev, or name the place of another \
installation in CMAKE_PREFIX_PATH or PKG_CONFIG_PATH.")
  endif()
  set(${problem} "${found}" PARENT_SCOPE)
endfunction()

macro(petal_look_for_systemc)
  if(NOT TARGET SystemC::systemc)
    find_package(SystemCLanguage 2.3.4 CONFIG QUIET GLOBAL)
  endif()
  if(NOT TARGET SystemC::systemc)
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
      pkg_check_modules(PETAL_SYSTEMC QUIET IMPORTED_TARGET GLOBAL systemc>=2.3.4)
    endif()
    if(TARGET PkgConfig::PETAL_SYSTEMC)
      add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)
      # Debian's headers live in the compiler's own include path, so they are SYSTEM headers already.
      target_link_libraries(SystemC::systemc INTERFACE PkgConfig::PETAL_SYSTEMC)
    endif()
  endif()
endmacro()

# SystemC links to objects of its own C++ standard alone; otherwise a symbol is missing whose name tells nobody why.
function(petal_find_standard_problem result)
  set(problem "")
  petal_standard_of_systemc(systemc)
  if(DEFINED CMAKE_CXX_STANDARD AND NOT CMAKE_CXX_STANDARD EQUAL 17)
    set(problem "is compiled as C++17, as is the SystemC it uses, and this project asks for C++${CMAKE_CXX_STANDARD}: \
SystemC does not link across standards. Set CMAKE_CXX_STANDARD to 17.")
  elseif(NOT systemc EQUAL 17)
    set(problem "is compiled as C++17, and the SystemC found here as C++${systemc}: SystemC does not link across \
standards. Use a SystemC that was built as C++17.")
  endif()
  set(${result} "${problem}" PARENT_SCOPE)
endfunction()

# The C++ standard of the SystemC library: its CMake package says it, and so does the name of a symbol that it has for
# this purpose. 17 if neither is at hand.
function(petal_standard_of_systemc result)
  set(standard "${SystemC_CXX_STANDARD}")
  foreach(library IN LISTS PETAL_SYSTEMC_LINK_LIBRARIES)
    if(NOT standard AND library MATCHES "systemc" AND EXISTS "${library}")
      file(STRINGS "${library}" symbol LIMIT_COUNT 1 REGEX "sc_api_version_[0-9_]*cxx20[0-9][0-9]")
      if(symbol MATCHES "cxx20([0-9][0-9])")
        set(standard "${CMAKE_MATCH_1}")
      endif()
    endif()
  endforeach()
  if(NOT standard)
    set(standard 17)
  endif()
  set(${result} "${standard}" PARENT_SCOPE)
endfunction()
