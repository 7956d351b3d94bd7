# The command. It needs these parts of the library, whatever the profile; without one of them there is the library
# alone.
include(cmake/late.cmake)
set(command_needs share url_api versions infos dates sessions)

set(mote_tool_before "")
if(WIN32) # headers of the port: what the system's own have too much in
  set(mote_tool_before src/port/windows/include)
endif()
add_library(mote_tool_objects OBJECT EXCLUDE_FROM_ALL ${MOTE_TOOL_SOURCES} cmake/empty.c)
target_include_directories(mote_tool_objects PRIVATE ${mote_tool_before} src include)
# where mote exec finds the installed libcurl.so.4
set(MOTE_DROPIN_INSTALL "mote-${PROJECT_VERSION_MAJOR}")
file(RELATIVE_PATH dropin_from_bin "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}/${MOTE_DROPIN_INSTALL}")
set_source_files_properties(src/tool/exec/exec.c PROPERTIES COMPILE_DEFINITIONS "MOTE_DROPIN_FROM_BIN=\"${dropin_from_bin}\"")
target_compile_options(mote_tool_objects PRIVATE -std=gnu11)
if(CMAKE_SIZEOF_VOID_P EQUAL 4 OR WIN32) # files of 2 GB and more, and of after 2038
  target_compile_definitions(mote_tool_objects PRIVATE _FILE_OFFSET_BITS=64 _TIME_BITS=64)
endif()
if(WIN32) # gmtime_r(); a printf() that knows ISO C's %lld; else <windows.h> brings the first Winsock along
  target_compile_definitions(mote_tool_objects PRIVATE _POSIX_THREAD_SAFE_FUNCTIONS __USE_MINGW_ANSI_STDIO=1 WIN32_LEAN_AND_MEAN
    CURL_STATICLIB)
endif()
target_link_libraries(mote_tool_objects PRIVATE mote_flags)
set(missing ${command_needs})
list(REMOVE_ITEM missing ${MOTE_PARTS})
if(missing)
  list(JOIN missing ", " missing)
  message(STATUS "The command is not built: it needs the parts ${missing}")
elseif(MOTE_TOOL_MAIN)
  add_executable(mote ${MOTE_TOOL_MAIN} $<TARGET_OBJECTS:mote_tool_objects>)
  set_target_properties(mote PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${MOTE_OUTPUT_DIR}")
  target_include_directories(mote PRIVATE ${mote_tool_before} src)
  target_compile_options(mote PRIVATE -std=gnu11)
  target_link_libraries(mote PRIVATE mote_flags)
  if(APPLE) # its linker asks where the function of OpenSSL is that show/graph.c refers to weakly
    target_link_options(mote PRIVATE -Wl,-undefined,dynamic_lookup)
  endif()
  if(MOTE_LATE AND NOT MOTE_SANITIZE)
    mote_link_late(mote)
  else()
    target_link_libraries(mote PRIVATE mote_static)
  endif()

  # build/mote-static: without any shared library. The linker's warnings about names in a static program are right:
  # the C library still loads what nsswitch.conf asks for.
  # The start of a static program registers its unwind tables if it finds that function, and since gcc 13 that sorts
  # all of them: 2,300,000 instructions before main(). Without the function the unwinder finds them by the program's
  # headers, as in any other program.
  if(mote_all_FOUND AND MOTE_UNISTRING_A AND NOT MOTE_SANITIZE)
    set(static_objects $<FILTER:$<TARGET_OBJECTS:mote_objects>,EXCLUDE,/auth/gss[.]c[.]>)
    add_executable(mote-static EXCLUDE_FROM_ALL ${MOTE_TOOL_MAIN} $<TARGET_OBJECTS:mote_tool_objects> ${static_objects}
      $<$<IN_LIST:gssapi,${MOTE_PARTS}>:${PROJECT_SOURCE_DIR}/cmake/static_gss.c>)
    set_target_properties(mote-static PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${MOTE_OUTPUT_DIR}")
    target_include_directories(mote-static PRIVATE src include)
    target_compile_options(mote-static PRIVATE -std=gnu11)
    target_link_options(mote-static PRIVATE -static -Wl,--no-warnings,--eh-frame-hdr
      -Wl,--defsym=__register_frame_info=0,--defsym=__deregister_frame_info=0)
    target_link_libraries(mote-static PRIVATE mote_flags ${mote_all_STATIC_LDFLAGS} ${MOTE_UNISTRING_A})
  endif()
endif()
