# Files on the way of each transfer, which the shared libraries have with functions inlined across files (GCC's
# -flto): a tenth fewer instructions for a small request. They are compiled twice for that; archives, tests and
# instrumented builds have the ordinary objects. Linking takes some seconds.
set(MOTE_HOT
  api/easy
  base/account base/buf base/hash base/heap base/memory base/memory_libc base/report base/text
  codec/http1 codec/http1_field codec/http1_response codec/percent codec/reply codec/url_pack
  connect/channel connect/data connect/data_open connect/dial connect/dial_phases connect/reuse connect/route
    connect/route_proxy connect/socket
  http/auth http/request http/response
  net/conn net/pool net/timers net/waitset
  port/posix/socket port/posix/system
  protocol/body protocol/ftp protocol/ftp_data protocol/ftp_file protocol/ftp_path protocol/ftp_prepare protocol/h1
    protocol/h1_parse protocol/h1_send protocol/imap protocol/mail protocol/pingpong protocol/pop3
  transfer/chain transfer/finish transfer/headers transfer/identity transfer/multi transfer/options
    transfer/progress transfer/run transfer/run_reuse transfer/schedule transfer/share transfer/sink
    transfer/sink_decode transfer/sink_write transfer/source transfer/start transfer/states transfer/transfer)

# Sets `out` to the objects of the shared libraries.
function(mote_hot_objects out)
  set(objects $<TARGET_OBJECTS:mote_objects>)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT MOTE_LOG AND NOT MOTE_SANITIZE)
    list(TRANSFORM MOTE_HOT PREPEND "${PROJECT_SOURCE_DIR}/src/" OUTPUT_VARIABLE sources)
    list(TRANSFORM sources APPEND ".c")
    foreach(source IN LISTS sources)
      if(NOT EXISTS "${source}")
        message(FATAL_ERROR "cmake/hot.cmake names ${source}, which is not there")
      endif()
      if(source IN_LIST MOTE_SOURCES)
        string(REGEX REPLACE ".*/src/(.*)[.]c$" "/src/\\1[.]c[.]" name "${source}")
        set(objects "$<FILTER:${objects},EXCLUDE,${name}>")
        list(APPEND hot "${source}")
      endif()
    endforeach()
    add_library(mote_hot OBJECT ${hot})
    target_include_directories(mote_hot PRIVATE src include)
    target_compile_definitions(mote_hot PRIVATE MOTE_BUILDING)
    target_compile_options(mote_hot PRIVATE -std=c11 -flto)
    target_link_libraries(mote_hot PRIVATE mote_flags mote_depends)
    list(APPEND objects $<TARGET_OBJECTS:mote_hot>)
  endif()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()
