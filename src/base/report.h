/* base/report.h: how lower floors report what went wrong and what they are doing, without knowing the
 * receiver.
 *
 * The receiver keeps the first failure text of a transfer (CURLOPT_ERRORBUFFER). Info lines go to
 * CURLOPT_DEBUGFUNCTION and are not even formatted unless they are wanted. Without the part texts (info
 * lines: verbose) the texts are not in the build, and their arguments are not evaluated.
 *
 * Ownership: the struct is the receiver's; fmt is mote_format()'s (base/text/format.h).
 * Tests:     tests/unit/base/test_report.c */
#ifndef MOTE_BASE_REPORT_H
#define MOTE_BASE_REPORT_H

#include <stdarg.h>
#include <stdbool.h>

#include "parts.h"

struct mote_report;

struct mote_report_ops {
  void (*fail)(struct mote_report *r, const char *fmt, va_list args); /* no newline at the end of fmt */
  void (*info)(struct mote_report *r, const char *fmt, va_list args);
};

struct mote_report {
  const struct mote_report_ops *ops; /* NULL: nothing is reported */
  bool verbose;                      /* info lines are wanted */
};

#if defined(__GNUC__)
#define MOTE_REPORT_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define MOTE_REPORT_PRINTF
#endif

int mote_report_unsaid(struct mote_report *r, const char *fmt, ...) MOTE_REPORT_PRINTF; /* defined nowhere,
                                                                                           for its types
                                                                                           alone */
#define MOTE_UNSAID(...) ((void)sizeof(mote_report_unsaid(__VA_ARGS__)))

/* Report why a transfer fails, and what happens. r may be NULL. */
void mote_fail(struct mote_report *r, const char *fmt, ...) MOTE_REPORT_PRINTF;
void mote_info(struct mote_report *r, const char *fmt, ...) MOTE_REPORT_PRINTF;

#if !MOTE_HAS_TEXTS
#define mote_fail(...) MOTE_UNSAID(__VA_ARGS__)
#endif
#if !MOTE_HAS_VERBOSE
#define mote_info(...) MOTE_UNSAID(__VA_ARGS__)
#endif

/* Reports why a transfer fails, and is the code that it fails with. */
#define mote_fail_as(rc, ...) (mote_fail(__VA_ARGS__), (CURLcode)(rc))

#endif
