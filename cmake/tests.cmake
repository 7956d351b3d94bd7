# Unit tests: every tests/unit/<folder>/test_<module>.c is a program of its own, linked with the static library.
# Lines "needs: path.c path.c" (paths from the repository's root) in the test's head comment add sources;
# tests in tests/unit/tool get the command's objects, main.c excepted. A build leaves out the tests of modules that it
# does not have, and those that say "Needs <part>, !<part>." when that part is missing, or is there ("accounts" is
# part account); "links: ssl crypto nghttp2" is for tests whose own code needs more than the library does.
# "stand-in: tests/kqueue" puts a folder of headers of another system in front; such a test is for Linux.
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

# Sets `out` to whether a test is one of this build: `extra` are the sources that it adds.
function(mote_test_belongs out test extra)
  set(${out} OFF PARENT_SCOPE)
  string(REGEX REPLACE "/tests/unit/([^/]+)/test_([^/]+)$" "/src/\\1;\\2" module "${test}")
  list(GET module 0 floor)
  list(GET module 1 name)
  file(GLOB module "${floor}/${name}" "${floor}/*/${name}") # in the folder, or one of its rooms
  if(module AND NOT module MATCHES "/src/(port|tool)/" AND NOT module IN_LIST MOTE_SOURCES AND NOT module IN_LIST extra)
    string(REGEX REPLACE "^.*/(src/.*)[.]c$" "\\1[.]c" itself "${module}")
    file(STRINGS "${test}" itself LIMIT_COUNT 1 REGEX "#include .*/${itself}")
    if(NOT itself)
      return()
    endif()
  endif()
  mote_has_parts(has "${test}")
  set(${out} ${has} PARENT_SCOPE)
endfunction()

# Sets `out` to whether this build has the parts that a test or a fuzzer needs, and not those that it must not have.
function(mote_has_parts out test)
  set(${out} OFF PARENT_SCOPE)
  file(STRINGS "${test}" cut LIMIT_COUNT 20 REGEX "Needs$")
  if(cut)
    message(FATAL_ERROR "${test}: \"Needs\" and its parts belong on one line")
  endif()
  file(STRINGS "${test}" lines LIMIT_COUNT 20 REGEX "Needs [a-z!]")
  string(REGEX MATCHALL "Needs [a-z0-9_!, ]+[.]" needs "${lines}")
  string(REGEX REPLACE "Needs |[;.,]" " " needs "${needs}")
  separate_arguments(needs UNIX_COMMAND "${needs}")
  foreach(part IN LISTS needs)
    if(part STREQUAL "accounts")
      set(part account)
    endif()
    string(REGEX REPLACE "^!" "" absent "${part}")
    if(NOT absent IN_LIST MOTE_ALL_PARTS)
      message(FATAL_ERROR "${test} needs ${part}, which is no part")
    elseif((part STREQUAL absent AND NOT part IN_LIST MOTE_PARTS) OR (NOT part STREQUAL absent AND absent IN_LIST MOTE_PARTS))
      return()
    endif()
  endforeach()
  set(${out} ON PARENT_SCOPE)
endfunction()

