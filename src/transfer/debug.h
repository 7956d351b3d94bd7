/* transfer/debug.h: what a transfer tells: the error buffer and the debug callback.
 *
 * Tests: tests/e2e/test_debug.py, tests/e2e/test_errors.py */
#ifndef MOTE_TRANSFER_DEBUG_H
#define MOTE_TRANSFER_DEBUG_H

#include <curl/curl.h>
#include <stddef.h>

#include "base/report.h"

struct mote_transfer;

extern const struct mote_report_ops mote_transfer_report;

/* One chunk of CURLINFO_HEADER_IN … to CURLOPT_DEBUGFUNCTION, or in words to CURLOPT_STDERR. Costs one test
 * when CURLOPT_VERBOSE is off. */
void mote_debug_chunk(struct mote_transfer *t, curl_infotype type, const char *bytes, size_t len);

static inline void mote_debug(struct mote_report *r, struct mote_transfer *t, curl_infotype type,
                              const char *bytes, size_t len)
{
  if(r->verbose)
    mote_debug_chunk(t, type, bytes, len);
}

#endif
