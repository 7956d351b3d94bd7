# Which files make the library and the command: one glob per folder.
# MOTE_FOLDERS (a list such as "base;net") limits the library to those folders, for work on a part of it.

set(MOTE_LIBRARY_FOLDERS
  base port/posix
  codec net tls auth
  stream transfer
  http protocol api)

set(MOTE_FOLDERS "" CACHE STRING "Folders of src/ to build the library from (empty: all)")
if(MOTE_FOLDERS)
  set(mote_folders ${MOTE_FOLDERS})
else()
  set(mote_folders ${MOTE_LIBRARY_FOLDERS})
endif()

set(MOTE_SOURCES "")
foreach(folder IN LISTS mote_folders)
  file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.c")
  list(APPEND MOTE_SOURCES ${found})
endforeach()

option(MOTE_ACCOUNT "Count memory by account and part, and keep limits (mote/mote.h)" ON)

# One file of each pair of alternatives: what the platform has, and what a part that is left out is replaced by.
set(mote_left_out format_nofloat)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  list(APPEND mote_left_out set_none mutex_yield socket_plain wake_pipe)
else()
  list(APPEND mote_left_out set_epoll mutex_futex socket_linux wake_eventfd)
endif()
if(MOTE_ACCOUNT)
  list(APPEND mote_left_out account_none need_none)
else()
  list(APPEND mote_left_out account api/need)
endif()
foreach(name IN LISTS mote_left_out)
  list(FILTER MOTE_SOURCES EXCLUDE REGEX "/${name}\\.c$")
endforeach()

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
