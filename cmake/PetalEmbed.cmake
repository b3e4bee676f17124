# SPDX-License-Identifier: Apache-2.0
#
# Puts text files into a library.

# petal_embed(<target> <namespace> <file>...): each file becomes a `const std::string_view` of that namespace, named
# after the file: page/report.css is report_css.
function(petal_embed target namespace)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_files.cpp")
  set(files ${ARGN})
  list(TRANSFORM files PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  add_custom_command(OUTPUT "${source}"
    COMMAND ${CMAKE_COMMAND} "-DSOURCE=${source}" "-DNAMESPACE=${namespace}" "-DFILES=${files}"
            -P "${PETAL_SOURCE_DIR}/cmake/embed_files.cmake"
    DEPENDS ${files} "${PETAL_SOURCE_DIR}/cmake/embed_files.cmake"
    COMMENT "Embedding files into ${target}" VERBATIM)
  target_sources(${target} PRIVATE "${source}")
endfunction()
