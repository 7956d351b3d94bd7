/* curl/mprintf.h: printf functions that do the same on every platform; see curl_mprintf(3).
 *
 * Conversions: d i u o x X c s p e E f F g G a A and %%; flags - + space # 0; width and precision, by * too;
 * sizes hh h l ll q j z t L, and O for curl_off_t; positional arguments (%2$s). %n stores nothing.
 * The functions return the number of bytes written, or -1 on an error. */
#ifndef CURLINC_MPRINTF_H
#define CURLINC_MPRINTF_H

#include <stdarg.h>
#include <stdio.h>

#include "curl.h"

#if defined(__GNUC__) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L && \
    !defined(CURL_NO_FMT_CHECKS)
#  define CURLINC_PRINTF(fmt, arg) __attribute__((__format__(__printf__, fmt, arg)))
#else
#  define CURLINC_PRINTF(fmt, arg)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* To standard output, to a stream. */
CURL_EXTERN int curl_mprintf(const char *format, ...) CURLINC_PRINTF(1, 2);
CURL_EXTERN int curl_mfprintf(FILE *fd, const char *format, ...) CURLINC_PRINTF(2, 3);

/* To a buffer that is known to be large enough. */
CURL_EXTERN int curl_msprintf(char *buffer, const char *format, ...) CURLINC_PRINTF(2, 3);

/* To a buffer of maxlength bytes. The text is cut so that it and its NUL fit; the length of what was
 * stored is returned, not of what did not fit. */
CURL_EXTERN int curl_msnprintf(char *buffer, size_t maxlength, const char *format, ...) CURLINC_PRINTF(3, 4);

CURL_EXTERN int curl_mvprintf(const char *format, va_list args) CURLINC_PRINTF(1, 0);
CURL_EXTERN int curl_mvfprintf(FILE *fd, const char *format, va_list args) CURLINC_PRINTF(2, 0);
CURL_EXTERN int curl_mvsprintf(char *buffer, const char *format, va_list args) CURLINC_PRINTF(2, 0);
CURL_EXTERN int curl_mvsnprintf(char *buffer, size_t maxlength, const char *format, va_list args)
  CURLINC_PRINTF(3, 0);

/* To a new string, for curl_free(). NULL when memory ran out or the format is wrong. */
CURL_EXTERN char *curl_maprintf(const char *format, ...) CURLINC_PRINTF(1, 2);
CURL_EXTERN char *curl_mvaprintf(const char *format, va_list args) CURLINC_PRINTF(1, 0);

#ifdef __cplusplus
}
#endif

#undef CURLINC_PRINTF

#endif
