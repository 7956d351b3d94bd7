/* engine/need/need_url.h: the memory that URLs, lookups and keys of connections take, for engine/need/need.c.
 *
 * Ownership: the caller of mote_need_look() forgets the first URL.
 * Errors:    those of mote_need_ask().
 * Tests:     tests/unit/api/test_need.c */
#ifndef MOTE_ENGINE_NEED_NEED_URL_H
#define MOTE_ENGINE_NEED_NEED_URL_H

#include "codec/url/url.h"
#include "parts.h"

struct mote_ceiling;
struct mote_multi;
struct mote_need_chain;
struct mote_need_sums;
struct mote_scheme;
struct mote_transfer;

struct mote_need_first {
  struct mote_account account; /* pays while the first URL is parsed */
  struct mote_url url;
  size_t whole;                /* bytes of the URL of CURLOPT_CURLU; 0: not set */
};

/* need_url.c: parses the first URL into f, which must be all zero. */
CURLcode mote_need_look(struct mote_transfer *t, struct mote_need_first *f);
void mote_need_forget(struct mote_need_first *f);
/* Adds its texts, which are parsed, perhaps copied, perhaps packed whole. */
void mote_need_add_first(const struct mote_need_first *f, struct mote_need_sums *sums);
void mote_need_add_redirect(const struct mote_need_chain *chain, const struct mote_need_first *f,
                            struct mote_ceiling *easy);

/* Returns the bytes of the longest URL after `hops` redirects. Each may add the length of a line,
 * percent-encoded. */
size_t mote_need_longest(size_t len, size_t hops);

/* need_connection.c: extends hosts and keys by what CURLOPT_CONNECT_TO names. */
void mote_need_widen(const struct mote_transfer *t, struct mote_need_chain *chain, struct mote_ceiling *easy);
/* Adds lookups, their answers and the entries of CURLOPT_RESOLVE. */
void mote_need_add_names(const struct mote_transfer *t, struct mote_multi *m,
                         const struct mote_need_chain *chain, struct mote_ceiling *cache,
                         struct mote_ceiling *process);

/* need_tls.c: adds the TLS of all connections of the chain. CURLE_TOO_LARGE: unknown with this library. */
#if MOTE_HAS_HTTPS
CURLcode mote_need_add_tls(struct mote_transfer *t, const struct mote_need_chain *chain,
                           struct mote_need_sums *sums);
#else
#define mote_need_add_tls(t, chain, sums) ((void)(t), (void)(chain), (void)(sums), (CURLcode)CURLE_TOO_LARGE)
#endif

#endif
