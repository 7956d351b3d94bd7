# The shared libraries have their files' functions inlined across files (GCC's -flto): a tenth fewer instructions for a
# small request, and 30 of 650 KB. In one piece, since that saves 7 KB more; linking takes some seconds of one processor.
# Archives, tests and instrumented builds have the ordinary objects, so that the files are compiled twice; with MOTE_INLINE
# off all have them, as in builds that are only tested.

# Sets `out` to the objects of the shared libraries.
function(mote_inlined_objects out)
  set(objects $<TARGET_OBJECTS:mote_objects>)
  if(MOTE_INLINE AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT MOTE_LOG AND NOT MOTE_SANITIZE)
    add_library(mote_inlined OBJECT ${MOTE_SOURCES})
    target_include_directories(mote_inlined PRIVATE src include)
    target_compile_definitions(mote_inlined PRIVATE MOTE_BUILDING)
    target_compile_options(mote_inlined PRIVATE -std=c11 -flto)
    target_link_libraries(mote_inlined PRIVATE mote_flags mote_depends)
    set(objects $<TARGET_OBJECTS:mote_inlined>)
  endif()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()
