# make install-drop-in: the library as libcurl's development files, so that projects which look for libcurl build on it:
# libcurl.so.4 and its links, the headers, libcurl.pc, curl-config, CURLConfig.cmake. A component of its own, which
# make install leaves alone: it takes the place of another libcurl in its prefix.

file(STRINGS include/curl/curlver.h curl_lines REGEX "define LIBCURL_VERSION")
string(REGEX MATCH "LIBCURL_VERSION \"([0-9.]+)\"" MOTE_CURL_VERSION "${curl_lines}")
set(MOTE_CURL_VERSION "${CMAKE_MATCH_1}")
string(REGEX MATCH "LIBCURL_VERSION_NUM 0x([0-9a-f]+)" MOTE_CURL_VERNUM "${curl_lines}")
set(MOTE_CURL_VERNUM "${CMAKE_MATCH_1}")

# What curl_version_info() says of this build; tests/package compares.
mote_features(MOTE_CURL_FEATURES)
list(TRANSFORM MOTE_CURL_FEATURES REPLACE " .*$" "")
list(REMOVE_ITEM MOTE_CURL_FEATURES MultiSSL) # known at run time
mote_scheme_names(MOTE_CURL_PROTOCOLS)
list(TRANSFORM MOTE_CURL_PROTOCOLS TOUPPER)
set(MOTE_CURL_BACKENDS "")
foreach(pair "openssl OpenSSL" "bearssl BearSSL" "mbedtls mbedTLS" "wolfssl wolfSSL")
  separate_arguments(pair)
  list(GET pair 0 part)
  if(part IN_LIST MOTE_PARTS)
    list(GET pair 1 backend)
    list(APPEND MOTE_CURL_BACKENDS ${backend})
  endif()
endforeach()
list(JOIN MOTE_CURL_FEATURES " " MOTE_CURL_FEATURES)
list(JOIN MOTE_CURL_PROTOCOLS " " MOTE_CURL_PROTOCOLS)
list(JOIN MOTE_CURL_BACKENDS ", " MOTE_CURL_BACKENDS)

# The prefix is known when it is installed (cmake --install --prefix): install-drop-in.cmake then fills in the rest.
configure_file(cmake/install-drop-in.cmake.in "${PROJECT_BINARY_DIR}/install-drop-in.cmake" @ONLY)
install(SCRIPT "${PROJECT_BINARY_DIR}/install-drop-in.cmake" COMPONENT drop-in EXCLUDE_FROM_ALL)
