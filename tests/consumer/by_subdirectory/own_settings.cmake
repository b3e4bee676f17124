# SPDX-License-Identifier: Apache-2.0
#
# What a project can expect of a dependency that it builds itself: its own settings stay as they are, and it gets
# libraries alone, no programs, tests or install rules.

set(directory_properties COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES LINK_OPTIONS TESTS)

# The values of all CMAKE_ variables but those that describe the call itself.
function(list_settings result)
  get_cmake_property(names VARIABLES)
  list(FILTER names INCLUDE REGEX "^CMAKE_")
  list(FILTER names EXCLUDE REGEX "^CMAKE_(CURRENT_.*|MATCH_.*|PARENT_LIST_FILE|PROJECT_INCLUDE.*)$")
  set(settings)
  foreach(name IN LISTS names)
    list(APPEND settings "${name} = ${${name}}")
  endforeach()
  foreach(name IN LISTS directory_properties)
    get_property(value DIRECTORY PROPERTY ${name})
    list(APPEND settings "${name} = ${value}")
  endforeach()
  set(${result} "${settings}" PARENT_SCOPE)
endfunction()

macro(remember_settings)
  list_settings(settings_before)
endmacro()

function(require_settings_as_they_were)
  list_settings(settings)
  foreach(setting IN LISTS settings)
    if(NOT setting IN_LIST settings_before)
      message(FATAL_ERROR "PETAL has changed a setting of the project around it: ${setting}")
    endif()
  endforeach()
endfunction()

function(require_libraries_only folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(STATIC|INTERFACE)_LIBRARY$")
      message(FATAL_ERROR "PETAL brings along ${target}, which is no library but a ${type}")
    endif()
  endforeach()
  get_property(tests DIRECTORY "${folder}" PROPERTY TESTS)
  if(tests)
    message(FATAL_ERROR "PETAL brings along tests: ${tests}")
  endif()
  get_property(inner DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(directory IN LISTS inner)
    require_libraries_only("${directory}")
  endforeach()
endfunction()
