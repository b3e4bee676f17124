# SPDX-License-Identifier: Apache-2.0
#
# A "room" is one folder of headers and sources with one name. Its headers are included as
# "petal/<room>/<file>.hpp", in this tree as in an installed one, and a target sees only the rooms it names:
# that is what makes an arrow that points the wrong way (the device side including the host side) a missing
# header, not a matter of discipline. See docs/decisions/0002-rooms-are-include-roots.md.

# petal_room(<target> <room> <folder>): gives <target> the headers of <folder> as petal/<room>/.
function(petal_room target room folder)
  set(root "${PETAL_BINARY_DIR}/rooms/${room}")
  file(MAKE_DIRECTORY "${root}/petal")
  file(CREATE_LINK "${PETAL_SOURCE_DIR}/${folder}" "${root}/petal/${room}" SYMBOLIC)
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${root}>")
endfunction()

# For code that runs once a run: a short build is worth more than its speed.
function(petal_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# For code that makes reports of SystemC, which name the source file: by its place in this tree, wherever that was built.
function(petal_reports target)
  target_compile_options(${target} PRIVATE "-fmacro-prefix-map=${PETAL_SOURCE_DIR}/=")
endfunction()

# The warnings every target of ours is compiled with. They are errors here, and not where another project builds PETAL with
# a compiler of its own.
function(petal_strict target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<BOOL:${PETAL_WARNINGS_AS_ERRORS}>:-Werror>)
endfunction()
