/* base/report.h: how a lower floor tells what went wrong, and what it is doing, without knowing to whom.
 *
 * The receiver keeps the first failure text of a transfer (CURLOPT_ERRORBUFFER); info lines go to
 * CURLOPT_DEBUGFUNCTION and are not even formatted when nobody listens.
 * Ownership: the struct is the receiver's; fmt is mote_format()'s (base/format.h).
 * Tests:     tests/unit/base/test_report.c */
#ifndef MOTE_BASE_REPORT_H
#define MOTE_BASE_REPORT_H

#include <stdarg.h>
#include <stdbool.h>

struct mote_report;

struct mote_report_ops {
  void (*fail)(struct mote_report *r, const char *fmt, va_list args); /* no newline at the end of fmt */
  void (*info)(struct mote_report *r, const char *fmt, va_list args);
};

struct mote_report {
  const struct mote_report_ops *ops; /* NULL: nobody listens */
  bool verbose;                      /* info lines are wanted */
};

/* r may be NULL for both. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void mote_fail(struct mote_report *r, const char *fmt, ...);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void mote_info(struct mote_report *r, const char *fmt, ...);

#endif
