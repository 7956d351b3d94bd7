/* api/multi/share_handle.h: a share as easy handles use it.
 *
 * Ownership: the share is the application's, which cannot change it or clean it up while a handle uses it.
 * Tests:     tests/e2e/test_share.py */
#ifndef MOTE_API_MULTI_SHARE_HANDLE_H
#define MOTE_API_MULTI_SHARE_HANDLE_H

#include <curl/curl.h>

#include "parts.h"

struct mote_share;

#if MOTE_HAS_SHARE

/* Counts a user. CURLSHE_INVALID: not a share. */
CURLSHcode mote_share_attach(CURLSH *share, struct mote_share **out);
void mote_share_detach(struct mote_share *s); /* NULL is fine */

#else

#define mote_share_attach(share, out) ((void)(share), (void)(out), CURLSHE_INVALID)
#define mote_share_detach(s) ((void)(s))
#endif

#endif
