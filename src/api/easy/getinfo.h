/* api/easy/getinfo.h: the texts among the answers of curl_easy_getinfo(3), which is in getinfo.c.
 *
 * Ownership: a text is the option's, the header store's or in run->info: it stays until the next transfer,
 *            curl_easy_reset() or clean-up.
 * Errors:    CURLE_OUT_OF_MEMORY where the text is made on demand.
 * Tests:     tests/unit/api/test_getinfo.c */
#ifndef MOTE_API_EASY_GETINFO_H
#define MOTE_API_EASY_GETINFO_H

#include <curl/curl.h>
#include <stdint.h>

struct mote_easy;

CURLcode mote_info_effective_url(struct mote_easy *e, const char **out);
CURLcode mote_info_effective_method(struct mote_easy *e, const char **out);
CURLcode mote_info_content_type(struct mote_easy *e, const char **out);
CURLcode mote_info_redirect_url(struct mote_easy *e, const char **out);
CURLcode mote_info_referer(struct mote_easy *e, const char **out);
CURLcode mote_info_primary_ip(struct mote_easy *e, const char **out);
CURLcode mote_info_local_ip(struct mote_easy *e, const char **out);
CURLcode mote_info_private(struct mote_easy *e, const char **out);
CURLcode mote_info_scheme(struct mote_easy *e, const char **out);
CURLcode mote_info_entry_path(struct mote_easy *e, const char **out);
CURLcode mote_info_ca_file(struct mote_easy *e, const char **out);
CURLcode mote_info_ca_path(struct mote_easy *e, const char **out);
CURLcode mote_info_cookies(struct mote_easy *e, void **out); /* a curl_slist, the caller's */
CURLcode mote_info_rtsp_session(struct mote_easy *e, const char **out);

/* Numbers of RTSP's requests, 0 before the first (CURLINFO_RTSP_CLIENT_CSEQ(3)). */
int64_t mote_info_rtsp_next(struct mote_easy *e);
int64_t mote_info_rtsp_received(struct mote_easy *e);
int64_t mote_info_rtsp_server(struct mote_easy *e);

#endif
