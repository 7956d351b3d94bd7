# What vcpkg does with a port: cmake -DPORT_DIR= -DARCHIVE_FILE= -DWORK= -P run.cmake. Its dependencies are the machine's, and
# there is no debug build.
cmake_minimum_required(VERSION 3.25)
set(CMAKE_CURRENT_LIST_DIR "${PORT_DIR}")
set(CURRENT_PACKAGES_DIR "${WORK}/packages/mote")
file(READ "${PORT_DIR}/vcpkg.json" manifest)
string(JSON PORT GET "${manifest}" name)
string(JSON VERSION GET "${manifest}" version)
foreach(name description homepage license supports)
  string(JSON unused GET "${manifest}" ${name})
endforeach()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_download_distfile out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILENAME;SHA512" "URLS")
  file(SHA512 "${ARCHIVE_FILE}" sum)
  cmake_path(GET ARCHIVE_FILE FILENAME name)
  if(NOT sum STREQUAL arg_SHA512 OR NOT name STREQUAL arg_FILENAME OR NOT arg_URLS)
    message(FATAL_ERROR "the port asks for ${arg_FILENAME} with the sum ${arg_SHA512}")
  endif()
  set(${out} "${ARCHIVE_FILE}" PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHIVE" "")
  file(ARCHIVE_EXTRACT INPUT "${arg_ARCHIVE}" DESTINATION "${WORK}/src")
  set(${out} "${WORK}/src/${PORT}-${VERSION}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  run(cmake -S "${arg_SOURCE_PATH}" -B "${WORK}/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON
    "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" -DCMAKE_INSTALL_LIBDIR=lib ${arg_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  run(cmake --build "${WORK}/build")
  run(cmake --install "${WORK}/build")
endfunction()

# Moves the files to share/<name>, one folder higher than where they were.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "PACKAGE_NAME;CONFIG_PATH" "")
  file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share")
  file(RENAME "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}" "${CURRENT_PACKAGES_DIR}/share/${arg_PACKAGE_NAME}")
  file(GLOB files "${CURRENT_PACKAGES_DIR}/share/${arg_PACKAGE_NAME}/*.cmake")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    string(REPLACE "/../../../" "/../../" text "${text}")
    string(REPLACE "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\nget_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\nget_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n"
      "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\nget_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n" text "${text}")
    file(WRITE "${file}" "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/mote.pc")
    message(FATAL_ERROR "there is no mote.pc")
  endif()
endfunction()

function(vcpkg_copy_tools)
  cmake_parse_arguments(PARSE_ARGV 0 arg "AUTO_CLEAN" "" "TOOL_NAMES")
  foreach(name IN LISTS arg_TOOL_NAMES)
    file(COPY "${CURRENT_PACKAGES_DIR}/bin/${name}" DESTINATION "${CURRENT_PACKAGES_DIR}/tools/${PORT}")
  endforeach()
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin")
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(INSTALL ${arg_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}" RENAME copyright)
endfunction()

include("${PORT_DIR}/portfile.cmake")
