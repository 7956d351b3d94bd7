/* http/altsvc/altsvc.h: alternative services (RFC 7838; CURLOPT_ALTSVC(3), CURLOPT_ALTSVC_CTRL(3)).
 *
 * Its hook (http/hooks.h) looks for another place to connect to for an https URL, which the route takes
 * (transfer/elsewhere.h) unless an option or a proxy says where to go, and keeps what responses over TLS
 * offer. The certificate is still the origin's, and the request names the place in Alt-Used. Alternatives by
 * HTTP/2 are kept, but not used. As in libcurl, an alternative by HTTP/1.1 that cannot be reached ends the
 * transfer.
 *
 * One by HTTP/3 is used with part h3, where CURLOPT_HTTP_VERSION leaves the version open or names HTTP/3.
 * QUIC to that place then races with TCP to the origin, so that one which cannot be reached costs a transfer
 * no more than the head start of QUIC, and then rests (http/altsvc/altsvc_rest.h). Without the part it is
 * kept, but not used.
 *
 * The place is decided for each request, from what is known of scheme, host and port, after files whose
 * stamps differ were read again.
 *
 * A handle without it has none of this. The engine is one block, which MOTE_OPT_ALTSVC points to.
 *
 * Ownership: the engine is the handle's, until mote_altsvc_close().
 * Errors:    CURLE_OUT_OF_MEMORY.
 * Tests:     tests/e2e/test_altsvc.py */
#ifndef MOTE_HTTP_ALTSVC_ALTSVC_H
#define MOTE_HTTP_ALTSVC_ALTSVC_H

#include <curl/curl.h>

#include "parts.h"

struct mote_transfer;

#if MOTE_HAS_ALTSVC

/* Sets CURLOPT_ALTSVC. NULL and "": without a file. */
CURLcode mote_altsvc_set_file(struct mote_transfer *t, const char *path);
/* Sets CURLOPT_ALTSVC_CTRL. 0 changes nothing. */
CURLcode mote_altsvc_set_control(struct mote_transfer *t, long bits);
/* Gives the handle an engine like that of `from`, without what servers have offered
 * (curl_easy_duphandle(3)). */
CURLcode mote_altsvc_dup(struct mote_transfer *t, const struct mote_transfer *from);
/* Writes the file and frees the engine. */
void mote_altsvc_close(struct mote_transfer *t);

#else

#define mote_altsvc_set_file(t, path) ((void)(t), (void)(path), (CURLcode)CURLE_UNKNOWN_OPTION)
#define mote_altsvc_set_control(t, bits) ((void)(t), (void)(bits), (CURLcode)CURLE_UNKNOWN_OPTION)
#define mote_altsvc_dup(t, from) ((void)(t), (void)(from), (CURLcode)CURLE_OK)
#define mote_altsvc_close(t) ((void)(t))
#endif

#endif