add_custom_target(unit-tests)
set(unit_tests "") # unit-tests.txt: what tools/check.py runs
foreach(test IN LISTS MOTE_UNIT_TESTS)
  get_filename_component(name "${test}" NAME_WE)
  get_filename_component(dir "${test}" DIRECTORY)
  get_filename_component(folder "${dir}" NAME)
  mote_needs(extra "${test}")
  mote_test_belongs(belongs "${test}" "${extra}")
  file(STRINGS "${test}" stand_in LIMIT_COUNT 1 REGEX "^ [*] stand-in: ")
  string(REGEX REPLACE "^ [*] stand-in: ([a-z0-9_/]+).*$" "\\1" stand_in "${stand_in}")
  if(NOT belongs OR (folder STREQUAL "tool" AND NOT TARGET mote) OR (stand_in AND NOT CMAKE_SYSTEM_NAME STREQUAL "Linux"))
    continue()
  endif()
  file(STRINGS "${test}" links LIMIT_COUNT 1 REGEX "links: ")
  string(REGEX MATCHALL "[a-z0-9]+" links "${links}")
  list(FILTER links INCLUDE REGEX "^(ssl|crypto|nghttp2)$")
  set(target "unit_${folder}_${name}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${test}")
  if(folder STREQUAL "tool")
    list(APPEND extra $<TARGET_OBJECTS:mote_tool_objects>)
  endif()
  add_executable(${target} EXCLUDE_FROM_ALL "${test}" ${extra})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${name}"
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unit/${folder}")
  target_include_directories(${target} PRIVATE ${stand_in} ${MOTE_INCLUDES} include tests/unit)
  target_compile_definitions(${target} PRIVATE
    MOTE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/unit/${folder}/data" MOTE_TEST_PORT="${mote_port}")
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
  target_include_directories(${name} PRIVATE ${MOTE_INCLUDES} include tests/unit)
  target_compile_options(${name} PRIVATE -std=gnu11)
  target_link_libraries(${name} PRIVATE mote_flags mote_static)
  add_dependencies(thread-tests ${name})
endforeach()

# Hostile text: tests/hostile_text, for the preset "asan" (and without): build/<preset>/hostile_text.
file(GLOB hostile_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/hostile_text/*.c")
if(hostile_sources) # a package of the sources may be without tests
  add_executable(hostile-text EXCLUDE_FROM_ALL ${hostile_sources})
  set_target_properties(hostile-text PROPERTIES OUTPUT_NAME hostile_text RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  target_compile_options(hostile-text PRIVATE -std=gnu11)
  target_link_libraries(hostile-text PRIVATE mote_flags mote_static ssl crypto nghttp2)
endif()

# The library in a world without a kernel: tests/sim on src/port/sim (build/<preset>/sim). The port's objects come first,
# and the static library's own port stays in the archive: what runs is what everyone gets.
file(GLOB sim_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/sim/*.c")
file(GLOB sim_port CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/port/sim/*.c")
if(sim_sources AND mote_port STREQUAL "linux" AND MOTE_PROFILE STREQUAL "full" AND NOT MOTE_LOG)
  add_executable(sim EXCLUDE_FROM_ALL ${sim_sources} ${sim_port})
  set_target_properties(sim PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  target_include_directories(sim PRIVATE ${MOTE_INCLUDES} include)
  target_compile_options(sim PRIVATE -std=gnu11)
  target_compile_definitions(sim PRIVATE MOTE_BUILDING _GNU_SOURCE)
  target_link_libraries(sim PRIVATE mote_flags mote_static)
endif()

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

# Fuzz targets (preset "fuzz", clang): build/fuzz/fuzz/<name>. "needs: " adds sources and "Needs" leaves out, as in unit
# tests.
add_custom_target(fuzzers)
set(fuzzers "") # fuzzers.txt: what tools/check.py runs
if(MOTE_SANITIZE MATCHES "fuzzer")
  foreach(fuzzer IN LISTS MOTE_FUZZERS)
    get_filename_component(name "${fuzzer}" NAME_WE)
    mote_needs(extra "${fuzzer}")
    mote_has_parts(belongs "${fuzzer}")
    if(NOT belongs)
      continue()
    endif()
    add_executable(${name} EXCLUDE_FROM_ALL "${fuzzer}" ${extra})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    target_include_directories(${name} PRIVATE ${MOTE_INCLUDES} include)
    target_compile_options(${name} PRIVATE -std=gnu11)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${name} PRIVATE mote_flags mote_static)
    add_dependencies(fuzzers ${name})
    string(APPEND fuzzers "${name}\n")
  endforeach()
  file(WRITE "${PROJECT_BINARY_DIR}/fuzzers.txt" "${fuzzers}")
endif()
