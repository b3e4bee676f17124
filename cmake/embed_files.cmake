# SPDX-License-Identifier: Apache-2.0
#
# A script (see PetalEmbed.cmake): writes SOURCE, C++ with a string in NAMESPACE for each of FILES.
set(text "#include <string_view>\n\nnamespace ${NAMESPACE} {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  string(REPLACE "." "_" name "${name}")
  file(READ "${file}" content)
  string(APPEND text "extern const std::string_view ${name};\n")
  string(APPEND text "const std::string_view ${name} = R\"petal(${content})petal\";\n")
endforeach()
string(APPEND text "}  // namespace ${NAMESPACE}\n")
file(WRITE "${SOURCE}" "${text}")
