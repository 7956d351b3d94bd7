# Writes what a build of a profile is made of. Needs nothing but CMake:
#
#   cmake -DPROFILE=tiny [-DPORT=linux] [-DWITH="a;b"] [-DWITHOUT="c"] -DOUT=build/tiny
#         -P cmake/generate.cmake
#
# into OUT: parts.h (MOTE_HAS_<PART>), tables.c (rows with real references), option_names.inc (options by name),
# sources.txt (for cc @sources.txt or cc $(cat sources.txt), from the repository's root) and parts.txt (the parts, one per
# line).
# The project's own build includes this file and calls mote_generate().

include("${CMAKE_CURRENT_LIST_DIR}/select.cmake")

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
  foreach(name PROFILE OUT)
    if(NOT DEFINED ${name})
      message(FATAL_ERROR "generate: -D${name}= is missing")
    endif()
  endforeach()
  get_filename_component(OUT "${OUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT DEFINED PORT)
    set(PORT linux)
  endif()
  mote_select("${PROFILE}" "${WITH}" "${WITHOUT}" "${PORT}")
  mote_generate("${root}" "${OUT}" "${PORT}")
endif()
