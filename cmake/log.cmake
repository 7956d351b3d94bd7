# The instrumented build (src/log/log.h): its files are added, and its headers are included in front of ours.

option(MOTE_LOG "Log every fallible call, and make chosen ones fail (preset log)" OFF)

# What a source defines for the C library's headers before it includes any, as -D options: a header of ours comes
# first here.
function(mote_log_feature_macros out source)
  file(STRINGS "${source}" lines REGEX "^#define _[A-Z_]+")
  set(options "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^#define (_[A-Z0-9_]+) *([0-9A-Za-z]*)" unused "${line}")
    list(APPEND options "-D${CMAKE_MATCH_1}=${CMAKE_MATCH_2}")
  endforeach()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

function(mote_log_include source)
  mote_log_feature_macros(options "${source}")
  foreach(header IN LISTS ARGN)
    list(APPEND options "--include=${PROJECT_SOURCE_DIR}/src/${header}")
  endforeach()
  set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS ${options})
endfunction()

# After the sources' own options are set.
macro(mote_log_instrument)
  foreach(source IN LISTS MOTE_SOURCES)
    if(source MATCHES "/src/port/")
      mote_log_include("${source}" log/calls.h)
    elseif(source MATCHES "/src/base/(memory|memory/memory_libc|memory/account)[.]c$")
      mote_log_include("${source}" log/blocks.h)
    else()
      mote_log_include("${source}" log/sites.h)
    endif()
  endforeach()
  foreach(source IN LISTS MOTE_TOOL_SOURCES MOTE_TOOL_MAIN)
    if(source MATCHES "/src/tool/memory[.]c$")
      mote_log_include("${source}" log/blocks.h)
    else()
      mote_log_include("${source}" tool/memory.h log/tool.h)
    endif()
  endforeach()
  file(GLOB mote_log_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/log/*.c")
  list(APPEND MOTE_SOURCES ${mote_log_sources})
  set_property(SOURCE ${mote_log_sources} APPEND PROPERTY COMPILE_OPTIONS -std=gnu11)
  # "net/conn.c", wherever the tree is
  add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/src/=")
endmacro()
