/* curl/curlver.h: which version of libcurl's interface this is.
 *
 * Mote's own version is in <mote/mote.h>. */
#ifndef CURLINC_CURLVER_H
#define CURLINC_CURLVER_H

#define LIBCURL_COPYRIGHT "The Mote project and its contributors"
#define LIBCURL_VERSION "8.23.0"
#define LIBCURL_VERSION_MAJOR 8
#define LIBCURL_VERSION_MINOR 23
#define LIBCURL_VERSION_PATCH 0

/* 0xXXYYZZ: major, minor and patch, eight bits each. */
#define LIBCURL_VERSION_NUM 0x081700

#define LIBCURL_TIMESTAMP "2026-11-21"

#define CURL_VERSION_BITS(x, y, z) ((x) << 16 | (y) << 8 | (z))

/* For #if: true when this interface is version x.y.z or later. */
#define CURL_AT_LEAST_VERSION(x, y, z) (LIBCURL_VERSION_NUM >= CURL_VERSION_BITS(x, y, z))

#endif
