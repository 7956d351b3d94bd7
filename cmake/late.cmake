# The command loads the libraries below ours when it needs them, since most runs need none (src/tool/late/late.c).
# Where there are no stubs for a platform, and with sanitizers, it is linked with them as any program is.

set(MOTE_LATE_PACKAGES libssl libcrypto zlib libbrotlidec libzstd libidn2 libpsl krb5-gssapi libnghttp2 libssh2 libngtcp2
  libngtcp2_crypto_ossl libnghttp3)
set(mote_late_default OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND CMAKE_SIZEOF_VOID_P EQUAL 8
   AND CMAKE_NM AND CMAKE_READELF)
  set(mote_late_default ON)
endif()
option(MOTE_LATE "The command loads TLS, decoders and international names when it needs them" ${mote_late_default})

# The files of a package's shared libraries; empty if it has another kind.
function(mote_shared_files out package)
  if(package STREQUAL "libssl")
    set(files "${OPENSSL_SSL_LIBRARY}")
  elseif(package STREQUAL "libcrypto")
    set(files "${OPENSSL_CRYPTO_LIBRARY}")
  elseif(package STREQUAL "zlib")
    set(files "${ZLIB_LIBRARY_RELEASE}")
  else()
    set(files "${${package}_LINK_LIBRARIES}")
  endif()
  list(FILTER files INCLUDE REGEX "[.]so$")
  set(${out} "${files}" PARENT_SCOPE)
endfunction()

# mote_add_stubs(<target> <library files...>)
function(mote_add_stubs target)
  set(names "${PROJECT_BINARY_DIR}/late/late_names.inc")
  set(script "${PROJECT_SOURCE_DIR}/cmake/late_names.cmake")
  add_custom_command(OUTPUT "${names}"
    COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DREADELF=${CMAKE_READELF}
      "-DCALLERS=$<TARGET_FILE:mote_static>;$<TARGET_OBJECTS:mote_tool_objects>"
      "-DLIBRARIES=${ARGN}" "-DOUT=${names}" -P "${script}"
    DEPENDS mote_static $<TARGET_OBJECTS:mote_tool_objects> "${script}" VERBATIM)
  # on their own, since the checks of our objects would take the stubs for functions of ours
  add_library(mote_stubs OBJECT EXCLUDE_FROM_ALL src/tool/late/stubs.c "${names}")
  target_include_directories(mote_stubs PRIVATE "${PROJECT_BINARY_DIR}/late")
  target_link_libraries(mote_stubs PRIVATE mote_flags)
  target_sources(${target} PRIVATE src/tool/late/late.c "${names}" $<TARGET_OBJECTS:mote_stubs>)
  target_include_directories(${target} PRIVATE "${PROJECT_BINARY_DIR}/late")
endfunction()

# mote_link_late(<target>): with our library, and with stubs in place of those that can be loaded late.
function(mote_link_late target)
  set(files "")
  set(linked ${MOTE_LINKED})
  foreach(package IN LISTS MOTE_PACKAGES)
    mote_shared_files(shared ${package})
    if(shared AND package IN_LIST MOTE_LATE_PACKAGES)
      list(APPEND files ${shared})
      list(REMOVE_ITEM linked ${MOTE_TARGET_${package}})
    endif()
  endforeach()
  if(files)
    mote_add_stubs(${target} ${files})
  endif()
  # by its file: the target brings the libraries along
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "$<TARGET_FILE:mote_static>")
  add_dependencies(${target} mote_static)
  target_include_directories(${target} PRIVATE include)
  target_link_libraries(${target} PRIVATE "$<TARGET_FILE:mote_static>" ${linked} ${CMAKE_DL_LIBS})
endfunction()
