# Which files make the library and the command. The library's follow from the parts of the profile.

include(cmake/select.cmake)
set(MOTE_PROFILE full CACHE STRING "What the library is made of (cmake/profiles.cmake)")
set(MOTE_WITH "" CACHE STRING "Parts to add to the profile (cmake/parts.cmake)")
set(MOTE_WITHOUT "" CACHE STRING "Parts to take from it")
set(MOTE_TLS "" CACHE STRING "TLS libraries (openssl, bearssl, mbedtls; wolfssl: GPL) in place of the profile's; the first serves")
set(mote_with ${MOTE_WITH})
set(mote_without ${MOTE_WITHOUT})
if(MOTE_TLS)
  mote_check_parts(${MOTE_TLS})
  list(APPEND mote_with ${MOTE_TLS})
  foreach(part IN LISTS MOTE_ALL_PARTS)
    if(MOTE_PART_${part}_ROWS MATCHES "mote_tls_backends: " AND NOT part IN_LIST MOTE_TLS)
      list(APPEND mote_without ${part})
    endif()
  endforeach()
endif()
set(mote_port posix)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(mote_port linux)
endif()
set(MOTE_GENERATED "${PROJECT_BINARY_DIR}/parts")
mote_select("${MOTE_PROFILE}" "${mote_with}" "${mote_without}" "${mote_port}")
mote_generate("${PROJECT_SOURCE_DIR}" "${MOTE_GENERATED}" ${mote_port})
mote_sources(MOTE_SOURCES "${PROJECT_SOURCE_DIR}" ${mote_port})
list(TRANSFORM MOTE_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/")
list(APPEND MOTE_SOURCES "${MOTE_GENERATED}/tables.c")
# a new file: the globs above are looked at again
file(GLOB mote_watched CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*/*.c" "${PROJECT_SOURCE_DIR}/src/port/*/*.c")

# The names of options are written from their rows.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/transfer/option_rows.inc")

# What only the posix port and the command may use: the GNU dialect.
set(MOTE_GNU_SOURCES ${MOTE_SOURCES})
list(FILTER MOTE_GNU_SOURCES INCLUDE REGEX "/src/port/")

file(GLOB MOTE_TOOL_SOURCES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/tool/*.c")
set(MOTE_TOOL_MAIN ${MOTE_TOOL_SOURCES})
list(FILTER MOTE_TOOL_MAIN INCLUDE REGEX "/main\\.c$")
list(FILTER MOTE_TOOL_SOURCES EXCLUDE REGEX "/main\\.c$")

file(GLOB MOTE_UNIT_TESTS CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/unit/*/test_*.c")
file(GLOB MOTE_EXAMPLES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.c")
file(GLOB MOTE_FUZZERS CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c")
