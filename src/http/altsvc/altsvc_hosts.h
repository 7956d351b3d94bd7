/* http/altsvc/altsvc_hosts.h: the alternative services that origins have offered (RFC 7838), of a handle.
 *
 * Errors: CURLE_OUT_OF_MEMORY; nothing has changed.
 * Tests:  tests/unit/http/test_altsvc_hosts.c */
#ifndef MOTE_HTTP_ALTSVC_ALTSVC_HOSTS_H
#define MOTE_HTTP_ALTSVC_ALTSVC_HOSTS_H

#include "http/hosts/host_index.h"

struct mote_account;
struct mote_altsvc_line;

struct mote_altsvc_host {
  struct mote_known_host known; /* the origin's host and the time */
  uint16_t port;                /* the origin's */
  uint16_t to_port;
  uint16_t priority;
  uint8_t protocol;             /* enum mote_altsvc_protocol, by which it was offered */
  uint8_t to_protocol;
  uint8_t to_len;               /* bytes of the alternative's host */
  bool persist;
  char text[];                  /* both hosts */
};

void mote_altsvc_hosts_init(struct mote_host_index *x, struct mote_account *account);

/* Adds an entry, or gives one that is there already its new time. line->expires <= now: does nothing. */
CURLcode mote_altsvc_hosts_add(struct mote_host_index *x, const struct mote_altsvc_line *line, int64_t now);
/* Removes all that an origin has offered by this protocol. */
void mote_altsvc_hosts_forget(struct mote_host_index *x, struct mote_slice host, uint16_t port,
                              unsigned protocol);

/* Finds the first alternative of an origin by one of the protocols, 1 << enum mote_altsvc_protocol or'ed.
 * Removes those that have expired, and passes over those that rest (http/altsvc/altsvc_rest.h); now
 * INT64_MIN: none does either. */
const struct mote_altsvc_host *mote_altsvc_hosts_find(struct mote_host_index *x, struct mote_slice host,
                                                      uint16_t port, unsigned protocols, int64_t now);

/* The host of an alternative. */
static inline struct mote_slice mote_altsvc_to(const struct mote_altsvc_host *h)
{
  struct mote_slice s = {h->text + h->known.host_len, h->to_len};
  return s;
}

/* Returns the next entry that has not expired. *at as in mote_host_index_walk(). */
bool mote_altsvc_hosts_walk(const struct mote_host_index *x, uint32_t *at, int64_t now,
                            struct mote_altsvc_line *out);

#endif
