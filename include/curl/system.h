/* curl/system.h: the 64-bit type curl_off_t and the socket length type, per platform.
 *
 * CURL_FORMAT_CURL_OFF_T  printf conversion without the %, signed ("ld")
 * CURL_FORMAT_CURL_OFF_TU the same, unsigned ("lu")
 * CURL_OFF_T_C(x)         a constant of that type
 * CURL_OFF_TU_C(x)        an unsigned constant of that width */
#ifndef CURLINC_SYSTEM_H
#define CURLINC_SYSTEM_H

#include <limits.h>

#if defined(_WIN32) && (defined(_MSC_VER) || defined(__MINGW32__))
#  define CURL_TYPEOF_CURL_OFF_T __int64
#  define CURL_FORMAT_CURL_OFF_T "I64d"
#  define CURL_FORMAT_CURL_OFF_TU "I64u"
#  define CURL_SUFFIX_CURL_OFF_T i64
#  define CURL_SUFFIX_CURL_OFF_TU ui64
#elif LONG_MAX > 2147483647L
#  define CURL_TYPEOF_CURL_OFF_T long
#  define CURL_FORMAT_CURL_OFF_T "ld"
#  define CURL_FORMAT_CURL_OFF_TU "lu"
#  define CURL_SUFFIX_CURL_OFF_T L
#  define CURL_SUFFIX_CURL_OFF_TU UL
#else
#  define CURL_TYPEOF_CURL_OFF_T long long
#  define CURL_FORMAT_CURL_OFF_T "lld"
#  define CURL_FORMAT_CURL_OFF_TU "llu"
#  define CURL_SUFFIX_CURL_OFF_T LL
#  define CURL_SUFFIX_CURL_OFF_TU ULL
#endif

#if defined(_WIN32)
#  define CURL_TYPEOF_CURL_SOCKLEN_T int
#else
#  include <sys/types.h>
#  include <sys/socket.h>
#  define CURL_TYPEOF_CURL_SOCKLEN_T socklen_t
#endif

/* __extension__ keeps `gcc -std=c89 -pedantic` quiet where the type is long long. */
#if defined(__GNUC__)
__extension__ typedef CURL_TYPEOF_CURL_OFF_T curl_off_t;
#else
typedef CURL_TYPEOF_CURL_OFF_T curl_off_t;
#endif
typedef CURL_TYPEOF_CURL_SOCKLEN_T curl_socklen_t;

#define CURL_SIZEOF_CURL_OFF_T 8

#define CURLINC_OFF_T_C_(value, suffix) value##suffix
#define CURLINC_OFF_T_C(value, suffix) CURLINC_OFF_T_C_(value, suffix)
#define CURL_OFF_T_C(value) CURLINC_OFF_T_C(value, CURL_SUFFIX_CURL_OFF_T)
#define CURL_OFF_TU_C(value) CURLINC_OFF_T_C(value, CURL_SUFFIX_CURL_OFF_TU)

#endif
