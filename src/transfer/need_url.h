/* transfer/need_url.h: the URLs of a transfer, and the ways to them, as transfer/need.c adds them up.
 *
 * Ownership: a first URL that was looked at is forgotten by who looked.
 * Failure:   as of mote_need_ask().
 * Tests:     tests/unit/api/test_need.c */
#ifndef MOTE_TRANSFER_NEED_URL_H
#define MOTE_TRANSFER_NEED_URL_H

#include "base/ceiling.h"
#include "codec/url.h"

struct mote_multi;
struct mote_need_chain;
struct mote_need_sums;
struct mote_scheme;
struct mote_transfer;

struct mote_need_first {
  struct mote_account account; /* pays for what is looked at here */
  struct mote_url url;
  size_t whole;                /* bytes of the URL of a CURLOPT_CURLU; 0: it is not set */
};

/* need_url.c. f: all zero. */
CURLcode mote_need_look(struct mote_transfer *t, struct mote_need_first *f);
void mote_need_forget(struct mote_need_first *f);
/* Its texts: parsed, perhaps copied, perhaps packed whole. */
void mote_need_add_first(const struct mote_need_first *f, struct mote_need_sums *sums);
void mote_need_add_redirect(const struct mote_need_chain *chain, const struct mote_need_first *f,
                            struct mote_ceiling *easy);

/* Bytes of the longest URL after as many redirects as `hops`: each may add a line's worth, encoded. */
size_t mote_need_longest(size_t len, size_t hops);

/* need_connection.c: what CURLOPT_CONNECT_TO adds to the hosts; the keys of connections. */
void mote_need_widen(const struct mote_transfer *t, struct mote_need_chain *chain, struct mote_ceiling *easy);
/* Lookups, their answers, what CURLOPT_RESOLVE says. */
void mote_need_add_names(const struct mote_transfer *t, struct mote_multi *m,
                         const struct mote_need_chain *chain, struct mote_ceiling *cache,
                         struct mote_ceiling *process);

#endif
