/* base/text/format.h: printf into anything that takes bytes.
 *
 * One formatter for the whole library, the public curl_m*printf functions included: no locale, no memory.
 *
 *   conversions  d i u o x X c s S p e E f F g G a A %      (S: s in double quotes, as # does); a
 *                directive with any other is text
 *   flags        - + space # 0
 *   width        digits, * or *m$; a negative argument means left-adjusted
 *   precision    . and digits, *, *m$; a negative argument means none
 *   sizes        l ll q j z t L and O (curl_off_t); h and hh mean an int; on Windows I64, as
 *                CURL_FORMAT_CURL_OFF_T has it there
 *   positions    %m$: for all arguments or for none; no gaps; at most MOTE_FORMAT_ARGS of them
 *
 * Differences from C's printf, all of them libcurl's: a NULL string is "(nil)", or nothing with a precision
 * under 5; a NULL pointer is "(nil)", at the other side of its field; %n takes its argument and stores
 * nothing; a string shorter than its precision is padded as if it were that long; 0 pads integers, with a
 * precision too, and nothing else; + and space hold for unsigned numbers and pointers; 0 has its 0x. l
 * changes nothing for c and s: there are no wide characters.
 *
 * Floats are made by base/text/format_float.c out of the platform's snprintf; a build that links
 * base/text/format_nofloat.c in its place refuses them.
 *
 * Failure: -1 for a wrong format, a length over INT_MAX, or a sink that returned false. What was written
 *          before stays written. With positions, a wrong format writes nothing.
 * Tests:   tests/unit/base/test_format.c */
#ifndef MOTE_BASE_TEXT_FORMAT_H
#define MOTE_BASE_TEXT_FORMAT_H

#include <curl/curl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct mote_buf;
struct mote_out;

#define MOTE_FORMAT_ARGS 32

#if defined(__GNUC__)
#define MOTE_PRINTF(fmt, arg) __attribute__((__format__(__printf__, fmt, arg)))
#else
#define MOTE_PRINTF(fmt, arg)
#endif

/* Takes len bytes (more than 0), or returns false to stop. */
typedef bool (*mote_format_sink)(void *ctx, const char *bytes, size_t len);

/* Returns the number of bytes that went to the sink, or -1. args is used up as by vprintf. */
int mote_format(mote_format_sink sink, void *ctx, const char *fmt, va_list args) MOTE_PRINTF(3, 0);

/* Writes at most size bytes, the NUL included, and cuts off what does not fit. Returns the length of what is
 * there, as curl_msnprintf(3) does and C's snprintf does not; -1: wrong format. size 0: nothing is stored, no
 * NUL. */
int mote_snprintf(char *out, size_t size, const char *fmt, ...) MOTE_PRINTF(3, 4);
int mote_vsnprintf(char *out, size_t size, const char *fmt, va_list args) MOTE_PRINTF(3, 0);

/* Appends to the buffer (base/buf.h). CURLE_BAD_FUNCTION_ARGUMENT: wrong format; and those of
 * mote_buf_add(). */
CURLcode mote_buf_addf(struct mote_buf *b, const char *fmt, ...) MOTE_PRINTF(2, 3);
/* Writes all of it or nothing (base/out.h). */
void mote_out_format(struct mote_out *o, const char *fmt, ...) MOTE_PRINTF(2, 3);

/* For base/text/format.c only: the digits of a float, without width. out has MOTE_FORMAT_FLOAT_SIZE bytes.
 * conversion: one of e E f F g G a A; precision: -1 for the default, cut at MOTE_FORMAT_FLOAT_DIGITS.
 * Returns the length, or -1 where floats are left out. */
#define MOTE_FORMAT_FLOAT_DIGITS 100
#define MOTE_FORMAT_FLOAT_SIZE (MOTE_FORMAT_FLOAT_DIGITS + 320)
struct mote_float_style {
  char conversion;
  int precision;
  bool plus;      /* a sign for positive numbers too */
  bool space;     /* a blank in its place */
  bool alternate; /* always a radix point */
};
int mote_format_float(char *out, const struct mote_float_style *style, double value);

#endif
