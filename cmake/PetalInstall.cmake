# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` puts on a machine: the libraries, their headers under petal/, the driver for firmware, a CMake
# package and a pkg-config file. Nothing installed names the source or the build tree.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The rooms of the public libraries: <folder>'s headers become petal/<room>/, but for private ones. Folders with a
# CMakeLists.txt of their own are other rooms.
function(petal_install_room room folder)
  file(GLOB inner RELATIVE "${PETAL_SOURCE_DIR}/${folder}" "${PETAL_SOURCE_DIR}/${folder}/*/CMakeLists.txt")
  set(excluded PATTERN json_fields.hpp EXCLUDE PATTERN yaml_tree_builder.hpp EXCLUDE)
  foreach(list IN LISTS inner)
    get_filename_component(other "${list}" DIRECTORY)
    list(APPEND excluded PATTERN "${other}" EXCLUDE)
  endforeach()
  install(DIRECTORY "${folder}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/petal/${room}" FILES_MATCHING
    PATTERN "*.hpp" ${excluded})
endfunction()

foreach(room IN ITEMS attention bus calendar command engines host memory numerics pe_cpu pe_scheduler)
  petal_install_room(${room} model/${room})
endforeach()
petal_install_room(observe observe)
petal_install_room(npy observe/npy)
petal_install_room(platform platform)
petal_install_room(config platform/config)
petal_install_room(device platform/device)

# Each before those it uses: the order in which a linker wants them.
set(petal_libraries host attention pe_device platform config device npy numerics memory_data observe command)
list(TRANSFORM petal_libraries PREPEND "-lpetal_" OUTPUT_VARIABLE petal_link_flags)
list(JOIN petal_link_flags " " petal_link_flags)
foreach(library IN LISTS petal_libraries)
  set_target_properties(petal_${library} PROPERTIES EXPORT_NAME ${library})
  target_include_directories(petal_${library} INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endforeach()
list(TRANSFORM petal_libraries PREPEND petal_)
install(TARGETS petal_sdk ${petal_libraries} EXPORT petalTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/petal")
set(petal_firmware_folder "${CMAKE_INSTALL_DATADIR}/petal/firmware")
install(EXPORT petalTargets NAMESPACE petal:: DESTINATION "${package_folder}")
configure_package_config_file("${PETAL_SOURCE_DIR}/cmake/petalConfig.cmake.in" petalConfig.cmake
  INSTALL_DESTINATION "${package_folder}" PATH_VARS petal_firmware_folder)
write_basic_package_version_file(petalConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/petalConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/petalConfigVersion.cmake"
  "${PETAL_SOURCE_DIR}/cmake/PetalSystemC.cmake" DESTINATION "${package_folder}")

# From the folder of petal.pc to the prefix, however deep that is: an installed tree can be moved.
file(RELATIVE_PATH petal_prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file("${PETAL_SOURCE_DIR}/cmake/petal.pc.in" petal.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/petal.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES "${PETAL_BINARY_DIR}/rooms/version/petal/version.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/petal")
# Plain C, compiled by whoever builds firmware.
install(FILES firmware/petal_driver.c firmware/petal_driver.h firmware/petal_registers.h
  DESTINATION "${petal_firmware_folder}")
install(FILES "${PETAL_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
