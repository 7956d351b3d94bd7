# The library in the build of an embedded system that has one of its own (systems/esp-idf, zephyr): that system's CMake
# files ask here for the sources, and compile them in its way.
#
# mote_system(<port> <profile> <parts to add> <parts to leave out> <TLS library, or none> <folder of BearSSL's sources>)
# sets mote_root, mote_generated (an include folder), mote_includes (those before it, in that order), mote_sources,
# and mote_bearssl_sources: with BearSSL the sources of it, which are compiled with mote_bearssl_defines and without
# warnings. Parts have blanks between them.

include("${CMAKE_CURRENT_LIST_DIR}/select.cmake")
get_filename_component(mote_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(mote_generated "${CMAKE_CURRENT_BINARY_DIR}/mote_parts")
set(mote_bearssl_defines BR_USE_UNIX_TIME=0 BR_USE_URANDOM=0) # time and random bytes are the port's

macro(mote_system port profile with without tls bearssl_dir)
  string(REPLACE " " ";" mote_with "${with}")
  string(REPLACE " " ";" mote_without "${without}")
  if(NOT "${tls}" STREQUAL "none")
    list(APPEND mote_with "${tls}")
  endif()
  foreach(mote_part IN LISTS MOTE_ALL_PARTS)
    if(MOTE_PART_${mote_part}_ROWS MATCHES "mote_tls_backends: " AND NOT mote_part STREQUAL "${tls}")
      list(APPEND mote_without "${mote_part}")
    endif()
  endforeach()
  mote_select("${profile}" "${mote_with}" "${mote_without}" "${port}")
  mote_generate("${mote_root}" "${mote_generated}" "${port}")
  mote_sources(mote_sources "${mote_root}" "${port}")
  list(TRANSFORM mote_sources PREPEND "${mote_root}/")
  mote_include_path(mote_includes)
  list(TRANSFORM mote_includes PREPEND "${mote_root}/")
  list(APPEND mote_sources "${mote_generated}/tables.c")
  set(mote_bearssl_sources "")
  if("${tls}" STREQUAL "bearssl")
    file(GLOB mote_bearssl_sources "${bearssl_dir}/src/*.c" "${bearssl_dir}/src/*/*.c")
    if(NOT mote_bearssl_sources)
      message(FATAL_ERROR "mote: no sources of BearSSL in CONFIG_MOTE_BEARSSL_DIR: ${bearssl_dir}")
    endif()
  endif()
endmacro()
