# The library inside of a firmware: one static library, mote::mote, and no search for anything. In the firmware's
# CMakeLists.txt, with variables of the cache as below (docs/firmware.md):
#
#   set(MOTE_PORT freertos)
#   add_subdirectory(mote)                  # or FetchContent_MakeAvailable(mote)
#   target_link_libraries(firmware mote::mote)
#
# MOTE_PROFILE, MOTE_WITH, MOTE_WITHOUT, MOTE_TLS: what it is made of (docs/parts.md)
# MOTE_PORT          a folder of src/port
# MOTE_LINK          targets that the library's sources are compiled with: those of lwIP, the kernel, the TLS library.
#                    They may be made later than this one.
# MOTE_BEARSSL_DIR   BearSSL's sources, which have no CMake file: compiled as target mote_bearssl and linked
# MOTE_CEILINGS      sizes and ceilings, NAME=NUMBER: those of mote_conf.h (tools/amalgamate writes one)

set(MOTE_DEFAULT_PROFILE mcu)
include(cmake/sources.cmake)
if(NOT MOTE_PORT)
  message(FATAL_ERROR "mote: MOTE_PORT is not set, and this system has no name (a folder of src/port: lwip, freertos ...)")
endif()
set(MOTE_LINK "" CACHE STRING "Targets that the library is compiled and linked with: lwIP, the kernel, the TLS library")
set(MOTE_BEARSSL_DIR "" CACHE PATH "BearSSL's sources; empty: a target of MOTE_LINK has it, or no part needs it")
set(MOTE_CEILINGS "" CACHE STRING "Sizes and ceilings of this build, NAME=NUMBER (docs/firmware.md)")

set(port_folder "${PROJECT_SOURCE_DIR}/src/port/${MOTE_PORT}")
add_library(mote_library STATIC ${MOTE_SOURCES})
add_library(mote::mote ALIAS mote_library)
set_target_properties(mote_library PROPERTIES OUTPUT_NAME mote C_STANDARD 11 C_STANDARD_REQUIRED ON)
target_include_directories(mote_library PUBLIC include "${MOTE_GENERATED}/include"
  PRIVATE ${MOTE_INCLUDES} "${MOTE_GENERATED}")
if(IS_DIRECTORY "${port_folder}/include") # <sys/socket.h>, which <curl/curl.h> asks for
  target_include_directories(mote_library PUBLIC "${port_folder}/include")
endif()
target_compile_definitions(mote_library PRIVATE MOTE_BUILDING ${MOTE_CEILINGS})
target_compile_options(mote_library PRIVATE -ffunction-sections -fdata-sections)
target_link_libraries(mote_library PUBLIC ${MOTE_LINK})
# What the port asks of the board: <mote/board.h>.
if(EXISTS "${port_folder}/board.h")
  file(CONFIGURE OUTPUT "${MOTE_GENERATED}/include/mote/board.h" CONTENT
    "/* mote/board.h: written by cmake/embed.cmake: what port ${MOTE_PORT} asks of the board. */\n#include \"${port_folder}/board.h\"\n"
    @ONLY)
endif()

if("bearssl" IN_LIST MOTE_PARTS AND MOTE_BEARSSL_DIR)
  file(GLOB bearssl_sources "${MOTE_BEARSSL_DIR}/src/*.c" "${MOTE_BEARSSL_DIR}/src/*/*.c")
  if(NOT bearssl_sources)
    message(FATAL_ERROR "mote: no sources of BearSSL in MOTE_BEARSSL_DIR: ${MOTE_BEARSSL_DIR}")
  endif()
  add_library(mote_bearssl STATIC ${bearssl_sources})
  target_include_directories(mote_bearssl SYSTEM PUBLIC "${MOTE_BEARSSL_DIR}/inc" PRIVATE "${MOTE_BEARSSL_DIR}/src")
  # Time and random bytes are the port's.
  target_compile_definitions(mote_bearssl PRIVATE BR_USE_UNIX_TIME=0 BR_USE_URANDOM=0)
  target_compile_options(mote_bearssl PRIVATE -w -ffunction-sections -fdata-sections)
  target_link_libraries(mote_library PUBLIC mote_bearssl)
endif()
