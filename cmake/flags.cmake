# Compiler and linker flags that every target of ours gets.

option(MOTE_WERROR "Warnings are errors" OFF)
option(MOTE_COVERAGE "Count the lines, branches and decisions that are reached (clang; decisions: 18 or later)" OFF)
option(MOTE_INLINE "Inline the shared libraries' functions across files (cmake/inline.cmake)" ON)
set(MOTE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")
set(MOTE_HARDEN "" CACHE STRING "Hardening: some of stack, fortify, init, branch, bind; or all that this compiler has (docs/security.md)")

add_library(mote_flags INTERFACE)
target_compile_options(mote_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wvla
  -fvisibility=hidden -ffunction-sections -fdata-sections)
if(WIN32) # whose printf() has I64 for what ISO C has ll for (CURL_FORMAT_CURL_OFF_T)
  target_compile_options(mote_flags INTERFACE -Wno-pedantic-ms-format)
endif()
target_include_directories(mote_flags INTERFACE "${MOTE_GENERATED}")
# The padding ahead of functions and branch targets is 4 % of the library and saves no instruction. Loops stay aligned.
target_compile_options(mote_flags INTERFACE
  $<$<C_COMPILER_ID:GNU>:-fno-align-functions;-fno-align-jumps;-fno-align-labels>)
# Without part texts, what words a text has is only measured (MOTE_UNSAID): clang says of each such function that no
# code is needed.
target_compile_options(mote_flags INTERFACE $<$<C_COMPILER_ID:Clang>:-Wno-unneeded-internal-declaration>)
# What later versions of a library deprecate is used as long as an older one that has nothing else is supported:
# Debian 12 has OpenSSL 3.0 and libssh2 1.10.
target_compile_definitions(mote_flags INTERFACE OPENSSL_API_COMPAT=30000 LIBSSH2_DISABLE_DEPRECATION)
# What is built does not say in which folder: some macros of OpenSSL's have __FILE__, and -g has all paths. Debug builds
# keep them for debuggers; the log names files from src/ on (cmake/log.cmake).
if(NOT MOTE_LOG)
  target_compile_options(mote_flags INTERFACE
    "$<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.;-ffile-prefix-map=${PROJECT_BINARY_DIR}=./build>")
endif()
if(MOTE_WERROR)
  target_compile_options(mote_flags INTERFACE -Werror)
endif()
if(APPLE)
  target_link_options(mote_flags INTERFACE -Wl,-dead_strip)
else()
  target_link_options(mote_flags INTERFACE -Wl,-O1 -Wl,--as-needed -Wl,--gc-sections)
endif()

# Relative relocations are a bitmap instead of 24 bytes each: 27 KB of the library. The dynamic linker must know it.
include(CheckCSourceCompiles)
check_c_source_compiles("#include <features.h>
#if !defined(__x86_64__) || !__GLIBC_PREREQ(2, 36)
#error
#endif
int main(void) { return 0; }" MOTE_HAS_RELR)
if(MOTE_HAS_RELR AND NOT MOTE_SANITIZE)
  target_link_options(mote_flags INTERFACE -Wl,-z,pack-relative-relocs)
endif()

if(MOTE_SANITIZE)
  target_compile_options(mote_flags INTERFACE -fsanitize=${MOTE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(mote_flags INTERFACE -fsanitize=${MOTE_SANITIZE})
  if(MOTE_SANITIZE MATCHES "undefined")
    target_compile_options(mote_flags INTERFACE -fno-sanitize-recover=undefined)
  endif()
  # 165 unit tests are linked with all of the library, which takes gold half of the time.
  include(CheckLinkerFlag)
  check_linker_flag(C -fuse-ld=gold MOTE_HAS_GOLD)
  if(MOTE_HAS_GOLD AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_link_options(mote_flags INTERFACE -fuse-ld=gold)
  endif()
endif()

# What is counted goes to the file that LLVM_PROFILE_FILE names, when a program ends (tools/coverage.py).
if(MOTE_COVERAGE)
  include(CheckCCompilerFlag)
  check_c_compiler_flag("-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc" MOTE_HAS_MCDC)
  target_compile_options(mote_flags INTERFACE
    -fprofile-instr-generate -fcoverage-mapping $<$<BOOL:${MOTE_HAS_MCDC}>:-fcoverage-mcdc>)
  target_link_options(mote_flags INTERFACE -fprofile-instr-generate)
endif()

# What each kind of MOTE_HARDEN adds, to the link as well: functions are inlined across files there (cmake/inline.cmake).
# What it costs is measured in docs/security.md. _FORTIFY_SOURCE needs a compiler that optimises.
set(MOTE_HARDEN_stack -fstack-protector-strong)
set(MOTE_HARDEN_fortify -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
set(MOTE_HARDEN_init -ftrivial-auto-var-init=zero)
set(MOTE_HARDEN_branch -fcf-protection=full)
set(MOTE_HARDEN_bind -Wl,-z,relro,-z,now)
set(MOTE_HARDEN_FLAGS "") # of the compiler, for cmake/inline.cmake
if(MOTE_HARDEN)
  include(CheckCCompilerFlag)
  include(CheckLinkerFlag)
  set(known stack fortify init branch bind)
  set(kinds ${MOTE_HARDEN})
  if("all" IN_LIST kinds)
    set(kinds ${known})
  endif()
  foreach(kind IN LISTS kinds)
    if(NOT kind IN_LIST known)
      message(FATAL_ERROR "MOTE_HARDEN knows no kind ${kind}: stack, fortify, init, branch, bind, all")
    endif()
    if(kind STREQUAL "bind")
      check_linker_flag(C "${MOTE_HARDEN_bind}" MOTE_CAN_HARDEN_bind)
    else()
      string(REPLACE ";" " " flags "${MOTE_HARDEN_${kind}}")
      check_c_compiler_flag("${flags}" MOTE_CAN_HARDEN_${kind})
    endif()
    if(NOT MOTE_CAN_HARDEN_${kind})
      if("all" IN_LIST MOTE_HARDEN)
        continue()
      endif()
      message(FATAL_ERROR "This compiler has no ${MOTE_HARDEN_${kind}}, which MOTE_HARDEN=${kind} is")
    endif()
    if(kind STREQUAL "bind")
      target_link_options(mote_flags INTERFACE ${MOTE_HARDEN_bind})
    elseif(NOT kind STREQUAL "fortify" OR NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
      list(APPEND MOTE_HARDEN_FLAGS ${MOTE_HARDEN_${kind}})
    endif()
  endforeach()
  target_compile_options(mote_flags INTERFACE ${MOTE_HARDEN_FLAGS})
  target_link_options(mote_flags INTERFACE ${MOTE_HARDEN_FLAGS})
  list(JOIN MOTE_HARDEN_FLAGS " " MOTE_HARDEN_FLAGS)
endif()
