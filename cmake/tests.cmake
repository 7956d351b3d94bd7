# Unit tests: every tests/unit/<folder>/test_<module>.c is a program of its own, linked with the static library.
# Lines "needs: path.c path.c" (paths from the repository's root) in the test's head comment add sources;
# tests in tests/unit/tool get the command's objects, main.c excepted. A build without part account
# leaves out the tests that say "Needs accounts", one without a TLS library those that say "Needs openssl", "Needs
# bearssl", "Needs mbedtls" or "Needs wolfssl", one without HTTP/2 or SSH those that say "Needs h2" or "Needs ssh"; "links: ssl crypto nghttp2" is for tests whose own code needs more than the library does.
# Examples compile with the public headers alone.

# Sets `out` to the sources that "needs: " in a test or a fuzzer adds.
function(mote_needs out file)
  file(STRINGS "${file}" needs REGEX "^ \\* needs: ")
  set(extra "")
  if(needs MATCHES "needs: (.*)")
    string(REGEX MATCHALL "[A-Za-z0-9_./-]+\\.c" extra "${CMAKE_MATCH_1}")
    list(TRANSFORM extra PREPEND "${PROJECT_SOURCE_DIR}/")
  endif()
  set(${out} "${extra}" PARENT_SCOPE)
endfunction()

add_custom_target(unit-tests)
set(unit_tests "") # unit-tests.txt: what tools/check.py runs
foreach(test IN LISTS MOTE_UNIT_TESTS)
  get_filename_component(name "${test}" NAME_WE)
  get_filename_component(dir "${test}" DIRECTORY)
  get_filename_component(folder "${dir}" NAME)
  file(STRINGS "${test}" counted LIMIT_COUNT 1 REGEX "Needs accounts")
  if(counted AND NOT "account" IN_LIST MOTE_PARTS)
    continue()
  endif()
  file(STRINGS "${test}" backend LIMIT_COUNT 1 REGEX "Needs (openssl|bearssl|mbedtls|wolfssl|h2|ssh)")
  string(REGEX REPLACE ".*Needs (openssl|bearssl|mbedtls|wolfssl|h2|ssh).*" "\\1" backend "${backend}")
  if((backend AND NOT backend IN_LIST MOTE_PARTS) OR (folder STREQUAL "tool" AND NOT TARGET mote))
    continue()
  endif()
  file(STRINGS "${test}" links LIMIT_COUNT 1 REGEX "links: ")
  string(REGEX MATCHALL "[a-z0-9]+" links "${links}")
  list(FILTER links INCLUDE REGEX "^(ssl|crypto|nghttp2)$")
  set(target "unit_${folder}_${name}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${test}")
  mote_needs(extra "${test}")
  if(folder STREQUAL "tool")
    list(APPEND extra $<TARGET_OBJECTS:mote_tool_objects>)
  endif()
  add_executable(${target} EXCLUDE_FROM_ALL "${test}" ${extra})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${name}"
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unit/${folder}")
  target_include_directories(${target} PRIVATE src include tests/unit)
  target_compile_definitions(${target} PRIVATE
    MOTE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/unit/${folder}/data")
  # a test runs for milliseconds, and would take the compiler three times as long as a file of the library
  target_compile_options(${target} PRIVATE -std=gnu11 -O0)
  target_link_libraries(${target} PRIVATE mote_flags mote_static ${links})
  add_dependencies(unit-tests ${target})
  string(APPEND unit_tests "${folder}/${name}\n")
endforeach()
file(WRITE "${PROJECT_BINARY_DIR}/unit-tests.txt" "${unit_tests}")

# Threads: every tests/threads/test_<what>.c, for the preset "tsan" (and without): build/<preset>/threads/<name>.
add_custom_target(thread-tests)
file(GLOB thread_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/threads/test_*.c")
foreach(test IN LISTS thread_tests)
  get_filename_component(name "${test}" NAME_WE)
  add_executable(${name} EXCLUDE_FROM_ALL "${test}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/threads")
  target_include_directories(${name} PRIVATE src include tests/unit)
  target_compile_options(${name} PRIVATE -std=gnu11)
  target_link_libraries(${name} PRIVATE mote_flags mote_static)
  add_dependencies(thread-tests ${name})
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

# Fuzz targets (preset "fuzz", clang): build/fuzz/fuzz/<name>. "needs: " adds sources, as in unit tests.
add_custom_target(fuzzers)
if(MOTE_SANITIZE MATCHES "fuzzer")
  foreach(fuzzer IN LISTS MOTE_FUZZERS)
    get_filename_component(name "${fuzzer}" NAME_WE)
    mote_needs(extra "${fuzzer}")
    add_executable(${name} EXCLUDE_FROM_ALL "${fuzzer}" ${extra})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    target_include_directories(${name} PRIVATE src include)
    target_compile_options(${name} PRIVATE -std=gnu11)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${name} PRIVATE mote_flags mote_static)
    add_dependencies(fuzzers ${name})
  endforeach()
endif()
