/* transfer/start.h: what happens before anything is looked up: the run is made or used again, options are
 * resolved, the URL is parsed and judged.
 *
 * Tests: tests/e2e/test_errors.py, test_redirect.py */
#ifndef MOTE_TRANSFER_START_H
#define MOTE_TRANSFER_START_H

#include <curl/curl.h>

#include "base/time.h"
#include "codec/url.h"
#include "parts.h"

struct mote_transfer;

/* The first request of a transfer, or the next one after a redirect (run->url is there then). Does nothing
 * for a transfer that was queued after it was prepared. CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL,
 * CURLE_NOT_BUILT_IN (a proxy applies), CURLE_OUT_OF_MEMORY, or what the protocol's prepare() says. */
CURLcode mote_start_request(struct mote_transfer *t, mote_time now);

/* A run for the next transfer: t->run is there, all zero but for what may be used again.
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_run_reuse(struct mote_transfer *t);

/* CURLOPT_CONNECTTIMEOUT_MS begins to run. */
CURLcode mote_start_connect_timer(struct mote_transfer *t, mote_time now);

/* The URL that the application has set, parsed, with the port of CURLOPT_PORT where that is set; u is the
 * caller's to close. CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_LOGIN_DENIED,
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_start_parse_url(struct mote_transfer *t, struct mote_url *u);

/* How URLs of this transfer are parsed. */
void mote_start_url_how(struct mote_transfer *t, struct mote_url_how *how);

/* The CURLcode for a URL that was refused, with the text. */
CURLcode mote_start_url_failed(struct mote_transfer *t, CURLUcode rc);

/* What a CURLU holds. Errors as mote_url_compose(), CURLUE_NO_SCHEME. */
#if MOTE_HAS_URL_API
CURLUcode mote_start_compose(CURLU *handle, const struct mote_url_how *how, struct mote_url *u);
#else
#define mote_start_compose(handle, how, u) ((void)(handle), (void)(how), (void)(u), CURLUE_BAD_HANDLE)
#endif

/* CURLE_NOT_BUILT_IN when a proxy option or environment variable applies to the current URL
 * (transfer/proxy.c). */
#if MOTE_HAS_ENV_PROXIES
CURLcode mote_proxy_refuse(struct mote_transfer *t);
#else
#define mote_proxy_refuse(t) ((void)(t), CURLE_OK)
#endif

#endif
