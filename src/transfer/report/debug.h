/* transfer/report/debug.h: what a transfer reports through the debug callback.
 *
 * Tests: tests/e2e/test_debug.py, tests/e2e/test_errors.py */
#ifndef MOTE_TRANSFER_REPORT_DEBUG_H
#define MOTE_TRANSFER_REPORT_DEBUG_H

#include <curl/curl.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/report.h"
#include "parts.h"
#include "transfer/transfer.h"

/* Makes the transfer that the report is of its receiver. */
#if MOTE_HAS_TEXTS
void mote_debug_listen(struct mote_report *r);
#else
#define mote_debug_listen(r) ((void)(r))
#endif

#if MOTE_HAS_VERBOSE

/* Delivers one chunk (CURLINFO_HEADER_IN and others) to CURLOPT_DEBUGFUNCTION, or as text to
 * CURLOPT_STDERR. Costs one test when CURLOPT_VERBOSE is off. */
void mote_debug_chunk(struct mote_transfer *t, curl_infotype type, const char *bytes, size_t len);

static inline void mote_debug(struct mote_transfer *t, curl_infotype type, const char *bytes, size_t len)
{
  if(t->report.verbose)
    mote_debug_chunk(t, type, bytes, len);
}

/* Delivers a verbose line, which is the text and a line end. */
void mote_debug_line(struct mote_transfer *t, const char *fmt, va_list args);

#else

#define mote_debug(t, type, bytes, len) ((void)(t), (void)(type), (void)(bytes), (void)(len))
#define mote_debug_line(t, fmt, args) ((void)(t), (void)(fmt), (void)(args))
#endif

#endif
