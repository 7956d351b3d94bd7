/* transfer/report/info.h: answers of curl_easy_getinfo() that are stored nowhere else. They are made on
 * demand.
 *
 * Ownership: the run owns the block and what it points to. All stay valid until the next transfer.
 * Errors:    CURLE_OUT_OF_MEMORY; the answer is then missing, and the transfer goes on.
 * Tests:     tests/unit/api/test_getinfo.c */
#ifndef MOTE_TRANSFER_REPORT_INFO_H
#define MOTE_TRANSFER_REPORT_INFO_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "parts.h"
#include "port/addr.h"

struct mote_conn;
struct mote_run;
struct mote_stream;
struct mote_transfer;

struct mote_info {
  char primary_ip[MOTE_ADDR_TEXT_MAX];
  char local_ip[MOTE_ADDR_TEXT_MAX];
  uint8_t proxy_error;            /* CURLINFO_PROXY_ERROR */
  uint8_t proxy_offered;          /* CURLINFO_PROXYAUTH_AVAIL */
  uint8_t proxy_used;             /* CURLINFO_PROXYAUTH_USED */
  uint8_t tunnels;                /* tunnels that were tried again on another connection */
  struct curl_tlssessioninfo tls_ssl;
  struct curl_tlssessioninfo tls_ctx;
  char *url;                      /* CURLINFO_EFFECTIVE_URL where it is not the URL's own text, or NULL */
  size_t url_size;                /* bytes allocated for url */
  long proxy_verify_result;       /* CURLINFO_PROXY_SSL_VERIFYRESULT */
  struct curl_certinfo *certinfo; /* with CURLOPT_CERTINFO, of the last TLS connection, or NULL */
};

/* Returns run->info and makes it if necessary. NULL: out of memory. */
struct mote_info *mote_info_need(struct mote_transfer *t);

/* Stores what curl_easy_getinfo() reports of the TLS connection after it is gone. Called when its handshake
 * has ended, well or badly, and when a kept connection is used. CURLE_OUT_OF_MEMORY. */
#if MOTE_HAS_INFOS && MOTE_HAS_HTTPS
CURLcode mote_info_note_tls(struct mote_transfer *t);
/* Stores CURLINFO_SSL_VERIFYRESULT alone, of a stream of TLS that may not be the connection's. */
void mote_info_note_verify(struct mote_transfer *t, const struct mote_stream *tls);
#else
#define mote_info_note_tls(t) ((void)(t), (CURLcode)CURLE_OK)
#define mote_info_note_verify(t, tls) ((void)(t), (void)(tls))
#endif

/* Stores CURLINFO_PROXY_SSL_VERIFYRESULT. Out of memory there is none. */
#if MOTE_HAS_INFOS && MOTE_HAS_HTTPS
void mote_info_note_proxy_tls(struct mote_transfer *t, const struct mote_conn *c);
#else
#define mote_info_note_proxy_tls(t, c) ((void)(t), (void)(c))
#endif

/* Stores CURLINFO_PROXY_ERROR. Out of memory there is none. */
#if MOTE_HAS_INFOS
void mote_info_note_proxy_error(struct mote_transfer *t, uint8_t code);
/* Store CURLINFO_PROXYAUTH_AVAIL and _USED (CURLAUTH_*), and return the former. */
void mote_info_note_proxy_offered(struct mote_transfer *t, uint8_t schemes);
void mote_info_note_proxy_used(struct mote_transfer *t, unsigned scheme);
uint8_t mote_info_proxy_offered(const struct mote_transfer *t);
/* Counts a tunnel that is tried again. False: there were too many, or nowhere to count them. */
bool mote_info_count_tunnel(struct mote_transfer *t);
#else
#define mote_info_note_proxy_offered(t, schemes) ((void)(t), (void)(schemes))
#define mote_info_note_proxy_used(t, scheme) ((void)(t), (void)(scheme))
#define mote_info_proxy_offered(t) ((void)(t), (uint8_t)0)
#define mote_info_count_tunnel(t) ((void)(t), false)
#define mote_info_note_proxy_error(t, code) ((void)(t), (void)(code))
#endif

/* Forgets the last transfer's answers (the block itself stays), or frees everything. r is the run as it
 * was. */
#if MOTE_HAS_INFOS
void mote_info_forget(struct mote_transfer *t, const struct mote_run *r);
void mote_info_close(struct mote_transfer *t);
#else
#define mote_info_forget(t, r) ((void)(t), (void)(r))
#define mote_info_close(t) ((void)(t))
#endif

#endif
