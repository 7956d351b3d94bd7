# HTTP/3 is in a build of everything wherever the machine has its libraries, of the versions that it was tested with.
# Elsewhere the build goes on without it and says why; -DMOTE_WITH=h3 insists, -DMOTE_WITHOUT=h3 leaves it out in silence.

# mote_http3(<profile> <with> <without> <port>): appends part h3 to the list of parts that is named `with`.
function(mote_http3 profile with without port)
  set(parts h3 ${MOTE_PART_h3_NEEDS})
  list(REMOVE_ITEM parts ${without} "")
  list(LENGTH parts left)
  list(LENGTH MOTE_PART_h3_NEEDS needs)
  mote_lacking(lacking "${port}" "")
  if(NOT profile STREQUAL "full" OR left LESS_EQUAL needs OR "h3" IN_LIST ${with} OR "h3" IN_LIST lacking)
    return()
  endif()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(MOTE_HTTP3 QUIET libngtcp2>=1.22 libngtcp2_crypto_ossl>=1.22 libnghttp3>=1.15 openssl>=3.5)
  if(MOTE_HTTP3_FOUND)
    set(${with} ${${with}} h3 PARENT_SCOPE)
  else()
    message(STATUS "HTTP/3 is off: needs libngtcp2_crypto_ossl 1.22, libnghttp3 1.15 and OpenSSL 3.5")
  endif()
endfunction()
