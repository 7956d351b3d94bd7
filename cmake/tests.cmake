# Unit tests: every tests/unit/<folder>/test_<module>.c is a program of its own, linked with the static library.
# A line "needs: path.c path.c" (paths from the repository's root) in the test's head comment adds sources;
# tests in tests/unit/tool get the command's objects, main.c excepted.
# Examples compile with the public headers alone.

add_custom_target(unit-tests)
foreach(test IN LISTS MOTE_UNIT_TESTS)
  get_filename_component(name "${test}" NAME_WE)
  get_filename_component(dir "${test}" DIRECTORY)
  get_filename_component(folder "${dir}" NAME)
  set(target "unit_${folder}_${name}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${test}")
  file(STRINGS "${test}" needs LIMIT_COUNT 1 REGEX "needs: ")
  set(extra "")
  if(needs MATCHES "needs: (.*)")
    string(REGEX MATCHALL "[A-Za-z0-9_./-]+\\.c" extra "${CMAKE_MATCH_1}")
    list(TRANSFORM extra PREPEND "${PROJECT_SOURCE_DIR}/")
  endif()
  if(folder STREQUAL "tool")
    list(APPEND extra $<TARGET_OBJECTS:mote_tool_objects>)
  endif()
  add_executable(${target} EXCLUDE_FROM_ALL "${test}" ${extra})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${name}"
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unit/${folder}")
  target_include_directories(${target} PRIVATE src include tests/unit)
  target_compile_definitions(${target} PRIVATE
    MOTE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/unit/${folder}/data")
  target_compile_options(${target} PRIVATE -std=gnu11)
  target_link_libraries(${target} PRIVATE mote_flags mote_static)
  add_dependencies(unit-tests ${target})
endforeach()

add_custom_target(examples)
foreach(example IN LISTS MOTE_EXAMPLES)
  get_filename_component(name "${example}" NAME_WE)
  add_executable(example_${name} EXCLUDE_FROM_ALL "${example}")
  set_target_properties(example_${name} PROPERTIES OUTPUT_NAME "${name}"
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
  target_compile_options(example_${name} PRIVATE -std=gnu11)
  target_link_libraries(example_${name} PRIVATE mote_flags mote_shared)
  add_dependencies(examples example_${name})
endforeach()

# Fuzz targets (preset "fuzz", clang): build/fuzz/fuzz/<name>.
add_custom_target(fuzzers)
if(MOTE_SANITIZE MATCHES "fuzzer")
  foreach(fuzzer IN LISTS MOTE_FUZZERS)
    get_filename_component(name "${fuzzer}" NAME_WE)
    add_executable(${name} EXCLUDE_FROM_ALL "${fuzzer}")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    target_include_directories(${name} PRIVATE src include)
    target_compile_options(${name} PRIVATE -std=gnu11)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${name} PRIVATE mote_flags mote_static)
    add_dependencies(fuzzers ${name})
  endforeach()
endif()
