/* engine/refuse.h: decides whether a transfer may start although this build lacks what the application
 * asked for.
 *
 * An option that changes what is sent or checked is never ignored. If curl_easy_setopt() has refused it and
 * the application starts a transfer all the same, that fails with CURLE_NOT_BUILT_IN and a text.
 *
 * Tests: tests/e2e/test_not_built.py */
#ifndef MOTE_ENGINE_REFUSE_H
#define MOTE_ENGINE_REFUSE_H

#include <curl/curl.h>
#include <stdbool.h>

#include "transfer/transfer.h"

/* Checks the options that may prevent a start, once the URL and its scheme are known. CURLE_NOT_BUILT_IN. */
CURLcode mote_refuse_judge(struct mote_transfer *t);

static inline CURLcode mote_refuse_options(struct mote_transfer *t)
{
  return mote_options_may_refuse(&t->options) && !t->run->request.redirects ? mote_refuse_judge(t) : CURLE_OK;
}

#endif
