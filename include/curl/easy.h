/* curl/easy.h: one transfer at a time.
 *
 * An easy handle may be used by any thread, by one at a time. */
#ifndef CURLINC_EASY_H
#define CURLINC_EASY_H

#include "curl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of struct curl_blob. */
#define CURL_BLOB_COPY 1   /* the library takes a copy */
#define CURL_BLOB_NOCOPY 0 /* the data must live as long as the transfer */

/* Bytes for the CURLOPT_*_BLOB options. */
struct curl_blob {
  void *data;
  size_t len;
  unsigned int flags; /* CURL_BLOB_* */
};

/* A new handle, for curl_easy_cleanup(); NULL when that fails. */
CURL_EXTERN CURL *curl_easy_init(void);

/* Set an option; strings are copied, unless the option says otherwise. CURLE_UNKNOWN_OPTION,
 * CURLE_NOT_BUILT_IN, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_OUT_OF_MEMORY, CURLE_UNSUPPORTED_PROTOCOL. */
CURL_EXTERN CURLcode curl_easy_setopt(CURL *curl, CURLoption option, ...);

/* Do the transfer, and return when it is over. */
CURL_EXTERN CURLcode curl_easy_perform(CURL *curl);

/* Also closes the connections that the handle keeps. NULL is allowed. */
CURL_EXTERN void curl_easy_cleanup(CURL *curl);

/* Ask about the last transfer. Strings belong to the handle and live until its next transfer; lists are
 * for curl_slist_free_all() where the CURLINFO_* says so. */
CURL_EXTERN CURLcode curl_easy_getinfo(CURL *curl, CURLINFO info, ...);

/* A new handle with the same options; connections are not shared. NULL when that fails. */
CURL_EXTERN CURL *curl_easy_duphandle(CURL *curl);

/* All options to their defaults; connections, sessions and the caches stay. */
CURL_EXTERN void curl_easy_reset(CURL *curl);

/* After CURLOPT_CONNECT_ONLY: read and write on the connection. CURLE_AGAIN: wait for the socket first. */
CURL_EXTERN CURLcode curl_easy_recv(CURL *curl, void *buffer, size_t buflen, size_t *n);
CURL_EXTERN CURLcode curl_easy_send(CURL *curl, const void *buffer, size_t buflen, size_t *n);

/* Check that kept connections are alive and keep them so, where the protocol has a way. */
CURL_EXTERN CURLcode curl_easy_upkeep(CURL *curl);

#ifdef __cplusplus
}
#endif

#endif
