# The shared libraries have their files' functions inlined across files (GCC's -flto): a tenth fewer instructions for a
# small request, and 30 of 650 KB. In one piece, since that saves 7 KB more: one object, made once by some seconds of
# one processor (cmake/inline_link.cmake) and linked into each of them. Archives, tests and instrumented builds have the
# ordinary objects, so that the files are compiled twice; with MOTE_INLINE off all have them, as in builds that are only
# tested. What -g makes GCC note of each file would be missing in that object: with it, each library is inlined for itself.
# The file of curl_global_sslset() is an ordinary object everywhere: libcurl-gnutls has another.

# Sets `out` to the objects of the shared libraries, and `own` to that of the file in which they may differ.
function(mote_inlined_objects out own)
  set(file "/src/api/library/sslset[.]c")
  set(last "$<FILTER:$<TARGET_OBJECTS:mote_objects>,INCLUDE,${file}>")
  set(${own} "${last}" PARENT_SCOPE)
  set(${out} "$<FILTER:$<TARGET_OBJECTS:mote_objects>,EXCLUDE,${file}>" PARENT_SCOPE)
  if(MOTE_INLINE AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT MOTE_LOG AND NOT MOTE_SANITIZE)
    set(sources ${MOTE_SOURCES})
    list(FILTER sources EXCLUDE REGEX "${file}$")
    add_library(mote_inlined OBJECT ${sources})
    target_include_directories(mote_inlined PRIVATE ${MOTE_INCLUDES} include)
    target_compile_definitions(mote_inlined PRIVATE MOTE_BUILDING)
    target_compile_options(mote_inlined PRIVATE -std=c11 -flto)
    target_link_libraries(mote_inlined PRIVATE mote_flags mote_depends)
    if("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_RELEASE}" MATCHES "(^| )-g")
      set(${out} $<TARGET_OBJECTS:mote_inlined> PARENT_SCOPE)
      return()
    endif()
    set(made "${PROJECT_BINARY_DIR}/inlined.o")
    file(GENERATE OUTPUT "${made}.list" CONTENT "$<JOIN:$<TARGET_OBJECTS:mote_inlined>;${last},\n>\n")
    add_custom_command(OUTPUT "${made}"
      COMMAND "${CMAKE_COMMAND}" "-DCC=${CMAKE_C_COMPILER}" "-DFLAGS=${CMAKE_C_FLAGS} ${MOTE_HARDEN_FLAGS}" "-DMADE=${made}"
        -P "${PROJECT_SOURCE_DIR}/cmake/inline_link.cmake"
      DEPENDS "$<TARGET_OBJECTS:mote_inlined>" "${last}" "${made}.list" "${PROJECT_SOURCE_DIR}/cmake/inline_link.cmake"
      COMMENT "Inlining across files" VERBATIM COMMAND_EXPAND_LISTS)
    add_custom_target(mote_inlined_object DEPENDS "${made}")
    set(${out} "${made}" PARENT_SCOPE)
  endif()
endfunction()
