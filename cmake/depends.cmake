# What the library links with.

find_package(PkgConfig REQUIRED)

# What the parts of this build need, by pkg-config's names: also for mote.pc.
set(MOTE_PACKAGES "")
foreach(part IN LISTS MOTE_PARTS)
  list(APPEND MOTE_PACKAGES ${MOTE_PART_${part}_PACKAGES})
endforeach()
list(REMOVE_DUPLICATES MOTE_PACKAGES)
list(JOIN MOTE_PACKAGES " " MOTE_PC_REQUIRES)

# The imported target of a package: CMake's own where it has one, for those who build with the CMake package.
set(MOTE_TARGET_libssl OpenSSL::SSL)
set(MOTE_TARGET_libcrypto OpenSSL::Crypto)
set(MOTE_TARGET_zlib ZLIB::ZLIB)
if("libssl" IN_LIST MOTE_PACKAGES)
  find_package(OpenSSL 3.0 REQUIRED)
endif()
if("zlib" IN_LIST MOTE_PACKAGES)
  find_package(ZLIB REQUIRED)
endif()
set(MOTE_LINKED "")
foreach(package IN LISTS MOTE_PACKAGES)
  if(NOT DEFINED MOTE_TARGET_${package})
    pkg_check_modules(${package} REQUIRED IMPORTED_TARGET ${package})
    set(MOTE_TARGET_${package} PkgConfig::${package})
  endif()
  list(APPEND MOTE_LINKED ${MOTE_TARGET_${package}})
endforeach()
# Those that pkg-config does not know, by their names.
set(MOTE_PC_LIBS "")
foreach(part IN LISTS MOTE_PARTS)
  foreach(library IN LISTS MOTE_PART_${part}_LIBRARIES)
    find_library(MOTE_LIBRARY_${library} ${library} REQUIRED)
    list(APPEND MOTE_LINKED ${library})
    string(APPEND MOTE_PC_LIBS " -l${library}")
  endforeach()
endforeach()
# Of the system: what the port names, else the library of POSIX threads.
if(MOTE_PORT_${mote_port}_LIBRARIES)
  list(APPEND MOTE_LINKED ${MOTE_PORT_${mote_port}_LIBRARIES})
  foreach(library IN LISTS MOTE_PORT_${mote_port}_LIBRARIES)
    string(APPEND MOTE_PC_LIBS " -l${library}")
  endforeach()
else()
  string(APPEND MOTE_PC_LIBS " -pthread")
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  list(APPEND MOTE_LINKED Threads::Threads)
endif()

add_library(mote_depends INTERFACE)
target_link_libraries(mote_depends INTERFACE ${MOTE_LINKED})

# A static library hands its needs on to the target that links it.
function(mote_public_depends target)
  target_link_libraries(${target} PUBLIC ${MOTE_LINKED})
endfunction()

# The same as static libraries, for a command that needs no other file (target mote-static).
# Of MIT krb5 there is no archive in Debian (cmake/static_gss.c).
set(archives ${MOTE_PACKAGES})
list(REMOVE_ITEM archives krb5-gssapi)
if(archives)
  pkg_check_modules(mote_all QUIET ${archives})
endif()
find_library(MOTE_UNISTRING_A libunistring.a)
