/* http/hosts/hsts.h: HTTP Strict Transport Security (RFC 6797; CURLOPT_HSTS(3) and its relatives).
 *
 * Its hook (http/hooks.h) turns the http URL of a host that has asked for it into an https one before
 * anything else is decided, and keeps what responses over TLS ask for. Hosts that are IP addresses neither
 * ask nor are asked for.
 *
 * Nothing is kept of what was decided: each request asks the hosts, after the files whose stamps differ were
 * read again.
 *
 * A handle without it has none of this. The engine is one block, which MOTE_OPT_HSTS points to; with a share
 * of HSTS its hosts are the share's.
 *
 * Ownership: the engine is the handle's, until mote_hsts_close().
 * Errors:    CURLE_OUT_OF_MEMORY; CURLE_ABORTED_BY_CALLBACK (CURLOPT_HSTSREADFUNCTION(3)).
 * Threads:   the hosts of a share are used under CURL_LOCK_DATA_HSTS, but no callback is called under it.
 * Tests:     tests/e2e/test_hsts.py, tests/threads/test_thread_hosts.c */
#ifndef MOTE_HTTP_HOSTS_HSTS_H
#define MOTE_HTTP_HOSTS_HSTS_H

#include <curl/curl.h>

#include "parts.h"

struct mote_transfer;
struct mote_url;

#if MOTE_HAS_HSTS

/* Replaces an http URL by the https one of the same document, with a block of its own. CURLE_OUT_OF_MEMORY,
 * or the code of a URL that is refused; u is as it was. */
CURLcode mote_hsts_upgrade(struct mote_transfer *t, struct mote_url *u);

/* Sets CURLOPT_HSTS. NULL: no HSTS; "": without a file. */
CURLcode mote_hsts_set_file(struct mote_transfer *t, const char *path);
/* Sets CURLOPT_HSTS_CTRL. */
CURLcode mote_hsts_set_control(struct mote_transfer *t, long bits);
/* Gives the handle an engine like that of `from`, with copies of its own hosts (curl_easy_duphandle(3)). */
CURLcode mote_hsts_dup(struct mote_transfer *t, const struct mote_transfer *from);
/* The handle gets another share, or none. Sharing HSTS switches it on, as in libcurl. */
CURLcode mote_hsts_reshare(struct mote_transfer *t);
/* Writes the hosts to the callback and the file, and frees the engine. */
void mote_hsts_close(struct mote_transfer *t);

#else

#define mote_hsts_upgrade(t, u) ((void)(t), (void)(u), (CURLcode)CURLE_OK)
#define mote_hsts_set_file(t, path) ((void)(t), (void)(path), (CURLcode)CURLE_UNKNOWN_OPTION)
#define mote_hsts_set_control(t, bits) ((void)(t), (void)(bits), (CURLcode)CURLE_UNKNOWN_OPTION)
#define mote_hsts_dup(t, from) ((void)(t), (void)(from), (CURLcode)CURLE_OK)
#define mote_hsts_reshare(t) ((void)(t), (CURLcode)CURLE_OK)
#define mote_hsts_close(t) ((void)(t))
#endif

#endif
