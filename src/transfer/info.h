/* transfer/info.h: answers of curl_easy_getinfo() without another place: made on demand, kept with the run.
 *
 * Ownership: one block of the run; what it points to, too. All stays until the next transfer.
 * Failure:   CURLE_OUT_OF_MEMORY; the answer is not there, the transfer goes on.
 * Tests:     tests/unit/api/test_getinfo.c */
#ifndef MOTE_TRANSFER_INFO_H
#define MOTE_TRANSFER_INFO_H

#include <curl/curl.h>
#include <stdint.h>

#include "parts.h"
#include "port/addr.h"

struct mote_run;
struct mote_transfer;

struct mote_info {
  char primary_ip[MOTE_ADDR_TEXT_MAX];
  char local_ip[MOTE_ADDR_TEXT_MAX];
  struct curl_tlssessioninfo tls_ssl;
  struct curl_tlssessioninfo tls_ctx;
  char *url;                      /* CURLINFO_EFFECTIVE_URL where it is not the URL's own text, or NULL */
  size_t url_size;                /* bytes of that block */
  long verify_result;             /* CURLINFO_SSL_VERIFYRESULT: X509_V_* */
  struct curl_certinfo *certinfo; /* CURLOPT_CERTINFO: of the last TLS connection, or NULL */
};

/* run->info, made when it is not there. NULL: out of memory. */
struct mote_info *mote_info_need(struct mote_transfer *t);

/* The transfer has a TLS connection: note what is told of it after it has gone. Called when its handshake has
 * ended, well or badly, and when a kept connection is used. CURLE_OUT_OF_MEMORY. */
#if MOTE_HAS_INFOS && MOTE_HAS_HTTPS
CURLcode mote_info_note_tls(struct mote_transfer *t);
#else
#define mote_info_note_tls(t) ((void)(t), CURLE_OK)
#endif

/* Forget the last transfer's answers; the block itself stays. r: the run as it was. Give everything back. */
#if MOTE_HAS_INFOS
void mote_info_forget(struct mote_transfer *t, const struct mote_run *r);
void mote_info_close(struct mote_transfer *t);
#else
#define mote_info_forget(t, r) ((void)(t), (void)(r))
#define mote_info_close(t) ((void)(t))
#endif

#endif
